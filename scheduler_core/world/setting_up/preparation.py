"""From a RunInput to the objects that a run starts from: admission, edits, and who enters the queue.

Source: docs/semantics.md "Which pods, in which order" and "Admission".
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from scheduler_core.objects.api_server.admission import Webhook, admit_imported
from scheduler_core.objects.identity import name_of, namespace_of, spec_of, uid_of
from scheduler_core.objects.imports.pods_with_devices import ASKING, Devices
from scheduler_core.objects.kinds import NODE, POD, kind_of
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.schedulers.kind import PodWebhook, Reviews
from scheduler_core.schedulers.registry import kinds
from scheduler_core.world.beginning import epoch_of, newest_start, past_creations
from scheduler_core.world.edits import Applied, EditResult, EvictionRequest, apply_edits
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.setting_up.companions import configurations_of, versions_in
from scheduler_core.world.timeline_entry import Entry

Object = dict[str, Any]
PLAYED_BY = ", which only kube-scheduler 1.35 and 1.36 are played with"


Read = Callable[[Iterable[Object]], tuple[list[Object], list[str]]]


def _as_they_are(objects: Iterable[Object]) -> tuple[list[Object], list[str]]:
    return list(objects), []


@dataclass(frozen=True)
class DevicePlay:
    """How the schedulers of a run take pods that ask for devices; both as for Version."""

    with_claims: bool = False
    class_resources: bool = True

    def left_out(self, others: Iterable[Object]) -> Devices | None:
        """Return what tells the pods that ask for devices and are left out; None where none is."""
        return None if self.with_claims else Devices(others, by_class=self.class_resources)


def device_play(run_input: RunInput) -> DevicePlay:
    """Return how pods that ask for devices are played: with claims where all schedulers are."""
    versions = versions_in(run_input)
    return DevicePlay(
        bool(versions) and all(one.plays_claims for one in versions),
        any(one.class_resources for one in versions),
    )


@dataclass(frozen=True)
class Prepared:
    """What the play is built from.

    `entering` are the uids of the pods that enter the queue, in order; `evictions` what drains ask for;
    `unknown` are whole phrases about what the scheduler does not know; `left_out` counts the pods that are
    left out, by what they are with; `epoch` is the instant from which start times count; `timeline` is what
    happens at an instant, `later` the objects that come by it, `durations` how long pods run that run out, in
    nanoseconds, by uid; `reviews` are those of a scheduler's webhook, `refused` says why it turned pods of
    the snapshot away, by uid; the `webhook` is asked about pods that controllers make. `foreseen` are objects
    as controllers may make them in the run. `deleted_nodes` are the names of those that edits took away
    before it, `deleted_pods` the uids of such pods. `nodes` are those among the objects, `others` all
    that are neither nodes nor pods. `devices` says how pods are played that ask for devices.
    """

    objects: Sequence[Object]
    entering: list[str]
    evictions: list[EvictionRequest]
    edit_results: list[EditResult]
    unknown: list[str]
    left_out: Mapping[str, int]
    epoch: int
    timeline: Sequence[Entry] = ()
    later: Sequence[Object] = ()
    durations: Mapping[str, int] = field(default_factory=dict)
    reviews: Reviews | None = None
    webhook: PodWebhook | None = None
    foreseen: Sequence[Object] = ()
    refused: Mapping[str, str] = field(default_factory=dict)
    deleted_nodes: Sequence[str] = ()
    nodes: Sequence[Object] = ()
    others: Sequence[Object] = ()
    deleted_pods: Sequence[str] = ()
    devices: DevicePlay = DevicePlay()


def prepare(run_input: RunInput, read: Read = _as_they_are, *, foretells: bool = False) -> Prepared:
    """Apply admission and the edits; `read` says how the scheduler knows the objects. Raises BadInput.

    `foretells` as for `edit_cluster`.
    """
    imported, webhook, refused = admitted(run_input)
    edited = apply_edits(
        imported,
        run_input.edits,
        driver=run_input.driver or "instant",
        controllers=run_input.controllers,
        webhook=webhook,
        foretells=foretells,
    )
    devices = device_play(run_input)
    prepared = arrange(edited, imported, read, schedule=run_input.schedule, refused=refused, play=devices)
    return with_webhook(prepared, webhook)


def with_webhook(prepared: Prepared, webhook: PodWebhook | None) -> Prepared:
    """Return the same with who is asked about new pods, and was asked about those that are there."""
    return prepared if webhook is None else replace(prepared, reviews=webhook.reviews, webhook=webhook)


def admitted(run_input: RunInput) -> tuple[list[Object], PodWebhook | None, dict[str, str]]:
    """Return the snapshot's objects as they are let in, who is asked about new pods, and whom that refuses.

    The latter says why, by uid. Raises BadInput, also for nodes of one name, as an import does.
    """
    imported, _, problems = admit_imported(run_input.objects)
    named = Counter(_nodes(imported))
    problems += [
        Problem(f"Node {name}", "metadata.name", "another node has the same name")
        for name, count in named.items()
        if count > 1
    ]
    if problems:
        raise BadInput(problems)
    webhook = webhook_of(run_input, imported)
    imported, refused = (imported, {}) if webhook is None else _reviewed(imported, webhook)
    return imported, webhook, refused


def webhook_of(run_input: RunInput, objects: Iterable[Object]) -> PodWebhook | None:
    """Return the webhook of a scheduler that takes part; none has two."""
    found = (
        kind.webhook(config, objects)
        for kind in kinds().values()
        for config in configurations_of(run_input, kind.name)
    )
    return next((webhook for webhook in found if webhook is not None), None)


def arrange(
    edited: Applied,
    imported: Iterable[Object],
    read: Read = _as_they_are,
    *,
    schedule: list[str] | None = None,
    refused: Mapping[str, str] | None = None,
    play: DevicePlay | None = None,
) -> Prepared:
    """Say how a play of edited objects begins, of which `imported` were there before the edits.

    `refused` says why pods were turned away, by uid; `play` how devices are played. Raises BadInput.
    """
    play = play or DevicePlay()
    objects, unknown = read(edited.objects)
    pods: list[Object] = []
    nodes: list[Object] = []
    others: list[Object] = []
    for document in objects:
        kind = kind_of(document)
        (pods if kind == POD else nodes if kind == NODE else others).append(document)
    uids, names = _pods_and_nodes(imported)
    begun = Begun(
        pending=list(filter(is_pending, pods)),
        imported=uids,
        devices=play.left_out(others),
        play=play,
        deleted_pods=sorted(uids - set(map(uid_of, pods))) if play.with_claims else (),
        epoch=epoch_of(max(newest_start(pods), past_creations(imported))),
        deleted_nodes=sorted(names - set(map(name_of, nodes))),
        nodes=nodes,
        others=others,
    )
    return arrange_pods(edited, objects, unknown, begun, schedule, refused or {})


class Found(NamedTuple):
    """`age` is a pod's place among others, `asks` by what it asks for devices, None if it asks for none."""

    age: tuple[int, str, str]
    asks: str | None


