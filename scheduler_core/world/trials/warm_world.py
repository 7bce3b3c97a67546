"""A warm world: a cluster that is held ready, on which edits are tried one after another.

A trial says what a run with these edits says, decision for decision, and nothing of it stays.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import msgspec

from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.schedulers.kind import Version
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.forecast import Forecast
from scheduler_core.world.imported import Imported
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.setting_up.companions import build_all
from scheduler_core.world.setting_up.run_checks import check
from scheduler_core.world.simulation import Simulation
from scheduler_core.world.trials.playing import Stop, Watch, never, play, unwatched
from scheduler_core.world.trials.rests_on import RestsOn
from scheduler_core.world.trials.shifting import is_shifted, shifted
from scheduler_core.world.trials.standing import Edited, Standing
from scheduler_core.world.trials.trial_result import TrialResult

Object = dict[str, Any]

AtEnd = Callable[[Simulation, TrialResult], None]
"""Asks a run something where a trial ends."""
MOST_DECISIONS = 100_000
"""A trial ends after so many decisions, whatever is left to do."""


def unasked(simulation: Simulation, result: TrialResult) -> None:
    """Ask nothing."""


def adding(objects: Iterable[Object], replicas: int | None = None) -> Object:
    """Return the edit that adds these objects, as `kubectl apply` would; `replicas` as for the edit."""
    manifest = {"apiVersion": "v1", "kind": "List", "items": list(objects)}
    return {"op": "add", "manifest": manifest, **({} if replicas is None else {"replicas": replicas})}


class WarmWorld:
    """A cluster with its schedulers, before the first decision. `simulation` is asked, and never stepped."""

    def __init__(
        self,
        run_input: RunInput,
        play: type[Simulation] = Simulation,
        imported: Imported | None = None,
    ) -> None:
        """Build the cluster once. Raises BadInput, also where there are edits.

        play: what plays runs. imported: the input's objects, where more is known of them.
        """
        if run_input.edits:
            raise BadInput([Problem("scenario", "edits", "are for trials, not for the world")])
        self.imported = imported or Imported(run_input.objects)
        """The cluster as it was imported."""
        self._run_input, self._version = check(run_input)
        build_all(self._run_input)
        self._play = play
        with collector_at_rest():
            self._standing = Standing(self._run_input, self._version)
            self.simulation = play(self._run_input, imported=self.imported, prepared=self._standing.prepared)
        self._known = frozenset(self.simulation.cluster.pods.by_uid)
        self._baseline: TrialResult | None = None
        self._rests_on: dict[tuple[bool, bool], RestsOn] = {}

    @property
    def objects(self) -> EditedCluster:
        """The objects of the cluster, to be looked at only."""
        return self._standing.cluster

    @property
    def run_input(self) -> RunInput:
        """What a run without edits is a function of."""
        return self._run_input

    def trial(
        self,
        edits: Sequence[Mapping[str, Any]],
        *,
        pods: Iterable[str] = (),
        most: int = MOST_DECISIONS,
        stop: Stop = never,
        watch: Watch = unwatched,
        reasons: bool = True,
        alone: bool = False,
        also: Container[str] = (),
        at_end: AtEnd = unasked,
    ) -> TrialResult:
        """Return what a run with these edits comes to; leave the world as it was.

        Of the pods, by uid, those are told that are new, and these. It ends after so many decisions at the
        `most`, and where `stop`, asked before each decision, says so; `watch` is told of each. `reasons`: why
        pods wait, too. `alone`, `also` as for `begun`. `at_end` is given the run where it ends, and the
        result, before all is taken back. Raises BadInput with the problems of every edit that is refused.
        """
        with collector_at_rest(), self.begun(edits, alone=alone, also=also) as simulation:
            first = len(self._known) if simulation.ground.state is self.simulation.ground.state else 0
            asked = frozenset(pods)
            result = play(simulation, self._known, asked, most, stop, watch, first=first, reasons=reasons)
            at_end(simulation, result)
            return result

    @contextmanager
    def begun(
        self,
        edits: Sequence[Mapping[str, Any]],
        *,
        alone: bool = False,
        also: Container[str] = (),
        until: float | None = None,
    ) -> Iterator[Simulation]:
        """Give a run with these edits, before its first decision; the world is as it was afterwards.

        `alone`: of the pods that wait, only those that the edits add, and those that are `also` asked for (by
        uid), enter the queue, as a run's `schedule` would have it; who works without a queue looks at all.
        `until`: by a clock that ends after so many seconds, whatever driver the world has. Raises BadInput
        with the problems of every edit that is refused, and where no clock can move.
        """
        run_input = msgspec.structs.replace(self._run_input, edits=list(map(dict, edits)))
        if until is not None:
            run_input, _ = check(msgspec.structs.replace(run_input, driver="timed", until=until))
            build_all(run_input)
        edited = self._standing.edited(run_input, self._version)
        if alone:
            queue = edited.prepared.entering
            entering = [uid for uid in queue if uid not in self._known or uid in also]
            edited = edited._replace(prepared=replace(edited.prepared, entering=entering))
        with self._on_ground(run_input, edited) as simulation:
            yield simulation

    @contextmanager
    def foretold(self, run_input: RunInput) -> Iterator[Simulation]:
        """Give a run of this cluster that `foretells`, under settings and with edits of its own.

        Its own objects are not looked at. It is asked what it begins with, and not played; the world is as it
        was afterwards. Raises BadInput as the run does.
        """
        own = self._run_input.objects
        run_input, version = check(msgspec.structs.replace(run_input, objects=own))
        build_all(run_input)
        edited = self._standing.edited(run_input, version, foretells=True)
        if not _counts_alike(version, self._version):
            edited = edited._replace(differences=None)
        with collector_at_rest(), self._on_ground(run_input, edited) as simulation:
            yield simulation

    def forecast(self, run_input: RunInput) -> Forecast:
        """Return what a run of this cluster begins with, of which the same is true as of `foretold`."""
        with self.foretold(run_input) as simulation:
            return Forecast.of(simulation, simulation.trust)

    @property
    def has_clock(self) -> bool:
        """Whether its scheduler is played by the clock too."""
        return "timed" in self._version.drivers

    def rests_on(self, *, drains: bool = False, adds: bool = False) -> RestsOn:
        """Return what answers rest on for which nodes are drained, or pods added."""
        if (drains, adds) not in self._rests_on:
            trust = self.simulation.trust_in(drains=drains, adds=adds)
            self._rests_on[drains, adds] = RestsOn(self._run_input.profile, trust)
        return self._rests_on[drains, adds]

    @contextmanager
    def _on_ground(self, run_input: RunInput, edited: Edited) -> Iterator[Simulation]:
        """Give a run on this cluster, shifted to its edits, or on one that is built where it can't be."""
        ground = self.simulation.ground
        if is_shifted(ground, edited):
            with shifted(ground, edited) as here:
                yield self._play(run_input, imported=self.imported, prepared=edited.prepared, ground=here)
        else:
            yield self._play(run_input, imported=self.imported, prepared=edited.prepared)

    def baseline(self, stop: Stop = never, watch: Watch = unwatched) -> TrialResult:
        """Return what a run without edits comes to, played once. One that was stopped is played again."""
        if self._baseline is None or self._baseline.ended_by == "stopped":
            self._baseline = self.trial([], stop=stop, watch=watch, reasons=False)
        return self._baseline

    def at_end(self, stop: Stop = never) -> WarmWorld | None:
        """Return a world that begins with the cluster as a run without edits leaves it; None if stopped.

        Who waits there is tried again before a trial's own pods are.
        """
        with self.begun([]) as simulation:
            while not stop():
                if simulation.step() is None:
                    objects = simulation.objects_at_end()
                    begun = msgspec.structs.replace(self._run_input, objects=objects, schedule=None)
                    return WarmWorld(begun, self._play, self.imported)
        return None


def _counts_alike(one: Version, other: Version) -> bool:
    """Return whether pods take the same room of nodes under two versions."""
    return one.accounting.running_requests is other.accounting.running_requests
