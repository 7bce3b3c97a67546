"""PostFilter: what plugins make of an attempt that leaves no node.

Source: kubernetes v1.36 framework/runtime RunPostFilterPlugins.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from scheduler_core.events.decisions import Code
from scheduler_core.kube.extenders.panel import Hearing
from scheduler_core.kube.framework import UNSCHEDULABLE, Cycle, Plugin, PreFiltered
from scheduler_core.kube.nominated import Room
from scheduler_core.kube.preemption.candidates import Runs
from scheduler_core.kube.preemption.result import PreemptionResult
from scheduler_core.kube.tie_breaking import Lots
from scheduler_core.kube.verdicts import Verdicts
from scheduler_core.state.nodes import IntArray


@dataclass(frozen=True)
class Failure:
    """An attempt without a feasible node; `lots` chooses among equals, `hearing` asks extenders.

    `dry_run` plays what preemption would do on nodes.
    """

    cycle: Cycle
    pre_filtered: PreFiltered
    verdicts: Verdicts
    room: Room
    lots: Lots
    hearing: Hearing
    dry_run: Callable[[IntArray], Runs]


@dataclass(frozen=True)
class PostFilterAnswer:
    """What a plugin says: any code but Unschedulable ends PostFilter.

    `reason` is its part of the message; `nominate` the new nomination, None to leave it.
    """

    code: Literal["Success"] | Code
    reason: str = ""
    nominate: str | None = None
    preemption: PreemptionResult | None = None


class PostFilterPlugin(Plugin):
    """PostFilter."""

    def post_filter(self, failure: Failure) -> PostFilterAnswer:
        """Look for a way to make the pod schedulable."""
        raise NotImplementedError


def run_post_filters(plugins: Iterable[PostFilterPlugin], failure: Failure) -> PostFilterAnswer:
    """Return what the plugins say together, with what was looked at of a preemption, if anything."""
    reasons: list[str] = []
    nominate, preemption = None, PreemptionResult()
    for plugin in plugins:
        answer = plugin.post_filter(failure)
        preemption = answer.preemption or preemption
        preemption.status = answer.code
        if answer.code != UNSCHEDULABLE:
            return replace(answer, preemption=preemption)
        nominate = nominate if answer.nominate is None else answer.nominate
        reasons += [answer.reason] if answer.reason else []
    return PostFilterAnswer(UNSCHEDULABLE, ", ".join(reasons), nominate, preemption)