class Queue(NamedTuple):
    """Those that enter it, by uid, in order, and by uid what others are with that it leaves out."""

    entering: Sequence[str] = ()
    left_out: Mapping[str, str] = {}


NOBODY = Queue()


@dataclass(frozen=True)
class Begun:
    """What is found of all pods and nodes before a play: `pending` pods, in the order of the cluster.

    `imported` are the uids of pods that were there before the edits; `found` is what `found_of` says of pods
    of which it was asked before, by uid; `queue` is what is known of pods that are not among the pending:
    they come before these; the others as for `Prepared`.
    """

    pending: Sequence[Object]
    imported: Set[str]
    devices: Devices | None
    epoch: int
    deleted_nodes: Sequence[str]
    nodes: Sequence[Object]
    others: Sequence[Object]
    found: Mapping[str, Found] = field(default_factory=dict)
    queue: Queue = NOBODY
    deleted_pods: Sequence[str] = ()
    play: DevicePlay = DevicePlay()


def found_of(pod: Object, devices: Devices | None) -> Found:
    """Return when a pod comes to the queue among others, and what it is with that leaves it out.

    `devices` are missing where pods that ask for some are played.
    """
    return Found(_age(pod), None if devices is None else devices.asked_by_document(pod))


def arrange_pods(
    edited: Applied,
    objects: Sequence[Object],
    unknown: list[str],
    begun: Begun,
    schedule: list[str] | None,
    refused: Mapping[str, str],
) -> Prepared:
    """Say which pods enter the queue; all else is known. Raises BadInput."""
    told = begun.queue.left_out
    queue = queue_of(begun, schedule, {uid: why for uid, why in refused.items() if uid not in told})
    return Prepared(
        objects=objects,
        entering=[*begun.queue.entering, *queue.entering],
        evictions=edited.evictions,
        edit_results=edited.results,
        unknown=unknown,
        left_out=Counter([*begun.queue.left_out.values(), *queue.left_out.values()]),
        epoch=begun.epoch,
        timeline=edited.timeline,
        later=[entry.document for entry in edited.timeline if entry.document is not None],
        durations=edited.durations,
        refused=refused,
        foreseen=edited.foreseen,
        deleted_nodes=begun.deleted_nodes,
        nodes=begun.nodes,
        others=begun.others,
        deleted_pods=begun.deleted_pods,
        devices=begun.play,
    )


