"""What a scenario would change, told before it runs: what a run that `foretells` begins with.

In a warm world that is a trial of which no step is played, under settings of its own.
"""

from __future__ import annotations

from typing import Any

import msgspec

from scheduler_core.events.decisions import Trust
from scheduler_core.events.state import ACTORS, RunState
from scheduler_core.world.edits import EditResult
from scheduler_core.world.reporting.totals import Totals


class Forecast(msgspec.Struct, frozen=True):
    """What each edit does, sums before the first decision, and what answers rest on.

    schedulers: which scheduler decides, by the `schedulerName`s of pods.
    """

    edit_results: list[EditResult]
    totals: Totals
    trust: Trust
    schedulers: dict[str, str]

    @classmethod
    def of(cls, simulation: Any, trust: Trust | None = None) -> Forecast:
        """Return what a run begins with, one that `foretells`; `trust` is its own where none is given."""
        return cls(
            simulation.edit_results,
            simulation.totals(),
            simulation.trust if trust is None else trust,
            simulation.profiles,
        )


def schedulers_of(state: RunState) -> dict[str, str]:
    """Return the schedulers of a run, by the `schedulerName`s whose pods they decide about."""
    actors = state.tables.get(ACTORS, {})
    return {profile: name for name, actor in actors.items() for profile in actor["profiles"]}
