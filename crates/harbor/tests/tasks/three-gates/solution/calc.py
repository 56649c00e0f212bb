"""Works out sums of whole numbers."""

import re


def value(text):
    """The number that a text comes to."""
    tokens = re.findall(r"\d+|[-+()]", text)
    if "".join(tokens) != re.sub(r"\s", "", text):
        raise ValueError(text)
    result, rest = _sum(tokens)
    if rest:
        raise ValueError(text)
    return result


def _sum(tokens):
    total, tokens = _term(tokens)
    while tokens and tokens[0] in "+-":
        sign = 1 if tokens[0] == "+" else -1
        term, tokens = _term(tokens[1:])
        total += sign * term
    return total, tokens


def _term(tokens):
    match tokens:
        case ["(", *rest]:
            total, rest = _sum(rest)
            if rest[:1] != [")"]:
                raise ValueError("a bracket is open")
            return total, rest[1:]
        case ["-", *rest]:
            total, rest = _term(rest)
            return -total, rest
        case [number, *rest] if number.isdigit():
            return int(number), rest
    raise ValueError("a number is missing")
