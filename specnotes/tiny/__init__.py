"""A trained transformer over characters: small enough to ship, to read and to time.

``corpus`` (text ↔ tokens), ``weights`` (what was learnt), ``cache`` (what is kept), ``layout``
(how matrices lie in memory), ``transformer`` (the model), ``scouts`` (drafts from the target).
Import from the modules; this file stays empty.
"""
