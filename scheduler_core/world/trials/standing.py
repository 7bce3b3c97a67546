"""The cluster before any edit: what is found of all its objects once, for the trials to come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from operator import is_
from typing import Any, NamedTuple, overload

from scheduler_core.objects.checks.cluster_checks import Limits
from scheduler_core.objects.identity import name_of, uid_of
from scheduler_core.objects.imports.pods_with_devices import Devices, concerns_devices
from scheduler_core.objects.kinds import NODE, POD, Kind, kind_of
from scheduler_core.schedulers.kind import Version
from scheduler_core.world.beginning import epoch_of, newest_start, past_creations
from scheduler_core.world.edits import Applied, edit_cluster
from scheduler_core.world.edits.edited_cluster import Difference, EditedCluster
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.setting_up.preparation import (
    NOBODY,
    Begun,
    DevicePlay,
    Found,
    Prepared,
    Queue,
    admitted,
    arrange,
    arrange_pods,
    device_play,
    found_of,
    is_pending,
    prepare,
    queue_of,
    webhook_of,
    with_webhook,
)

Object = dict[str, Any]


class Edited(NamedTuple):
    """What a run with edits begins with, and by place what differs there from the cluster before them.

    differences: None where that isn't known. free: names (namespace, name) of pods that nobody has any more.
    """

    prepared: Prepared
    differences: dict[int, Difference] | None = None
    free: frozenset[tuple[str, str]] = frozenset()


class Shifted(Sequence[Object]):
    """All objects that a run begins with; put in a row only where somebody reads them."""

    def __init__(self, before: Sequence[Object], differences: Mapping[int, Difference]) -> None:
        self._before, self._differences = before, dict(differences)

    @cached_property
    def _all(self) -> list[Object]:
        begun = dict(enumerate(self._before)) | {place: now for place, (_, now) in self._differences.items()}
        return [one for place in sorted(begun) if (one := begun[place]) is not None]

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Object]:
        return iter(self._all)

    @overload
    def __getitem__(self, index: int) -> Object: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Object]: ...
    def __getitem__(self, index: int | slice) -> Object | Sequence[Object]:
        return self._all[index]


class Standing:
    """The objects of a run without edits, as its schedulers read them."""

    def __init__(self, run_input: RunInput, version: Version) -> None:
        """Read the cluster once. Raises BadInput."""
        self._run_input = run_input
        self._version = version
        self._imported, self._webhook, self._refused = admitted(run_input)
        self._play = device_play(run_input)
        prepared = arrange(
            Applied(self._imported, [], []),
            self._imported,
            version.read,
            schedule=run_input.schedule,
            refused=self._refused,
            play=self._play,
        )
        self.prepared = with_webhook(prepared, self._webhook)
        self._kept = {run_input.profile: all(map(is_, prepared.objects, self._imported))}
        """By profile, whether edits are applied to a copy of what was read: a release that drops fields of
        pods reads other objects than edits change."""

    @cached_property
    def cluster(self) -> EditedCluster:
        """The objects before all edits, to be looked at only."""
        return EditedCluster(self._imported, Limits(), self._webhook)

    @cached_property
    def _nodes(self) -> dict[int, Object]:
        return {place: self._at(place) for place in self.cluster.places(NODE)}

    @cached_property
    def _others(self) -> dict[int, Object]:
        """What is neither a node nor a pod, by place."""
        kinds = (kind for kind in self.cluster.kinds() if kind not in (POD, NODE))
        places = sorted(chain.from_iterable(map(self.cluster.places, kinds)))
        return {place: self._at(place) for place in places}

    @cached_property
    def _pending(self) -> dict[int, Object]:
        pods = ((place, self._at(place)) for place in self.cluster.places(POD))
        return {place: pod for place, pod in pods if is_pending(pod)}

    @cached_property
    def _newest(self) -> int:
        return self._newest_without({})

    @cached_property
    def _past_creations(self) -> int:
        return past_creations(self._imported)

    @cached_property
    def _devices(self) -> Devices | None:
        return self._play.left_out(self.prepared.others)

    @cached_property
    def _concerns_devices(self) -> bool:
        return any(map(concerns_devices, self._imported))

    @cached_property
    def _queue(self) -> Queue:
        """What becomes of the pods that wait where no edit touches them."""
        pods = list(self._pending.values())
        begun = Begun(pods, self.cluster.pod_uids(), self._devices, 0, (), (), (), self._found)
        return queue_of(begun, None, self._refused)

    @cached_property
    def _found(self) -> dict[str, Found]:
        return {uid_of(pod): found_of(pod, self._devices) for pod in self._pending.values()}

    def _at(self, place: int) -> Object:
        found = self.cluster.at(place)
        assert found is not None
        return found

    def _is_kept(self, run_input: RunInput, version: Version) -> bool:
        """Return whether a run with these settings begins with the objects that are kept here."""
        profile, own = run_input.profile, self._run_input
        if profile not in self._kept:
            read, _ = version.read(self._imported)
            same = len(read) == len(self._imported) and all(map(is_, read, self._imported))
            self._kept[profile] = same and self._kept[own.profile]
        if not self._kept[profile] or (device_play(run_input) != self._play and self._concerns_devices):
            return False
        if (profile, run_input.config, run_input.beside) == (own.profile, own.config, own.beside):
            return True
        return self._webhook is None and webhook_of(run_input, self._imported) is None

    def edited(self, run_input: RunInput, version: Version, *, foretells: bool = False) -> Edited:
        """Return what a run with these settings and edits begins with. Raises BadInput as a run does.

        `foretells` as for `edit_cluster`.
        """
        if not self._is_kept(run_input, version):
            return Edited(prepare(run_input, version.read, foretells=foretells))
        differences: dict[int, Difference] = {}
        free: set[tuple[str, str]] = set()

        def at_start(cluster: EditedCluster) -> Sequence[Object]:
            # Edits of later instants change the same cluster afterwards.
            differences.update(_differences(cluster))
            free.update(_free_names(differences, cluster))
            return Shifted(self._imported, differences)

        webhook = None if self._webhook is None else self._webhook.over()
        applied = edit_cluster(
            self.cluster.over(webhook),
            run_input.edits,
            driver=run_input.driver or "instant",
            controllers=run_input.controllers,
            chosen=at_start,
            foretells=foretells,
        )
        new = [now for _, now in differences.values() if now is not None]
        read, unknown = version.read(new)
        if unknown or not all(map(is_, read, new)):
            imported, schedule = self._imported, run_input.schedule
            play, refused = device_play(run_input), self._refused
            arranged = arrange(applied, imported, version.read, schedule=schedule, refused=refused, play=play)
            return Edited(with_webhook(arranged, webhook))
        play = device_play(run_input)
        begun = self._begun(differences, play, as_it_is=run_input.schedule is None)
        prepared = arrange_pods(applied, applied.objects, [], begun, run_input.schedule, self._refused)
        return Edited(with_webhook(prepared, webhook), differences, frozenset(free))

    def _begun(self, differences: Mapping[int, Difference], play: DevicePlay, *, as_it_is: bool) -> Begun:
        """`as_it_is`: whether pods that wait, and don't change, enter the queue in the order of their age."""
        as_it_is = as_it_is and not any(self._is_queued(*pair) for pair in differences.values())
        pending, newest = {} if as_it_is else dict(self._pending), self._newest
        gone, changed, pods = list[str](), set[str](), list[Difference]()
        for place, (before, now) in differences.items():
            kind = kind_of(before or now or {})
            if kind == NODE and now is None and before is not None:
                gone.append(name_of(before))
            if kind != POD:
                continue
            pods.append((before, now))
            if before is not None and pending.pop(place, None) is not None:
                changed.add(uid_of(before))
            if now is not None and is_pending(now):
                pending[place] = now
        if newest and newest_start(before for before, _ in pods if before is not None) == newest:
            newest = self._newest_without(differences)
        newest = max(newest, newest_start(now for _, now in pods if now is not None))
        in_order = [pending[place] for place in sorted(pending)]
        found = self._found
        if changed:
            found = {uid: one for uid, one in found.items() if uid not in changed}
        return Begun(
            in_order,
            self.cluster.pod_uids(),
            self._devices if play == self._play else play.left_out(self.prepared.others),
            epoch_of(max(newest, self._past_creations)),
            sorted(gone),
            _changed(self._nodes, differences, lambda kind: kind == NODE),
            _changed(self._others, differences, lambda kind: kind not in (NODE, POD)),
            found,
            self._queue if as_it_is else NOBODY,
            deleted_pods=_deleted_pods(differences) if play.with_claims else (),
            play=play,
        )

    def _is_queued(self, before: Object | None, now: Object | None) -> bool:
        """Return whether a pod that was there waits before or after it changes."""
        pods = (one for one in (before, now) if one is not None and kind_of(one) == POD)
        return any(is_pending(pod) and uid_of(pod) in self.cluster.pod_uids() for pod in pods)

    def _newest_without(self, differences: Mapping[int, Difference]) -> int:
        places = (place for place in self.cluster.places(POD) if place not in differences)
        return newest_start(map(self._at, places))


