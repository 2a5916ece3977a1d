"""What the pages need beside Sphinx: formulas without a script, links into the repository."""

import re
from pathlib import Path

from build_notebooks import repository
from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

ROOT = Path(__file__).resolve().parent.parent
# What the converter does not know; parentheses stretch in MathML without being told.
SPELLINGS = [(r"\\[dc]?dots(?![a-zA-Z])", r"\\ldots"), (r"\\[bB]igg?[lrm]?(?![a-zA-Z])", "")]


def mathml(formula, block):
    """A formula as MathML, which browsers draw and screen readers read by themselves."""
    for pattern, spelling in SPELLINGS:
        formula = re.sub(pattern, spelling, formula)
    return tex2mathml(formula.strip(), as_block=block)


def visit_math(writer, node):
    writer.body.append(mathml(node.astext(), block=False))
    raise nodes.SkipNode


def visit_math_block(writer, node):
    writer.body.append(f'<div class="formula">{mathml(node.astext(), block=True)}</div>')
    raise nodes.SkipNode


def link_into_repository(app, env, node, contnode):
    """A link to a file of the repository that is no page of the site leads to the repository."""
    target = node.get("reftarget", "")
    path = (Path(env.doc2path(node["refdoc"])).parent / target).resolve()
    # A page that includes a file of the repository lies where that file does.
    path = ROOT / path.relative_to(ROOT / "docs") if path.is_relative_to(ROOT / "docs") else path
    if not (path.is_relative_to(ROOT) and path.exists()):
        return None
    address = f"{repository()}/blob/main/{path.relative_to(ROOT).as_posix()}"
    return nodes.reference("", "", contnode, refuri=address, internal=False)


def setup(app):
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math_block, None))
    app.connect("missing-reference", link_into_repository)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