def queue_of(begun: Begun, schedule: list[str] | None, refused: Mapping[str, str]) -> Queue:
    """Return which of the pending pods enter the queue. Raises BadInput."""
    uids = [uid_of(pod) for pod in begun.pending]
    found = {
        uid: begun.found[uid] if uid in begun.found else found_of(pod, begun.devices)
        for uid, pod in zip(uids, begun.pending, strict=True)
    }
    left_out = {uid: one.asks for uid, one in found.items() if one.asks} | dict(refused)
    if schedule is None:
        first = sorted((uid for uid in uids if uid in begun.imported), key=lambda uid: found[uid].age)
        entering = first + [uid for uid in uids if uid not in begun.imported]
    else:
        entering = _scheduled(begun.pending, schedule)
    return Queue([uid for uid in entering if uid not in left_out], left_out)


def _pods_and_nodes(objects: Iterable[Object]) -> tuple[set[str], set[str]]:
    """Return the uids of the pods among objects, and the names of the nodes."""
    uids, names = set(), set()
    for item in objects:
        kind = kind_of(item)
        if kind == POD:
            uids.add(uid_of(item))
        elif kind == NODE:
            names.add(name_of(item))
    return uids, names


def _nodes(objects: Iterable[Object]) -> list[str]:
    return [name_of(item) for item in objects if kind_of(item) == NODE]


def not_modelled(left_out: Mapping[str, int]) -> list[str]:
    """Return whole phrases about the pods that are left out."""
    return [
        f"{_count(number, 'pod')} with {how}{PLAYED_BY if how in ASKING else ''}"
        for how, number in sorted(left_out.items())
        if number
    ]


def _reviewed(objects: list[Object], webhook: Webhook) -> tuple[list[Object], dict[str, str]]:
    """Let a webhook see the pods that wait, as if they were created now; return why it refuses some, by uid.

    In the cluster that they come from it may not have been there.
    """
    reviewed, refused = [], {}
    for item in objects:
        if kind_of(item) == POD and is_pending(item) and spec_of(item).get("containers"):
            found = webhook(item)
            item = found.pod
            if why := (found.fault[1] if found.fault else found.over_quota):
                refused[uid_of(item)] = f"a refusal: {why}"
        reviewed.append(item)
    return reviewed, refused


def is_pending(pod: Object) -> bool:
    """Return whether the pod waits for a node."""
    if spec_of(pod).get("nodeName"):
        return False
    phase = (pod.get("status") or {}).get("phase") or "Pending"
    return phase == "Pending" and not (pod.get("metadata") or {}).get("deletionTimestamp")


def _scheduled(pending: Iterable[Object], schedule: list[str]) -> list[str]:
    by_key = {f"{namespace_of(pod)}/{name_of(pod)}": uid_of(pod) for pod in pending}
    missing = [key for key in schedule if key not in by_key]
    if missing:
        raise BadInput([Problem("schedule", "", f"there is no pending pod {missing[0]}")])
    return [by_key[key] for key in schedule]


def _age(pod: Object) -> tuple[int, str, str]:
    created = parse_timestamp((pod.get("metadata") or {}).get("creationTimestamp"), 0)
    return created, namespace_of(pod), name_of(pod)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def pods_of(run_input: RunInput) -> list[Object]:
    """Return the pods of a run's start and those that come in it, as they are let in. Raises BadInput."""
    return pods_let_in(prepare(run_input))


def pods_let_in(prepared: Prepared) -> list[Object]:
    """Return the pods that a play begins with and those that come in it, as they are let in.

    Those that a scheduler's webhook refuses ask for nothing: in a cluster they would not be there.
    """
    objects = [*prepared.objects, *prepared.later, *prepared.foreseen]
    pods = [item for item in objects if kind_of(item) == POD]
    return [pod for pod in pods if uid_of(pod) not in prepared.refused]
