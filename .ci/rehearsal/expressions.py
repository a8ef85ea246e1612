"""Evaluates the expressions of a workflow, as far as this project's own use them."""

import re

TOKEN = re.compile(r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<sign>&&|\|\||==|!=|!|\(|\))|(?P<name>[A-Za-z_][\w.-]*))")


def evaluate(text, contexts, status):
    """The value of an expression; `status` is that of the job's needs or steps: success, failure or skipped."""
    tokens, at = [], 0
    while text[at:].strip():
        match = TOKEN.match(text, at)
        assert match, f"not an expression: {text}"
        tokens.append((match.lastgroup, match[match.lastgroup]))
        at = match.end()
    value, rest = either(tokens, contexts, status)
    assert not rest, f"not an expression: {text}"
    return value


def either(tokens, *world):
    value, tokens = both(tokens, *world)
    while tokens and tokens[0][1] == "||":
        other, tokens = both(tokens[1:], *world)
        value = value or other
    return value, tokens


def both(tokens, *world):
    value, tokens = comparison(tokens, *world)
    while tokens and tokens[0][1] == "&&":
        other, tokens = comparison(tokens[1:], *world)
        value = value and other
    return value, tokens


def comparison(tokens, *world):
    value, tokens = single(tokens, *world)
    if tokens and tokens[0][1] in ("==", "!="):
        sign = tokens[0][1]
        other, tokens = single(tokens[1:], *world)
        value = (value == other) == (sign == "==")
    return value, tokens


def single(tokens, contexts, status):
    (kind, text), rest = tokens[0], tokens[1:]
    if text == "!":
        value, rest = single(rest, contexts, status)
        return not value, rest
    if text == "(":
        value, rest = either(rest, contexts, status)
        return value, rest[1:]
    if kind == "text":
        return text[1:-1].replace("''", "'"), rest
    if rest and rest[0][1] == "(":
        functions = {"always": True, "cancelled": False, "success": status == "success", "failure": status == "failure"}
        return functions[text], rest[2:]
    value = contexts
    for name in text.split("."):
        # What is not set is empty; a name that no context can have is a mistake.
        assert value is not contexts or name in contexts, f"no such context: {text}"
        value = value.get(name, "") if isinstance(value, dict) else ""
    return value, rest


def expand(value, contexts, status="success"):
    """A text with the values of its expressions; a mapping or a list with those of its texts."""
    if isinstance(value, dict):
        return {key: expand(item, contexts, status) for key, item in value.items()}
    if isinstance(value, list):
        return [expand(item, contexts, status) for item in value]
    if not isinstance(value, str):
        return value
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: shown(evaluate(found[1], contexts, status)), value)


def shown(value):
    return {True: "true", False: "false"}.get(value, value) if isinstance(value, bool) else str(value)


def is_true(condition, contexts, status):
    """Whether a job or a step runs. Without a word on the status it runs after success alone."""
    if condition is None:
        return status == "success"
    text = str(condition).strip().removeprefix("${{").removesuffix("}}")
    value = evaluate(text, contexts, status)
    asks = re.search(r"\b(always|cancelled|success|failure)\(\)", text)
    return bool(value) and (bool(asks) or status == "success")
