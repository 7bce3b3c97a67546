"""What HTTP extenders say of an attempt's nodes: whom they leave, why not the others, and their points.

Source: kubernetes v1.36 pkg/scheduler/schedule_one.go findNodesThatPassExtenders, prioritizeNodes.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube.attempt_result import NONE, AttemptResult
from scheduler_core.kube.extenders.extender import ExtenderError
from scheduler_core.kube.extenders.panel import Hearing, Refusal
from scheduler_core.kube.framework import ERROR, UNRESOLVABLE, UNSCHEDULABLE
from scheduler_core.kube.verdicts import Verdicts
from scheduler_core.state.node_names import NodeNames
from scheduler_core.state.nodes import IntArray


def extenders_accept(result: AttemptResult, nominated: int, said: dict[str, Refusal]) -> bool:
    """Return whether all extenders leave the nominated node, alone; an error means only that they don't."""
    assert result.hearing is not None
    if result.hearing.is_empty:
        return True
    try:
        return bool(result.hearing.filter([result.cycle.state.nodes.names[nominated]], said).fits)
    except ExtenderError:
        return False


def ask_extenders(result: AttemptResult, said: dict[str, Refusal]) -> None:
    """Leave the feasible nodes that extenders leave, none if they fail. Raises ExtenderError.

    `said` is what they said of the nominated node before.
    """
    hearing, nodes, verdicts = result.hearing, result.cycle.state.nodes, result.verdicts
    assert hearing is not None and verdicts is not None
    if hearing.is_empty:
        return
    passed = result.feasible
    hearing.left.clear()
    result.feasible = NONE
    try:
        answer = hearing.filter(NodeNames(nodes.names, passed), said)
        result.feasible = np.sort(np.array([nodes.index[name] for name in answer.fits], dtype=np.int64))
        result.left_out = len(result.feasible) != len(passed)
        result.cycle.emptied = answer.whole_nodes
    finally:
        _note_refusals(result, verdicts, passed, said)


def _note_refusals(
    result: AttemptResult, verdicts: Verdicts, passed: IntArray, said: dict[str, Refusal]
) -> None:
    """Note why nodes of those that passed the filters are left out.

    What is said of a node that stays all the same counts for nothing.
    """
    assert result.hearing is not None
    index = result.cycle.state.nodes.index
    settled = np.zeros(len(index), dtype=np.bool_)
    settled[result.feasible] = True
    refused: dict[Refusal, list[int]] = {}
    for name, why in said.items():
        if name in index and not settled[index[name]]:
            refused.setdefault(why, []).append(index[name])
    result.unknown = [_refused(why) for name, why in said.items() if name not in index]
    groups = [(_refused(why), np.array(nodes)) for why, nodes in refused.items()]
    for _, nodes in groups:
        settled[nodes] = True
    for extender, names in result.hearing.left:
        left = np.fromiter(map(index.__getitem__, names), np.int64, len(names))
        goes = np.ones(len(index), dtype=np.bool_)
        goes[left] = False
        gone = passed[goes[passed]]
        groups.append((Status(extender, UNRESOLVABLE, []), gone[~settled[gone]]))
        passed = left
    groups = [(status, nodes) for status, nodes in groups if len(nodes)]
    if groups:
        result.extended = verdicts.overruled(groups)


def _refused(why: Refusal) -> Status:
    return Status(why.extender, UNRESOLVABLE if why.unresolvable else UNSCHEDULABLE, [why.reason])


def points_of_extenders(result: AttemptResult, hearing: Hearing) -> IntArray:
    """Return what the extenders add to the feasible nodes' scores, shape (feasible,)."""
    points = np.zeros(len(result.feasible), dtype=np.int64)
    names = [result.cycle.state.nodes.names[node] for node in result.feasible.tolist()]
    result.extender_scores = hearing.prioritize(names)
    for call in result.extender_scores:
        scores = call.scores or {}
        points += np.array([scores.get(name, 0) for name in names], dtype=np.int64)
    return points


def extender_error(error: ExtenderError) -> Status:
    """Return how an attempt ends where an extender fails."""
    return Status("", ERROR, [str(error)])
