"""From tokens to the tree of an expression; macros become nodes of their own.

Source: cel-spec doc/langdef.md "Syntax", "Macros"; cel-go ext.Bindings, cel.OptionalTypes.
"""

from __future__ import annotations

from collections.abc import Callable

from scheduler_core.cel.lexer import Token, tokens
from scheduler_core.cel.syntax import (
    Bind,
    Call,
    CompileError,
    Comprehension,
    Has,
    Index,
    ListOf,
    Literal,
    MapOf,
    Name,
    Node,
    Operation,
    Select,
)

MAX_DEPTH = 50
"""How deep brackets may lie in each other; cel-go allows 250."""
_MAX_INT64 = 2**63 - 1
_CONSTANTS = {"true": True, "false": False, "null": None}
_RELATIONS = ("<=", "<", ">=", ">", "==", "!=")
_RESERVED = {
    "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
    "package", "namespace", "return", "var", "void", "while",
}  # fmt: skip
_MACROS = {"all": (2,), "exists": (2,), "exists_one": (2,), "existsOne": (2,), "map": (2, 3), "filter": (2,)}


def parse(text: str) -> Node:
    """Return the tree of an expression. Raises CompileError."""
    parser = _Parser(tokens(text))
    tree = parser.conditional()
    parser.expect_end()
    return tree