def _differences(cluster: EditedCluster) -> dict[int, Difference]:
    """Return by place what a run begins with that is not what was there before all edits."""
    pairs = {}
    for place in sorted(cluster.changed() | cluster.at_start.keys()):
        now = cluster.at_start[place] if place in cluster.at_start else cluster.at(place)
        if now is not cluster.at_first(place):
            pairs[place] = cluster.at_first(place), now
    return pairs


def _changed(
    before: Mapping[int, Object], differences: Mapping[int, Difference], is_one: Callable[[Kind], bool]
) -> list[Object]:
    """Return the objects of some kinds that a run begins with, in their order; `before` is by place."""
    pairs = {place: now for place, (was, now) in differences.items() if is_one(kind_of(was or now or {}))}
    if not pairs:
        return list(before.values())
    begun = {**before, **pairs}
    return [one for place in sorted(begun) if (one := begun[place]) is not None]


def _deleted_pods(differences: Mapping[int, Difference]) -> list[str]:
    pairs = [pair for pair in differences.values() if kind_of(pair[0] or pair[1] or {}) == POD]
    there = {uid_of(now) for _, now in pairs if now is not None}
    return sorted({uid_of(before) for before, _ in pairs if before is not None} - there)


def _free_names(differences: Mapping[int, Difference], cluster: EditedCluster) -> set[tuple[str, str]]:
    gone = {
        (before["metadata"].get("namespace") or "default", name_of(before))
        for before, now in differences.values()
        if now is None and before is not None and kind_of(before) == POD
    }
    return {key for key in gone if not cluster.is_pod_name(*key)}
