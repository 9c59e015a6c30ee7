"""Expected lengths written as formulas: ``"2 + 2*sqrt(3)"``. Arithmetic only; no code is executed."""

from __future__ import annotations

import ast
import math
import operator
from typing import TYPE_CHECKING, Any, Final

from sbg_sim.document import meant
from sbg_sim.errors import SbgError
from sbg_sim.units import MM_PER_INCH

if TYPE_CHECKING:
    from collections.abc import Callable


class FormulaError(SbgError, ValueError):
    """A formula cannot be evaluated."""


_MAX_LENGTH: Final = 2_000
_MAX_DEPTH: Final = 200
_CONSTANTS: Final = {"pi": math.pi, "mm": 1 / MM_PER_INCH}
_FUNCTIONS: Final[dict[str, Callable[..., float]]] = {
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "atan2": math.atan2,
    "hypot": math.hypot,
    "abs": abs,
    "min": min,
    "max": max,
}
_REASONS: Final = {
    ZeroDivisionError: "it divides by nought",
    OverflowError: "it grows too large",
    TypeError: "a function is given too few or too many numbers",
    ValueError: "a function has no value there",
}
_BINARY: Final[dict[type[ast.operator], Callable[[float, float], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def evaluate(formula: str | float) -> float:
    """Return the value of a formula.

    Parameters
    ----------
    formula
        A number, or numbers joined by ``+ - * / **``, with ``sqrt, sin, cos, tan, asin, acos, atan,
        atan2, hypot, abs, min, max`` and the constants ``pi`` and ``mm`` (a millimetre in inches).

    Raises
    ------
    FormulaError
        For anything else, and for a result that is not a finite real number.

    Examples
    --------
    >>> evaluate("2 + 2*sqrt(9)")
    8.0
    >>> evaluate("127*mm")
    5.0

    """
    if not isinstance(formula, str):
        return float(formula)
    if len(formula) > _MAX_LENGTH:
        raise FormulaError(f"is a formula of more than {_MAX_LENGTH} characters")
    try:
        body = ast.parse(formula.strip(), mode="eval").body
        _shallow(body)
        value = _value(body)
    except FormulaError:
        raise
    except (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError, MemoryError) as error:
        raise FormulaError(f"`{formula}` is not a formula for a number: {_reason(error)}") from None
    if isinstance(value, complex) or not math.isfinite(value):
        raise FormulaError(f"`{formula}` is not a finite number")
    return float(value)


def _reason(error: BaseException) -> str:
    for kind, reason in _REASONS.items():
        if isinstance(error, kind):
            return reason
    return error.msg if isinstance(error, SyntaxError) else "it is nested too deep"


def _shallow(body: ast.expr) -> None:
    """Raise FormulaError for an expression nested too deeply, whatever Python's current recursion limit."""
    level: list[ast.AST] = [body]
    for _ in range(_MAX_DEPTH):
        level = [inner for node in level for inner in ast.iter_child_nodes(node)]
        if not level:
            return
    raise FormulaError(f"is a formula nested more than {_MAX_DEPTH} deep")


def _value(node: ast.expr) -> Any:
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)  # floats overflow at once, but integers would grow without end
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inner = _value(node.operand)
        return -inner if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _BINARY[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.Name):
        if node.id in _CONSTANTS:
            return _CONSTANTS[node.id]
        choice = meant(node.id, [*_CONSTANTS, *_FUNCTIONS])
        raise FormulaError(f"`{node.id}` means nothing in a formula{choice}")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        if node.func.id not in _FUNCTIONS:
            raise FormulaError(f"there is no function `{node.func.id}`{meant(node.func.id, _FUNCTIONS)}")
        return _FUNCTIONS[node.func.id](*(_value(argument) for argument in node.args))
    raise FormulaError("a formula holds numbers, + - * / **, functions, pi and mm, nothing else")
