"""A scheduler as an actor of a run without a clock. What few schedulers need is there by default."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from scheduler_core.events.changes import Change
from scheduler_core.events.decisions import Decision
from scheduler_core.events.devices_tried import DevicesTried
from scheduler_core.events.session_explanation import Compared, OrderInFull
from scheduler_core.events.state import ActorRow
from scheduler_core.schedulers.actor import Stamp
from scheduler_core.schedulers.cause import Answered, Cause
from scheduler_core.schedulers.decision_explanation import Watch
from scheduler_core.state.nodes import BoolArray
from scheduler_core.state.ordered_lists import OrderedLists

Object = dict[str, Any]
Annotated = Mapping[int, Mapping[str, str | None]]
"""Annotations of pods, by row; null: taken away."""


@dataclass(frozen=True)
class Basis:
    """What the trust line says of a scheduler, as whole phrases.

    unplayed: what of its configuration and its objects is left out and could matter; without_effect: and
    could not. not_modelled: what else it does in reality. ignored: fields that it passes over. faults: what
    is wrong with objects that it reads. missing: what the import lacks, with the `remedies`. sampled: it
    looks at a part of the nodes. release: the release of Kubernetes whose kube-scheduler it is, else empty.
    """

    unplayed: Sequence[str] = ()
    without_effect: Sequence[str] = ()
    not_modelled: Sequence[str] = ()
    ignored: Sequence[str] = ()
    faults: Sequence[str] = ()
    missing: Sequence[str] = ()
    remedies: Sequence[str] = ()
    sampled: bool = False
    release: str = ""


@dataclass(frozen=True)
class PodsHeard:
    """Pods, by row, that controllers have made and deleted; `freed`: one of these had a node."""

    made: Sequence[int] = field(default=())
    deleted: Sequence[int] = field(default=())
    freed: bool = False


class Moving(Protocol):
    """Pods that have left their nodes, and what their scheduler says of each, one after the other."""

    def fits(self, pod: int) -> BoolArray:
        """Return on which nodes the pod fits with nobody evicted, shape (nodes,)."""

    def put(self, pod: int, node: int) -> bool:
        """Let a pod have a node from now on; False where that fails."""


class Described(ABC):
    """What the log and the trust line say of a scheduler, with or without a clock."""

    name: str
    has_sessions: ClassVar[bool] = False
    """Whether it works in sessions, which can't be written down in their middle."""
    moves_together: ClassVar[bool] = False
    """Whether it tells by `moving` where pods may go."""
    plays_groups: ClassVar[bool] = False
    """Whether it tries the pods of a PodGroup of scheduling.k8s.io together."""

    @abstractmethod
    def row(self) -> ActorRow:
        """Return what the log says of this scheduler."""

    def lists(self) -> list[OrderedLists[Any]]:
        """Return the lists that the log shows of this scheduler."""
        return []

    def tables(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return the tables that the log shows of this scheduler."""
        return {}

    def annotated(self) -> Annotated:
        """Return the annotations that binds have given to pods and that the state leaves out, by row."""
        return {}

    def basis(
        self, objects: Sequence[Object], everything: Sequence[Object], nodes: int, *, controlled: bool
    ) -> Basis:
        """Return what answers about these objects rest on, so many nodes among them.

        `everything`: also those that come at an instant. `controlled`: a scheduler's own controllers act.
        """
        return Basis()

    @property
    def in_session(self) -> bool:
        """Whether a session is open, so that nobody else acts."""
        return False

    def order_of(self, of: Compared, first: str, second: str) -> OrderInFull:
        """Return why one comes before the other in the session that is open.

        Raises LookupError where none is, and KeyError for one that takes no part in it.
        """
        raise LookupError("no session is open")

    def why(self, pod: int) -> Answered:
        """Return why a pod (a row) that asks for this scheduler has no node, and change nothing.

        Raises LookupError while a session is open.
        """
        return Answered(Cause("untried", reason=f"{self.name} gives no reasons"))

    def devices_on(self, pod: int, node: int) -> DevicesTried | None:
        """Return what comes of each device of a node for a pod's claims (rows), and change nothing.

        None where it gives no devices.
        """
        return None

    def whys(self, pods: Iterable[int]) -> Iterator[Answered]:
        """Yield the same of each of several pods, one after the other. Raises LookupError as `why` does."""
        return map(self.why, pods)

    def whys_of_jobs(self, jobs: Collection[str]) -> Iterator[tuple[str, Answered]]:
        """Yield why jobs, named as their pod groups (`namespace/name`), wait: those that it knows.

        They need not have pods. Raises LookupError as `why` does.
        """
        return iter(())

    def jobs_kept_out(self) -> list[str]:
        """Return the jobs, named as their pod groups, that may not enter their queue as yet: without pods."""
        return []

    def why_in_session(self, asked: int | str, steps: int) -> Answered:
        """Return why a pod (a row) or a job waits so many steps into the session that has just opened.

        The session stays where it is. A job is named as its pod group, `namespace/name`. Raises LookupError
        unless a session has just opened, KeyError for a job that takes no part in it.
        """
        raise LookupError("no session has just opened")

    def moving(self, pods: Collection[int]) -> Moving | None:
        """Return where pods (rows) of this scheduler may go that have left their nodes, and change nothing.

        None where it decides pod by pod, so that a copy of each can be asked about. Raises LookupError while
        a session is open.
        """
        return None

    def shares(self) -> Mapping[str, Any]:
        """Return the rows of queues with the figures that a session now would begin with, and change nothing.

        By the queue's name, as the log has them; empty for a scheduler without such queues. Raises
        LookupError while a session is open.
        """
        return {}

    @abstractmethod
    def dump(self) -> dict[str, Any]:
        """Return as plain data what the scheduler remembers; no session is open."""

    @abstractmethod
    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""


class Scheduler(Described):
    """Decides about the pods that ask for it, one decision at a time. Pods are named by row."""

    # -- decisions -----------------------------------------------------------------------------------

    @abstractmethod
    def look(self) -> Any | None:
        """Decide what to do next and change nothing; None where there is nothing to do."""

    @abstractmethod
    def apply(self, look: Any) -> None:
        """Carry out what was decided."""

    @abstractmethod
    def tell(self, look: Any, stamp: Stamp, changes: list[Change]) -> Decision:
        """Return the decision for the log, after it was carried out."""

    def opens(self, look: Any) -> bool:
        """Return whether a decision begins a session, where none is open."""
        return self.has_sessions

    def in_full(self, look: Any) -> Any:
        """Return a decision with all that was found out, where a part of it came of kept answers."""
        return look

    def explained(self, look: Any, act: Callable[[Any], Decision], watch: Watch) -> Decision:
        """Let `act` carry a decision out, and return it; `watch` sees what there is to explain it by."""
        return act(look)

    @abstractmethod
    def has_work(self) -> bool:
        """Return whether there is a decision to take."""

    @property
    def limit_reached(self) -> bool:
        """Whether the scheduler stopped because it had done as much as a run allows."""
        return False

    # -- pods ----------------------------------------------------------------------------------------

    @abstractmethod
    def is_ours(self, pod: int) -> bool:
        """Return whether the pod asks for this scheduler."""

    def admit(self, nominated: Sequence[int], schedule: Sequence[int]) -> None:
        """Let the pods of `schedule` enter, in order; all that are `nominated` are without a node."""

    def notice(self) -> None:
        """Hear that another actor has changed something in the cluster."""

    def notice_pod(self, pod: int) -> None:
        """Hear of a pod that came into being."""

    def hear_of_pods(self, pods: PodsHeard) -> None:
        """Hear which pods controllers have made and deleted."""

    def has_waiting(self) -> bool:
        """Return whether a pod waits that is tried again once others leave."""
        return False

    def retry_waiting(self) -> None:
        """Try the pods again that wait: others have left."""
