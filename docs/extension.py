"""What the pages need beside Sphinx: formulas without a script, links into the repository."""

import re
from pathlib import Path

from bs4 import BeautifulSoup
from build_notebooks import repository
from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.addnodes import pending_xref

ROOT = Path(__file__).resolve().parent.parent
# LaTeX that the converter does not know, in words that it does.
SPELLINGS = [
    (r"\\[dc]?dots(?![a-zA-Z])", r"\\ldots"),
    (r"\\[bB]igg?l?(?=[(\[|])", r"\\left"),
    (r"\\[bB]igg?r?(?=[)\]|])", r"\\right"),
]


def mathml(formula, block):
    """A formula as MathML, which browsers draw and screen readers read by themselves."""
    for pattern, spelling in SPELLINGS:
        formula = re.sub(pattern, spelling, formula)
    drawn = tex2mathml(formula.strip(), as_block=block)
    drawn = re.sub(r"<mo>\.</mo>\s*<mn>(\d+)</mn>", r"<mn>.\1</mn>", drawn)  # .7 is one number
    tree = BeautifulSoup(drawn, "html.parser")
    for brace in tree.find_all("mo", string="⏟"):
        if brace.parent.parent.name == "msub":  # what is said of a brace stands under it
            brace.parent.parent.name = "munder"
    return str(tree)


def visit_math(writer, node):
    writer.body.append(mathml(node.astext(), block=False))
    raise nodes.SkipNode


def visit_math_block(writer, node):
    writer.body.append(f'<div class="formula">{mathml(node.astext(), block=True)}</div>')
    raise nodes.SkipNode


def link_into_repository(app, doctree):
    """A link to a file of the repository that is no page of the site leads to the repository."""
    docname = app.env.docname
    for node in list(doctree.findall(pending_xref)):
        target = (ROOT / docname).parent / node.get(
            "reftarget", ""
        )  # as the included file means it
        if node["reftype"] == "myst" and target.is_file():
            path = target.resolve().relative_to(ROOT).as_posix()
            address = f"{repository()}/blob/main/{path}"
            node.replace_self(nodes.reference("", "", *node.children, refuri=address))


def spell_docstring(app, what, name, obj, options, lines):
    """Docstrings write ``Fraction``s and |x|; reStructuredText wants a mark after and before."""
    for i, line in enumerate(lines):
        parts = re.split(r"(``.+?``)", line)  # every second one is code
        parts[::2] = [part.replace("|", r"\|") for part in parts[::2]]
        parts[2::2] = [re.sub(r"^(?=\w)", r"\\ ", part) for part in parts[2::2]]
        lines[i] = "".join(parts)


def name_folds(app, pagename, templatename, context, doctree):
    """A fold is called what it says; MyST-NB gives it a second name, for screen readers only."""
    if "body" in context:
        context["body"] = context["body"].replace(' aria-label="Toggle hidden content"', "")


def setup(app):
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math_block, None))
    app.connect("doctree-read", link_into_repository)
    app.connect("autodoc-process-docstring", spell_docstring)
    app.connect("html-page-context", name_folds)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
