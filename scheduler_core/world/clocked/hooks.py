"""What the play around a clocked world is told of it, and says to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scheduler_core.kube.look import Looked
from scheduler_core.schedulers.clocked import AttemptingScheduler


def unwatched(looked: Looked, scheduler: AttemptingScheduler) -> None:
    """Look at no attempt."""


@dataclass
class Hooks:
    """Without a play around it, a world tells nobody.

    watch: is told of each attempt when it has decided and nothing has followed from it yet. next_decision:
    says the number of the decision that comes next. before_session: is told when a session is going to open,
    and nothing of it has happened yet. untold: is told when (nanoseconds) something happened that is no
    decision, such as a budget that is counted anew.
    """

    watch: Callable[[Looked, AttemptingScheduler], None] = unwatched
    next_decision: Callable[[], int] = lambda: 0
    before_session: Callable[[], None] = lambda: None
    untold: Callable[[int], None] = lambda instant: None
