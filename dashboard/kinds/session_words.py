"""What is said of sessions, in the shape in which REST gives it to the pages."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RefusalText:
    """Why a pod was passed over or turned away: `why` as the log has it, in one action or (empty) in any.

    words: in braces the fields of the decision. `takes_message`: the decision's message says it.
    """

    why: str
    action: str
    words: str
    takes_message: bool = False


@dataclass(frozen=True)
class OrderText:
    """What it means that `by` puts one queue, job or pod (`of`) before another."""

    of: str
    by: str
    means: str


@dataclass(frozen=True)
class SessionEvent:
    """An event about a pod; in braces `pod`, `namespace`, `node`, `action`, `message`."""

    type: str
    reason: str
    message: str


@dataclass(frozen=True)
class SessionTexts:
    """What is said of sessions; the events are of a pod that is bound, evicted, or told why it waits."""

    refusals: list[RefusalText]
    orders: list[OrderText]
    source: str
    object: str
    bound: SessionEvent
    evicted: SessionEvent
    waits: SessionEvent
