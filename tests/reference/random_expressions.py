"""Random expressions of a pipeline, each with its type and what it makes of a row by the language reference alone.

Evaluation is left to right and the first error is the error. What an untaken branch, a short-circuited side or a
`try` hides is no error. Ints have 64 bits and overflow is an error; decimals are exact, and rounded half-even only by
`round`.
"""

import operator
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Callable, NamedTuple

INT_LIMIT = 2**63
OVERFLOW, DIVISION_BY_ZERO = "E5006", "E5007"
WIDEST_DECIMAL = 30  # digits of a computed decimal: what any aggregate of it needs stays below 38


class RecordError(Exception):
    """Makes a record, or a window's row, leave its branch. `stage` is set by the step in which it happens."""

    def __init__(self, code):
        super().__init__(code)
        self.code, self.stage = code, ""


class Type(NamedTuple):
    kind: str
    optional: bool = False
    precision: int = 0
    scale: int = 0

    def text(self):
        kinds = {"time": 'timestamp("unix_ms")', "list": "list<int>", "map": "map<string, int>",
                 "decimal": f"decimal({self.precision}, {self.scale})"}
        return kinds.get(self.kind, self.kind) + "?" * self.optional


def decimal_type(precision, scale, optional=False):
    return Type("decimal", optional, precision, scale)


INT, STRING, BOOL, TIME = Type("int"), Type("string"), Type("bool"), Type("time")


class Expression(NamedTuple):
    text: str
    type: Type
    value: Callable  # of a row; raises RecordError


def both(text, kind, left, right, combine):
    return Expression(text, kind, lambda row: combine(left.value(row), right.value(row)))


def int_range(value):
    if not -INT_LIMIT <= value < INT_LIMIT:
        raise RecordError(OVERFLOW)
    return value


def quotient(dividend, divisor):
    """Truncated, so that a remainder has the sign of the dividend."""
    if divisor == 0:
        raise RecordError(DIVISION_BY_ZERO)
    whole = abs(dividend) // abs(divisor)
    return whole if (dividend < 0) == (divisor < 0) else -whole


def without_error(expression, row, otherwise):
    try:
        return expression.value(row)
    except RecordError:
        return otherwise


ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul}
COMPARISONS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
               ">=": operator.ge}


