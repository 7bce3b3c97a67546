"""A kind of scheduler: all that the rest of the engine asks of one before and around a run.

Each kind is an instance `KIND` of a subclass of `SchedulerKind`, in the module `kind` of the scheduler's own
package (`kube/kind.py` is the one that every cluster has). `registry.py` finds them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from scheduler_core.events.decisions import Decision
from scheduler_core.events.explanation import WebhookReview
from scheduler_core.objects.api_server.admission import Reviewed
from scheduler_core.objects.kinds import Kind
from scheduler_core.objects.types import Pod
from scheduler_core.schedulers.actor import ApiServer
from scheduler_core.schedulers.card_edits import CardEdits
from scheduler_core.schedulers.clocked import ClockedScheduler
from scheduler_core.schedulers.object_admission import ObjectAdmission
from scheduler_core.schedulers.of_imports import OfImports
from scheduler_core.schedulers.run_parts import Clock, OwnObjects, Part, RunControllers, RunPods
from scheduler_core.schedulers.unclocked import Scheduler
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.pods import DEFAULT_ACCOUNTING, Accounting

Object = dict[str, Any]
Config = Mapping[str, Any] | None
"""A configuration as a scenario has it; None for the scheduler's defaults."""


def nominated_in_status(pod: Pod) -> str:
    """Return the node that the pod's status nominates, or the empty string."""
    return pod.status.nominated_node_name or ""


@dataclass(frozen=True)
class Version:
    """A version of a scheduler: what a scenario calls a profile.

    drivers: those it can be played with, the default one first. build: what a configuration comes to; raises
    BadInput where it is wrong. nomination_of: where a snapshot nominates a pod. accounting: what pods count
    for. unread_kinds: objects that this version does not look at. release: of one before the scheduling
    framework, else empty. plays_claims: pods get devices for their ResourceClaims. class_resources: a
    DeviceClass may stand behind an extended resource.
    """

    drivers: tuple[str, ...]
    build: Callable[[Config], Any]
    nomination_of: Callable[[Pod], str] = nominated_in_status
    accounting: Accounting = DEFAULT_ACCOUNTING
    unread_kinds: tuple[Kind, ...] = ()
    release: str = ""
    plays_claims: bool = False
    class_resources: bool = True

    @property
    def reads_all(self) -> bool:
        """Whether it reads every object as it is, and its pods count as they do for the newest."""
        return True

    @property
    def feature_gates(self) -> Mapping[str, bool]:
        """The feature gates that a configuration can set, with their defaults."""
        return {}

    def plays_groups(self, config: Config) -> bool:
        """Return whether a configuration turns pod groups on, which are played without a clock only."""
        return False

    @property
    def played_gates(self) -> Collection[str]:
        """Those of them that are played on and off."""
        return ()

    def read(self, objects: Iterable[Object]) -> tuple[list[Object], list[str]]:
        """Return the objects as this version knows them, and whole phrases about what it does not know."""
        return list(objects), []

    def not_modelled(self, objects: Sequence[Object]) -> list[str]:
        """Return whole phrases about what of these objects this version is not modelled for."""
        return []

    def has_pod_priority(self, built: Any) -> bool:
        """Return whether the queue and preemption know priorities."""
        return True


class Reviews(Protocol):
    """What an admission webhook was asked of pods, and answered."""

    def of(self, uid: str) -> WebhookReview | None:
        """Return the review of a pod, None where the webhook had nothing to do with it."""


class PodWebhook(Protocol):
    """A webhook that an API server asks about each new pod."""

    @property
    def reviews(self) -> Reviews:
        """What it was asked and answered so far."""

    def __call__(self, pod: Object) -> Reviewed:
        """Return what the webhook makes of a pod."""

    def over(self) -> PodWebhook:
        """Return one that answers the same and remembers by itself what it is asked from here."""


@dataclass(frozen=True)
class Made:
    """A scheduler of a run: its kind and version, and what its configuration came to."""

    kind: SchedulerKind
    version: Version
    config: Config
    built: Any

    @property
    def serves(self) -> list[str]:
        """The `schedulerName`s whose pods it decides about."""
        return self.kind.serves(self.built)


