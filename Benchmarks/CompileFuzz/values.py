"""The types of values and failures that travel along a generated chain, and expressions of them."""

INT, STRING, BOOL, DOUBLE, USER = "Int", "String", "Bool", "Double", "User"
NEVER, FAULT, ANY = "Never", "Fault", "any Error"
FAILURES = (NEVER, FAULT, ANY)

LITERALS = {INT: "4", STRING: '"b"', BOOL: "true", DOUBLE: "1.5", USER: 'User(id: 1, name: "n", boss: nil)'}


def array(element):
    return ("array", element)


def optional(wrapped):
    return ("optional", wrapped)


def tuple_of(*members):
    return ("tuple", *members)


def is_array(kind):
    return kind[0] == "array"


def is_optional(kind):
    return kind[0] == "optional"


def is_tuple(kind):
    return kind[0] == "tuple"


def depth(kind):
    """How deep types are nested in it."""
    return 0 if isinstance(kind, str) else 1 + max(depth(member) for member in kind[1:])


def text(kind):
    """The type as Swift spells it."""
    if isinstance(kind, str): return kind
    if is_array(kind): return f"[{text(kind[1])}]"
    if is_optional(kind): return f"{text(kind[1])}?"
    return "(" + ", ".join(text(member) for member in kind[1:]) + ")"


def literal(kind):
    """A value of the type."""
    if isinstance(kind, str): return LITERALS[kind]
    if is_array(kind): return f"[{literal(kind[1])}]"
    if is_optional(kind): return "nil"
    return "(" + ", ".join(literal(member) for member in kind[1:]) + ")"


def is_equatable(kind):
    return isinstance(kind, str) or not is_tuple(kind) and is_equatable(kind[1])


def is_comparable(kind):
    return kind in (INT, STRING, DOUBLE)


def is_encodable(kind):
    return kind in (INT, STRING, BOOL, DOUBLE) or (is_array(kind) or is_optional(kind)) and is_encodable(kind[1])


def metatype(failure):
    return "(any Error).self" if failure == ANY else f"{failure}.self"


def publishers(kind, failure):
    """Publishers of that output and failure as they stand in an argument: subjects at hand, and publishers made on the spot."""
    found = [f"Empty<{text(kind)}, {failure}>()"]
    at_hand = {
        (INT, NEVER): ["numbers", "counter"], (STRING, NEVER): ["words"], (USER, NEVER): ["users"],
        (INT, FAULT): ["readings"], (USER, FAULT): ["accounts"], (INT, ANY): ["answers"], (BOOL, NEVER): ["switches"]}
    found += at_hand.get((kind, failure), []) * 3
    if isinstance(kind, str):
        if failure == NEVER:
            found += [f"Just({literal(kind)})", f"[{literal(kind)}, {literal(kind)}].publisher"]
        else:
            found += [f"Just({literal(kind)}).setFailureType(to: {metatype(failure)})", f"Fail<{text(kind)}, {failure}>(error: Fault())"]
    return found