class Expressions:
    """Random expressions over the fields of a row."""

    def __init__(self, rng):
        self.rng = rng

    def field(self, fields, kind, otherwise, text):
        """A field of the kind, an optional one with `?? otherwise`; None if there is none."""
        plain = [name for name, known in fields.items() if known.kind == kind and not known.optional]
        optional = [name for name, known in fields.items() if known.kind == kind and known.optional]
        if optional and (not plain or self.rng.random() < 0.3):
            name = self.rng.choice(optional)
            return Expression(f"({name} ?? {text})", fields[name]._replace(optional=False),
                              lambda row: otherwise if row[name] is None else row[name])
        if plain:
            name = self.rng.choice(plain)
            return Expression(name, fields[name], lambda row: row[name])
        return None

    def integer(self, fields, depth=2):
        rng = self.rng
        form = rng.randrange(13)
        if depth == 0 or form < 3:
            otherwise = rng.randrange(-3, 4)
            found = self.field(fields, "int", otherwise, otherwise) if rng.random() < 0.8 else None
            number = rng.choice([0, 1, 2, 3, 7, 10, 100, -1, -3, INT_LIMIT - 1, 10**9 + 7, rng.randrange(-50, 50)])
            return found or Expression(f"({number})", INT, lambda row: number)
        a, b, c = (self.integer(fields, depth - 1) for _ in range(3))
        number = rng.randrange(-3, 9)
        if form < 7:
            sign = rng.choice("+-*")
            return both(f"({a.text} {sign} {b.text})", INT, a, b, lambda x, y: int_range(ARITHMETIC[sign](x, y)))
        if form == 7:
            return both(f"div({a.text}, {b.text})", INT, a, b, lambda x, y: int_range(quotient(x, y)))
        if form == 8:
            return both(f"({a.text} % {b.text})", INT, a, b, lambda x, y: x - y * quotient(x, y))
        if form == 9:
            test = self.boolean(fields, depth - 1)
            return Expression(f"(if {test.text} then {a.text} else {b.text})", INT,
                              lambda row: a.value(row) if test.value(row) else b.value(row))
        if form == 10:
            string = self.string(fields, depth - 1)
            return Expression(f"length({string.text})", INT, lambda row: len(string.value(row)))
        if form == 11:
            return Expression(f"((try {a.text}) ?? {number})", INT, lambda row: without_error(a, row, number))
        return Expression(f"(match {a.text} {{ {number} | {number + 1} => {b.text}, _ => {c.text} }})", INT,
                          lambda row: b.value(row) if a.value(row) in (number, number + 1) else c.value(row))

    def boolean(self, fields, depth=2):
        rng = self.rng
        form = rng.randrange(8)
        if form < 4 or depth == 0:
            a, b = (self.integer(fields, max(0, depth - 1)) for _ in range(2))
            sign = rng.choice(list(COMPARISONS))
            return both(f"({a.text} {sign} {b.text})", BOOL, a, b, COMPARISONS[sign])
        a, b = (self.boolean(fields, depth - 1) for _ in range(2))
        if form == 4:
            return Expression(f"({a.text} and {b.text})", BOOL, lambda row: a.value(row) and b.value(row))
        if form == 5:
            return Expression(f"({a.text} or {b.text})", BOOL, lambda row: a.value(row) or b.value(row))
        optional = [name for name, kind in fields.items() if kind.optional]
        if form == 6 or not optional:
            return Expression(f"(not {a.text})", BOOL, lambda row: not a.value(row))
        name, absent = rng.choice(optional), rng.random() < 0.5
        return Expression(f"({name} is {'' if absent else 'not '}null)", BOOL,
                          lambda row: (row[name] is None) == absent)

    def string(self, fields, depth=1):
        form = self.rng.randrange(6) if depth > 0 else None
        if form == 0:
            a, b = self.string(fields, depth - 1), self.integer(fields, depth - 1)
            return both(f'"<${{{a.text}}}|${{{b.text}}}>"', STRING, a, b, "<{}|{}>".format)
        if form == 1:
            a = self.string(fields, depth - 1)
            return Expression(f"upper({a.text})", STRING, lambda row: a.value(row).upper())
        return self.field(fields, "string", "zz", '"zz"') or Expression('"q"', STRING, lambda row: "q")

    def decimal(self, fields, depth=2):
        """Some decimals added, subtracted, multiplied; may be rounded to fewer digits."""
        rng = self.rng
        narrow = {name: kind for name, kind in fields.items() if kind.precision <= 14 and 1 <= kind.scale <= 3}

        def leaf():
            found = self.field(narrow, "decimal", Decimal("0.5"), "0.5") if rng.random() < 0.8 else None
            text, kind = rng.choice([("0.01", (2, 2)), ("1.5", (2, 1)), ("-2.25", (3, 2)), ("100.0", (4, 1))])
            return found or Expression(f"({text})", decimal_type(*kind), lambda row: Decimal(text))

        a = leaf()
        for _ in range(rng.randrange(depth + 1)):
            b, sign = leaf(), rng.choice("+-*")
            (p1, s1), (p2, s2) = a.type[2:], b.type[2:]
            scale = s1 + s2 if sign == "*" else max(s1, s2)
            precision = p1 + p2 if sign == "*" else max(p1 - s1, p2 - s2) + scale + 1
            if precision <= WIDEST_DECIMAL:
                a = both(f"({a.text} {sign} {b.text})", decimal_type(precision, scale), a, b, ARITHMETIC[sign])
        if a.type.scale > 1 and rng.random() < 0.3:
            digits = rng.randrange(a.type.scale)
            step, exact = Decimal(1).scaleb(-digits), a.value
            return Expression(f"round({a.text}, {digits})",
                              decimal_type(a.type.precision - a.type.scale + digits + 1, digits),
                              lambda row: exact(row).quantize(step, rounding=ROUND_HALF_EVEN))
        return a
