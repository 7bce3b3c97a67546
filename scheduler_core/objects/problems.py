"""What is wrong with an input, said so that its author can mend it."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import msgspec

_LONGEST_STEP = 100


class Problem(msgspec.Struct, frozen=True):
    """One fault. `object` names whose (`Pod shop/cart-0`, `edits[3]`), `field` where in it, `message` why.

    `field` is a path as Kubernetes writes it (`spec.containers[0].resources.requests.cpu`), or empty when
    the object as a whole is meant.
    """

    object: str
    field: str
    message: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.object, self.field, self.message) if part)


class BadInput(Exception):
    """The input is refused; `problems` holds every fault found, at least one."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(str(problem) for problem in problems[:5]))
        self.problems = problems


@contextmanager
def within(name: str) -> Iterator[None]:
    """Let problems that name no object be those of this one."""
    try:
        yield
    except BadInput as error:
        raise BadInput(
            [one if one.object else Problem(name, one.field, one.message) for one in error.problems]
        ) from error


def dotted(path: Iterable[str | int]) -> str:
    """Return a path of keys and places as Kubernetes writes it: `spec.containers[0].image`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{_shown(step)}" for step in path)
    return "".join(steps).removeprefix(".")


def _shown(key: str) -> str:
    """Return a key as the database can hold it and a line has room for it."""
    return key[:_LONGEST_STEP].replace("\0", "\N{REPLACEMENT CHARACTER}")