class _Parser:
    def __init__(self, found: list[Token]) -> None:
        self._tokens = found
        self._place = 0
        self._depth = 0

    def expect_end(self) -> None:
        """Raise CompileError if something is left."""
        if self._next.kind != "end":
            raise CompileError(f"Syntax error: extraneous input {self._next.value!r}")

    def conditional(self) -> Node:
        """Parse `a ? b : c` and all that binds stronger."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise CompileError("expression recursion limit exceeded")
        tree = self._or()
        if self._take("?"):
            chosen = self._or()
            self._expect(":")
            tree = Operation("?:", (tree, chosen, self.conditional()))
        self._depth -= 1
        return tree

    def _or(self) -> Node:
        return self._chain("||", self._and)

    def _and(self) -> Node:
        return self._chain("&&", self._relation)

    def _chain(self, operator: str, operand: Callable[[], Node]) -> Node:
        operands = [operand()]
        while self._take(operator):
            operands.append(operand())
        return operands[0] if len(operands) == 1 else Operation(operator, tuple(operands))

    def _relation(self) -> Node:
        tree = self._sum()
        while (operator := self._take(*_RELATIONS)) or self._next == Token("name", "in"):
            if not operator:
                self._place += 1
            tree = Operation(operator or "in", (tree, self._sum()))
        return tree

    def _sum(self) -> Node:
        tree = self._product()
        while operator := self._take("+", "-"):
            tree = Operation(operator, (tree, self._product()))
        return tree

    def _product(self) -> Node:
        tree = self._unary()
        while operator := self._take("*", "/", "%"):
            tree = Operation(operator, (tree, self._unary()))
        return tree

    def _unary(self) -> Node:
        if self._next in (Token("operator", "!"), Token("operator", "-")):
            operator, count = self._next.value, 0
            while self._take(operator):
                count += 1
            tree = self._unary_operand(negative=operator == "-" and count % 2 == 1)
            return tree if count % 2 == 0 else self._negated(operator, tree)
        return self._unary_operand(negative=False)

    def _negated(self, operator: str, tree: Node) -> Node:
        if operator == "-" and isinstance(tree, Literal) and type(tree.value) in (int, float):
            return Literal(-tree.value)
        return Operation("neg" if operator == "-" else "!", (tree,))

    def _unary_operand(self, *, negative: bool) -> Node:
        tree = self._member()
        limit = _MAX_INT64 + (1 if negative else 0)
        if isinstance(tree, Literal) and type(tree.value) is int and tree.value > limit:
            raise CompileError("invalid int literal")
        return tree

    def _member(self) -> Node:
        tree = self._primary()
        while operator := self._take(".", ".?", "[", "[?"):
            if operator in ("[", "[?"):
                tree = Index(tree, self.conditional(), optional=operator == "[?")
                self._expect("]")
                continue
            field = self._identifier()
            if operator == "." and self._take("("):
                tree = self._method(tree, field, self._arguments(")"))
            else:
                tree = Select(tree, field, optional=operator == ".?")
        return tree

    def _method(self, target: Node, function: str, arguments: tuple[Node, ...]) -> Node:
        if len(arguments) in _MACROS.get(function, ()):
            return _comprehension(function, target, arguments)
        if function in ("optMap", "optFlatMap") and len(arguments) == 2:
            return Bind(_variable(arguments[0]), target, arguments[1], of_optional=function)
        if target == Name("cel") and function == "bind" and len(arguments) == 3:
            return Bind(_variable(arguments[0]), arguments[1], arguments[2])
        if isinstance(target, Name) and target.name in ("sets", "optional", "math", "lists"):
            return Call(f"{target.name}.{function}", None, arguments)
        return Call(function, target, arguments)

    def _primary(self) -> Node:
        token = self._next
        self._place += 1
        match token:
            case Token("literal", value):
                return Literal(value)
            case Token("name", name) if name in _CONSTANTS:
                return Literal(_CONSTANTS[name])
            case Token("name", name) if name not in _RESERVED:
                return self._named(name)
            case Token("operator", "("):
                tree = self.conditional()
                self._expect(")")
                return tree
            case Token("operator", "["):
                return ListOf(self._arguments("]"))
            case Token("operator", "{"):
                return self._map()
        found = "<EOF>" if token.kind == "end" else token.value
        raise CompileError(f"Syntax error: mismatched input {found!r}")

    def _named(self, name: str) -> Node:
        if not self._take("("):
            return Name(name)
        arguments = self._arguments(")")
        if name == "has" and len(arguments) == 1:
            return _presence(arguments[0])
        return Call(name, None, arguments)

    def _map(self) -> Node:
        entries: list[tuple[Node, Node]] = []
        while not self._take("}"):
            key = self.conditional()
            self._expect(":")
            entries.append((key, self.conditional()))
            if not self._take(","):
                self._expect("}")
                break
        return MapOf(tuple(entries))

    def _arguments(self, end: str) -> tuple[Node, ...]:
        found: list[Node] = []
        while not self._take(end):
            found.append(self.conditional())
            if not self._take(","):
                self._expect(end)
                break
        return tuple(found)

    # -- tokens ----------------------------------------------------------------------------------------

    @property
    def _next(self) -> Token:
        return self._tokens[min(self._place, len(self._tokens) - 1)]

    def _take(self, *operators: str) -> str:
        """Take the next token if it is one of these operators; "" if it is not."""
        token = self._next
        if token.kind != "operator" or token.value not in operators:
            return ""
        self._place += 1
        return str(token.value)

    def _expect(self, operator: str) -> None:
        if not self._take(operator):
            raise CompileError(f"Syntax error: missing {operator!r} at {self._next.value!r}")

    def _identifier(self) -> str:
        token = self._next
        if token.kind != "name":
            raise CompileError(f"Syntax error: no viable alternative at input {token.value!r}")
        self._place += 1
        return str(token.value)


def _comprehension(macro: str, source: Node, arguments: tuple[Node, ...]) -> Node:
    variable = _variable(arguments[0])
    if len(arguments) == 3:
        return Comprehension(macro, source, variable, arguments[2], arguments[1])
    return Comprehension("exists_one" if macro == "existsOne" else macro, source, variable, arguments[1])


def _variable(argument: Node) -> str:
    if not isinstance(argument, Name):
        raise CompileError("argument must be a simple name")
    return argument.name


def _presence(argument: Node) -> Node:
    if not isinstance(argument, Select) or argument.optional:
        raise CompileError("invalid argument to has() macro")
    return Has(argument.operand, argument.field)
