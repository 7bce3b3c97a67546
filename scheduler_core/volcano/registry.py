"""The plugins and actions of a session, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scheduler_core.volcano.actions import (
    allocate,
    backfill,
    enqueue,
    gangpreempt,
    gangreclaim,
    preempt,
    reclaim,
    shuffle,
)
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.framework.steps import Step
from scheduler_core.volcano.plugins.binpack import Binpack
from scheduler_core.volcano.plugins.capacity import Capacity
from scheduler_core.volcano.plugins.cdp import Cdp
from scheduler_core.volcano.plugins.conformance import Conformance
from scheduler_core.volcano.plugins.deviceshare import Deviceshare
from scheduler_core.volcano.plugins.drf import Drf
from scheduler_core.volcano.plugins.gang import Gang
from scheduler_core.volcano.plugins.network_topology_aware import NetworkTopologyAware
from scheduler_core.volcano.plugins.nodegroup import Nodegroup
from scheduler_core.volcano.plugins.nodeorder import Nodeorder
from scheduler_core.volcano.plugins.numaaware import Numaaware
from scheduler_core.volcano.plugins.overcommit import Overcommit
from scheduler_core.volcano.plugins.pdb import Pdb
from scheduler_core.volcano.plugins.predicates import Predicates
from scheduler_core.volcano.plugins.priority import Priority
from scheduler_core.volcano.plugins.proportion import Proportion
from scheduler_core.volcano.plugins.rescheduling import Rescheduling
from scheduler_core.volcano.plugins.resource_strategy_fit import ResourceStrategyFit
from scheduler_core.volcano.plugins.resourcequota import Resourcequota
from scheduler_core.volcano.plugins.sla import Sla
from scheduler_core.volcano.plugins.task_topology import TaskTopology
from scheduler_core.volcano.plugins.tdm import Tdm
from scheduler_core.volcano.plugins.usage import Usage

PLUGINS: dict[str, type[Plugin]] = {
    plugin.name: plugin
    for plugin in (
        Binpack,
        Capacity,
        Conformance,
        Deviceshare,
        Drf,
        Gang,
        NetworkTopologyAware,
        Nodeorder,
        Overcommit,
        Predicates,
        Priority,
        Cdp,
        Nodegroup,
        Pdb,
        Rescheduling,
        ResourceStrategyFit,
        Resourcequota,
        Sla,
        Numaaware,
        TaskTopology,
        Tdm,
        Usage,
        Proportion,
    )
}
ACTIONS: dict[str, Callable[[Session], Iterator[Step]]] = {
    "enqueue": enqueue.run,
    "allocate": allocate.run,
    "backfill": backfill.run,
    "gangpreempt": gangpreempt.run,
    "gangreclaim": gangreclaim.run,
    "preempt": preempt.run,
    "reclaim": reclaim.run,
    "shuffle": shuffle.run,
}
