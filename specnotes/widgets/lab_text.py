"""The state of the lab as text: what its drawings show, for screen readers and for copying."""

from html import escape

from specnotes.plots.numbers import percent, signed, tiny
from specnotes.plots.trace import cells, round_words

COLUMNS = (
    *("token", "target p", "draft q", "kept min(p, q)", "residual r"),
    *("output − p", "wrong output − p"),
)


def state_html(setting, one, rounds, vocabulary):
    """The controls' values, one token's laws as a table, the sequence round by round.

    ``setting`` is text; ``one`` holds the laws as ``lab.one_token`` returns them.
    """
    listed = "".join(
        f"<li>{escape(round_words(i, column))}</li>"
        for i, column in enumerate(cells(rounds, vocabulary), start=1)
    )
    return (
        f"<p>{escape(setting)}</p>{_table(one, vocabulary)}<p>{_distances(one)}</p>"
        f"<p>The sequence, in {len(rounds)} rounds:</p><ul>{listed}</ul>"
    )


def _table(one, vocabulary):
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in COLUMNS)
    body = "".join(_row(one, i, token) for i, token in enumerate(vocabulary))
    return (
        '<table class="sn-state"><caption>The next token, in percent.</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _row(one, i, token):
    target, draft, owed = (one[name][i] for name in ("target", "draft", "residual"))
    errors = one["corrected"][i] - target, one["wrong"][i] - target
    shown = [percent(share, 2) for share in (target, draft, min(target, draft), owed)]
    numbers = "".join(f"<td>{text}</td>" for text in [*shown, *map(signed, errors)])
    return f'<tr><th scope="row">{escape(token)}</th>{numbers}</tr>'


def _distances(one):
    exact, wrong = one["distances"]
    kept = percent(one["kept"])
    return (
        f"Kept, α: {kept} %. Distance of the output from the target: {tiny(exact)}; with the "
        f"wrong fallback {percent(wrong, 2)} %."
    )