@dataclass(frozen=True)
class Play:
    """What a run's schedulers are made from.

    profile: of the scheduler that the run is about; version: the same. pending: rows of pods without a node.
    objects: of the start; later: those that come at an instant. epoch: nanoseconds since 1970. documents:
    every pod as an object, by uid. exchanges: kube/extenders/exchanges.py. keeping: kube/equivalence/.
    by_priority: a queue is in the order of priorities. parts: those of the run, by the kind's name.
    """

    profile: str
    version: Version
    made: Mapping[str, Made]
    state: ClusterState
    pending: Sequence[int]
    objects: Sequence[Object]
    later: Sequence[Object]
    epoch: int
    documents: Any
    exchanges: Any
    keeping: Any
    by_priority: bool
    attempt_limit: int
    seed: int | None
    parts: dict[str, Part] = field(default_factory=dict)


class SchedulerKind(OfImports, ABC):
    """One kind. What few of them need is there by default.

    name: in scenarios and REST; title: in sentences. actor: what the log calls the scheduler that a run is
    about. versions: by profile, the newest first. own_kinds: kinds of objects that the scheduler brings and
    reads. pod_makers: those of them whose controllers make pods in a run. unique: a cluster has one at most.
    in_sessions: it decides in sessions. moves_pods: its webhook may give pods another scheduler.
    inner_field: the field of its configuration that holds a KubeSchedulerConfiguration, and own_extender the
    urlPrefix of the one in it that a run answers itself; empty for none. tables: the rows of those that the
    log has of it, by name; one that ends with / begins those of each actor. reserved: names that no other
    scheduler's actor may have.
    """

    name: str
    title: str
    actor: str
    versions: Mapping[str, Version]
    pod_makers: frozenset[Kind] = frozenset()
    unique: bool = False
    in_sessions: bool = False
    moves_pods: bool = False
    inner_field: str = ""
    own_extender: str = ""
    tables: Mapping[str, type] = {}
    reserved: tuple[str, ...] = ()
    object_admission: ObjectAdmission | None = None
    card_edits: CardEdits | None = None

    @property
    def default(self) -> str:
        """The profile that is played where none is named."""
        return next(iter(self.versions))

    @property
    def beside_others(self) -> str:
        """The profile that is played beside schedulers of other kinds where none is named."""
        return self.default

    # -- before a run --------------------------------------------------------------------------------

    def pods_wanted(self, document: dict[str, Any]) -> int:
        """Return how many pods one of its `pod_makers` asks for."""
        return 0

    def pods_of(self, document: dict[str, Any]) -> Iterable[Object]:
        """Return the pods that one of its `pod_makers` asks for, as far as quotas need them."""
        return ()

    def gang_of(self, document: dict[str, Any]) -> int:
        """Return how many pods of one of its `pod_makers` are placed together, or none is."""
        return self.pods_wanted(document)

    def pods_not_made(self, decision: Decision) -> tuple[str, list[str]] | None:
        """Return of which of its `pod_makers` the API server refuses pods, and why; None if of none."""
        return None

    def serves(self, built: Any) -> list[str]:
        """Return the `schedulerName`s whose pods a scheduler decides about, given what it is built as."""
        return list(built)

    def job_name(self, group: str) -> str:
        """Return how the job of a pod group is called for readers, with or without its namespace."""
        return group

    @abstractmethod
    def names_in(self, config: Config) -> list[str]:
        """Return the `schedulerName`s of a configuration, at least one; it may be wrong in any way."""

    def pod_fields(self, pod: Pod) -> dict[str, Any]:
        """Return what the log's row of a pod has besides, for pods that have to do with this kind."""
        return {}

    def webhook(self, config: Config, objects: Iterable[Object]) -> PodWebhook | None:
        """Return what an API server asks about new pods, over the objects of a cluster. Raises BadInput."""
        return None

    def registration(self, node: Object, name: str) -> dict[str, str]:
        """Return the annotations by which a new node like this one registers devices of its own, healthy."""
        return {}

    # -- the actors of a run -------------------------------------------------------------------------

    def part(self, play: Play, clock: Clock) -> Part | None:
        """Return what of it takes part in a run without deciding; asked before the actors are made."""
        return None

    @abstractmethod
    def make(self, play: Play, name: str, made: Made, api: ApiServer) -> Scheduler:
        """Return the scheduler of a run without a clock."""

    def make_clocked(self, play: Play, name: str, made: Made, api: Any) -> ClockedScheduler:
        """Return the scheduler of a run whose clock moves; `api` is for those that work in sessions."""
        raise NotImplementedError(f"{self.name} has no driver with a clock")

    def own_objects(self, scheduler: ClockedScheduler) -> Mapping[Kind, OwnObjects]:
        """Return where objects of its kinds go, where a clock moves and its controllers do not act."""
        return {}

    def controllers(self, play: Play, scheduler: Any, pods: RunPods) -> RunControllers | None:
        """Return the scheduler's own controllers, None where it has none."""
        return None
