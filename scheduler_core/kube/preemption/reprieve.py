"""Reprieve: the pods that were taken away are put back one by one, on all nodes side by side.

Who makes the preemptor unfit again is a victim. Where no filter but NodeResourcesFit looks at pods, what is
left of each resource is all that need be counted; otherwise, and on nodes promised to others, the filters
are asked.

Source: kubernetes v1.36 plugins/defaultpreemption SelectVictimsOnNode.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from scheduler_core.kube.nominated import Room
from scheduler_core.kube.verdicts import FITS
from scheduler_core.predicates.slack import Slack
from scheduler_core.state.nodes import BoolArray, IntArray


class Removed(Protocol):
    """Pods that were taken away: see `DryRuns`."""

    nodes: IntArray
    owner: IntArray
    pods: IntArray
    condemned: BoolArray
    plugin: IntArray
    code: IntArray


def reprieve(trial: Room, runs: Removed, fits: BoolArray) -> None:
    """Put the pods back on every node that fits the preemptor without them; `fits` has shape (nodes,)."""
    numbers = np.bincount(runs.owner, minlength=len(runs.nodes))
    starts = np.cumsum(numbers) - numbers
    left = (fits[runs.nodes] & (numbers > 0)).nonzero()[0]
    only = trial.only_filter()
    if only is not None:
        unpromised = ~trial.is_promised[runs.nodes[left]]
        slack = only[1].slack(trial.crowded, runs.nodes[left[unpromised]])
        if slack is not None:
            _by_room(slack, only[0], runs, starts, numbers, left[unpromised])
            left = left[~unpromised]
    _by_filters(trial, runs, starts, numbers, left)


def _by_filters(trial: Room, runs: Removed, starts: IntArray, numbers: IntArray, left: IntArray) -> None:
    """Ask the filters after each pod."""
    place = 0
    while len(left):
        turn = starts[left] + place
        nodes, pods = runs.nodes[left], runs.pods[turn]
        trial.update(nodes, pods, 1)
        verdicts = trial.filter(nodes, pods_only=True)
        plugin = verdicts.plugin[nodes]
        rejected = plugin >= 0
        trial.update(nodes[rejected], pods[rejected], -1)
        runs.condemned[turn] = rejected
        runs.plugin[turn], runs.code[turn] = plugin, verdicts.code[nodes]
        place += 1
        left = left[numbers[left] > place]


def _by_room(
    slack: Slack, plugin: int, runs: Removed, starts: IntArray, numbers: IntArray, left: IntArray
) -> None:
    """Count what is left of each resource; `slack` has a column for each of the runs `left`."""
    place = 0
    columns = np.arange(len(left))
    while len(left):
        turn = starts[left] + place
        codes = slack.take(columns, runs.pods[turn])
        rejected = codes != 0
        runs.condemned[turn] = rejected
        runs.plugin[turn], runs.code[turn] = np.where(rejected, plugin, FITS), codes
        place += 1
        more = numbers[left] > place
        left, columns = left[more], columns[more]
