"""Keys that stand twice in an object: all but the last value would be lost without a word.

An API server refuses such an object in strict validation and warns otherwise. So do we: an import is told
of in its warnings, while an edit, whose author is at hand, is refused.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from scheduler_core.objects.checks.cluster_checks import object_name
from scheduler_core.objects.problems import BadInput, Problem, dotted
from scheduler_core.objects.reading.json_text import Path


@dataclass(frozen=True)
class RepeatedKey:
    """A key that stands twice: the Kubernetes object it is in, where in it, and the line (0: not known)."""

    document: Any
    path: Path
    line: int = 0

    def problem(self, consequence: str) -> Problem:
        """Return it as a problem; `consequence` says what follows, or is empty."""
        named = isinstance(self.document, dict) and self.document.get("kind")
        place = f" (line {self.line})" if self.line else ""
        return Problem(
            object_name(self.document) if named else "",
            dotted(self.path),
            f"the key stands twice{place}{consequence}",
        )


class RepeatedKeys(BadInput):
    """A text that can be read, and in which keys stand twice."""


def find_object(text: Any, path: Path, line: int = 0) -> RepeatedKey:
    """Return the repeated key at `path` of a text's value with the object that it is in, Lists opened."""
    document = text
    while len(path) > 1:
        inner: Any = document if isinstance(path[0], int) else None
        steps = 1
        if isinstance(document, dict) and path[0] == "items" and isinstance(path[1], int):
            inner, steps = document.get("items"), 2
        place = path[steps - 1]
        if not isinstance(inner, list) or not isinstance(place, int) or place >= len(inner):
            break
        document, path = inner[place], path[steps:]
    return RepeatedKey(document, path, line)


def refuse(repeated: Iterable[RepeatedKey]) -> None:
    """Raise RepeatedKeys with every key, if there is any."""
    problems = [key.problem("") for key in repeated]
    if problems:
        raise RepeatedKeys(problems)
