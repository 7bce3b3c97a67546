"""Where answers come from: whoever puts a question to an outside extender.

The engine says what is asked and to whom; the body of a request is made only where one is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from scheduler_core.events.exchanges import Verb
from scheduler_core.go.quote import quote
from scheduler_core.kube.extenders.extender import ExtenderError, Victims
from scheduler_core.kube.extenders.settings import ExtenderSettings
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.pods import PodInfo


class Question(NamedTuple):
    """What an extender is asked about a pod, and of which nodes; `candidates` are those of a preemption."""

    extender: ExtenderSettings
    verb: Verb
    url: str
    state: ClusterState
    pod: PodInfo
    nodes: Sequence[str]
    candidates: Mapping[str, Victims] = {}


class Reply(NamedTuple):
    """What came back over HTTP."""

    status: int
    body: bytes


class Source(Protocol):
    """Puts questions to outside extenders."""

    def ask(self, question: Question, body: Callable[[], bytes]) -> Reply:
        """Return the reply. Raises ExtenderError, made by `no_reply`, where none comes.

        `body` gives what is to be sent.
        """


class NobodyToAsk(LookupError):
    """A question has no stored answer, and whoever plays the run may not ask."""


class NoSource:
    """Asks nobody."""

    def ask(self, question: Question, body: Callable[[], bytes]) -> Reply:
        """Raise NobodyToAsk."""
        raise NobodyToAsk(f"{question.url}: no answer is stored for this question")


def no_reply(url: str, why: str) -> ExtenderError:
    """Return how Go's HTTP client says that no reply came."""
    return ExtenderError(f"Post {quote(url)}: {why}")


EOF, TIMEOUT = "EOF", "context deadline exceeded (Client.Timeout exceeded while awaiting headers)"
"""The connection ended without a reply; none came in time."""
