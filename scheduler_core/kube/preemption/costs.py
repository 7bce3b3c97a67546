"""What evictions cost on each node, by every criterion.

Source: kubernetes v1.36 pkg/scheduler/framework/preemption pickOneNodeForPreemption, pkg/scheduler/util
GetEarliestPodStartTime.
"""

from typing import NamedTuple

import numpy as np

from scheduler_core.events.decisions import Criterion
from scheduler_core.objects.timestamps import NANOSECONDS_END, unix_nano
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import NO_START_TIME

PRIORITY_OFFSET = 1 << 31


class Costs(NamedTuple):
    """Every criterion of every run, shape (runs,); only those of candidates mean something.

    `earliest_start` is that of the victims of the highest priority, in nanoseconds.
    """

    pdb_violations: IntArray
    highest_priority: IntArray
    priority_sum: IntArray
    victim_count: IntArray
    earliest_start: IntArray

    def values(self, criterion: Criterion) -> IntArray:
        """Return one criterion so that less is better."""
        values: IntArray = getattr(self, criterion)
        return ~_unix_nanos(values) if criterion == "earliest_start" else values


def _unix_nanos(moments: IntArray) -> IntArray:
    """Return what kube-scheduler compares: it orders pods by time, but nodes by a time that wraps around."""
    counted = moments.copy()
    far = (moments < -NANOSECONDS_END) | (moments >= NANOSECONDS_END)
    for place in np.flatnonzero(far & (moments != NO_START_TIME)).tolist():
        counted[place] = unix_nano(int(moments[place]))
    return counted


def costs_of(state: ClusterState, runs: int, owner: IntArray, pods: IntArray, violates: BoolArray) -> Costs:
    """Return what each of so many runs costs: `owner[i]`, ascending, is the run whose victim `pods[i]` is.

    `violates[i]` says whether its loss would violate a budget.
    """
    priority, start = state.pods.priority[pods], state.pods.start_time[pods]
    highest = np.full(runs, np.iinfo(np.int64).min, dtype=np.int64)
    np.maximum.at(highest, owner, priority)
    sums = np.zeros(runs, dtype=np.int64)
    np.add.at(sums, owner, priority + PRIORITY_OFFSET)
    earliest = np.full(runs, NO_START_TIME, dtype=np.int64)
    of_highest = priority == highest[owner]
    np.minimum.at(earliest, owner[of_highest], start[of_highest])
    return Costs(
        np.bincount(owner[violates], minlength=runs),
        highest,
        sums,
        np.bincount(owner, minlength=runs),
        earliest,
    )
