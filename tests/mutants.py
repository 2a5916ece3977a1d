"""Mutants of a module: each differs from it by one small change of its syntax tree.

Changed are comparisons, arithmetic, logic, conditions, constants, indices and slices, arguments
and their order, calls, the ends of loops, and whole statements.  Not changed are imports,
annotations, docstrings, and messages: f-strings, and texts with a space.
"""

import ast
import warnings
from collections import Counter
from pathlib import Path
from types import CodeType
from typing import NamedTuple

OPERATORS = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
}
NAMES = {
    "min": "max",
    "minimum": "maximum",
    "all": "any",
    "bisect_right": "bisect_left",
    "float64": "float32",
    "TypeError": "ValueError",
}
NAMES |= {new: old for old, new in NAMES.items()}
SYMMETRIC = {"minimum", "maximum", "broadcast_shapes"}  # swapping their arguments changes nothing
STATEMENTS = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr | ast.Raise | ast.Return
STATEMENTS |= ast.For | ast.If | ast.Try | ast.While
UNTOUCHED = ast.Import | ast.ImportFrom | ast.JoinedStr
FIELDS = {"annotation", "returns", "bases"}  # left as they are


class Mutant(NamedTuple):
    """Where it is, what its line reads, what is changed (no line numbers); and how to make it."""

    owner: str
    line: str
    change: str
    part: ast.stmt  # the function, class or assignment of the module that is changed
    code: CodeType  # of the whole module


def mutants(path):
    """All mutants of the module at ``path``, from the top down."""
    source = Path(path).read_text(encoding="utf-8")
    tree, lines, seen = ast.parse(source), source.splitlines(), Counter()
    for part in tree.body:
        for holder, key, owner in places(part, getattr(part, "name", "")):
            node = holder[key]
            for new in variants(node):
                if not hasattr(new, "lineno"):
                    ast.copy_location(new, node)
                change = f"{brief(node)} → {brief(new)}"
                if brief(node) == brief(new):
                    continue
                holder[key] = new
                with warnings.catch_warnings(action="ignore", category=SyntaxWarning):
                    code = compile(ast.fix_missing_locations(tree), path, "exec")
                holder[key] = node
                line = lines[getattr(node, "target", node).lineno - 1].split("  #")[0].strip()
                seen[owner, line, change] += 1
                again = seen[owner, line, change]
                yield Mutant(owner, line, change + f" ({again})" * (again > 1), part, code)


def places(node, owner):
    """Where nodes hang below ``node``: (list or dict, index or name, name of the function)."""
    for field, value in ast.iter_fields(node):
        if field in FIELDS:
            continue
        holder = value if isinstance(value, list) else vars(node)
        for key in range(len(value)) if isinstance(value, list) else [field]:
            child = holder[key]
            if not isinstance(child, ast.AST) or isinstance(child, UNTOUCHED) or is_doc(child):
                continue
            below = f"{owner}.{child.name}" if isinstance(child, ast.FunctionDef) else owner
            if hasattr(child, "lineno") or isinstance(child, ast.comprehension):
                yield holder, key, below
            if not is_negative(child):
                yield from places(child, below)


def variants(node):
    """What may stand in the place of ``node``: a bit different, and wrong unless equivalent."""
    if isinstance(node, STATEMENTS):
        yield ast.Pass()
    match node:
        case ast.Compare(left, ops, values):
            for i, op in enumerate(ops):
                for other in OPERATORS[type(op)]:
                    yield ast.Compare(left, [*ops[:i], other(), *ops[i + 1 :]], values)
        case ast.BinOp(left, op, right):
            yield from [ast.BinOp(left, new(), right) for new in OPERATORS[type(op)]]
            yield from (left, right)
        case ast.BoolOp(op, values):
            yield from [ast.BoolOp(new(), values) for new in OPERATORS[type(op)]]
            yield from values
        case ast.UnaryOp(ast.USub(), ast.Constant(value)):
            yield from map(ast.Constant, constants(-value))
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.Constant(value):
            yield from map(ast.Constant, constants(value))
            yield from [ast.Slice()] * (value is ...)
        case ast.Name(name, context) if name in NAMES:
            yield ast.Name(NAMES[name], context)
        case ast.Attribute(value, name, context) if name in NAMES:
            yield ast.Attribute(value, NAMES[name], context)
        case ast.Call(function, arguments, keywords):
            yield from calls(function, arguments, keywords)
        case ast.Tuple(parts, context) | ast.List(parts, context):
            yield from [type(node)(new, context) for new in (*swapped(parts), *shorter(parts))]
        case ast.Subscript(value, index, ast.Load()):
            yield value
            yield from [ast.Subscript(value, new, ast.Load()) for new in shifted(index)]
        case ast.Slice(lower, upper):
            yield from [ast.Slice(new, upper) for new in [None, *shifted(lower)] if lower]
            yield from [ast.Slice(lower, new) for new in [None, *shifted(upper)] if upper]
        case ast.IfExp(test, body, other):
            yield from (ast.IfExp(ast.UnaryOp(ast.Not(), test), body, other), body, other)
        case ast.If(test, body, other) | ast.While(test, body, other):
            for new in (ast.UnaryOp(ast.Not(), test), ast.Constant(True), ast.Constant(False)):
                yield type(node)(new, body, other)
        case ast.For(target, values, body, other):
            yield from [ast.For(target, new, body, other) for new in fewer(values)]
        case ast.comprehension(target, values, tests, is_async):
            yield from [ast.comprehension(target, new, tests, is_async) for new in fewer(values)]
        case ast.Return(value) if value:
            yield ast.Return()
        case ast.AugAssign(target, op, value):
            yield from [ast.AugAssign(target, new(), value) for new in OPERATORS[type(op)]]
            yield ast.Assign([target], value)


def constants(value):
    """Constants beside ``value``: the other truth, one more and one less, another text."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1, value - 1, *[-value, 10 * value] * (0 < abs(value) < 1)]
    if isinstance(value, str):
        return [value + "x"] * (" " not in value)
    return [0] * (value is None)


def calls(function, arguments, keywords):
    """The call with arguments swapped or left out, and what it is called on in its stead."""
    name = getattr(function, "attr", None)
    for new in [*swapped(arguments) * (name not in SYMMETRIC), *shorter(arguments)[1:][-1:]]:
        yield ast.Call(function, new, keywords)
    yield from [ast.Call(function, arguments, new) for new in shorter(keywords)]
    yield from [one for one in arguments[:1] if not isinstance(one, ast.Starred)]
    if name and not isinstance(function.value, ast.Name):
        yield function.value


def swapped(parts):
    """Two neighbours swapped."""
    return [[*parts[:i], parts[i + 1], parts[i], *parts[i + 2 :]] for i in range(len(parts) - 1)]


def shorter(parts):
    """One part left out."""
    return [[*parts[:i], *parts[i + 1 :]] for i in range(len(parts))]


def shifted(index):
    """An index that is one off.  (Numbers are changed as constants.)"""
    if isinstance(index, ast.Name | ast.BinOp | ast.Call):
        yield from (ast.BinOp(index, op(), ast.Constant(1)) for op in (ast.Add, ast.Sub))


def fewer(values):
    """A loop's values without the first, and without the last."""
    listed = ast.List([ast.Starred(values, ast.Load())], ast.Load())
    for ends in (ast.Slice(ast.Constant(1)), ast.Slice(None, ast.Constant(-1))):
        yield ast.Subscript(listed, ends, ast.Load())


def is_doc(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_negative(node):
    return isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)


def brief(node):
    return "dropped" if isinstance(node, ast.Pass) else ast.unparse(node).splitlines()[0]
