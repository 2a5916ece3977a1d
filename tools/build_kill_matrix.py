"""Write the kill matrix as Markdown: exhibits × tests, and exhibits × the course's checks.

usage: python tools/build_kill_matrix.py PATH
"""

import sys
from pathlib import Path

from specnotes.audit.battery import TESTS
from specnotes.audit.matrix import as_markdown, kill_matrix
from specnotes.audit.run import remembering
from specnotes.broken import MUSEUM
from specnotes.checks.matrix import CLAIMS, check_matrix

PAGE = """\
{wrong} exhibits are wrong, {right} are right. A ✗ says that the test objects to the exhibit.

## Tests that people use, and the audit

Each is exact. *Wrong* and *wasteful* are the audit's two verdicts: a right verifier may be
wasteful.

{tests}

## The checks of the exercises

The exhibits handed in as answers, wherever a check asks for what an exhibit can be. Scouts go
through the rules of `lawful_stops`, loops also through `guess_and_check`. A – says that nobody
could hand in such an exhibit there. A check that counts what is kept also refuses what is right
and keeps too little.

{checks}

What a check lets pass, and why:

{blind}
"""


def page(tests=TESTS, claims=CLAIMS, exhibits=MUSEUM):
    """The page's text."""
    with remembering():
        tested, checked = kill_matrix(tests, exhibits), check_matrix(claims, exhibits)
    return PAGE.format(
        wrong=sum(not exhibit.innocent for exhibit in exhibits),
        right=sum(exhibit.innocent for exhibit in exhibits),
        tests=as_markdown(tested),
        checks=as_markdown(checked),
        blind="\n".join(
            f"- **{name}**: {what}: {why}"
            for name, claim in claims.items()
            for what, why in claim.blind.items()
        ),
    )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    Path(sys.argv[1]).write_text(page(), encoding="utf-8", newline="\n")
