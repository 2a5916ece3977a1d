"""Is this verifier lossless?  Exact audits of anybody's verifier or decoder."""
