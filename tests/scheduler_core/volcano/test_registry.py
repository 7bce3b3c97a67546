"""Which function each plugin has is as the specification's table says, for the functions that it names."""

import pytest

from scheduler_core.volcano.configuration.scheduler_conf import ACTIONS as KNOWN_ACTIONS
from scheduler_core.volcano.configuration.scheduler_conf import FLAGS
from scheduler_core.volcano.configuration.scheduler_conf import PLUGINS as KNOWN_PLUGINS
from scheduler_core.volcano.framework.functions import functions_of
from scheduler_core.volcano.registry import ACTIONS, PLUGINS

SPECIFIED = {
    "job_order": {"drf", "gang", "priority", "sla", "tdm"},
    "queue_order": {"proportion", "capacity", "drf"},
    "task_order": {"priority", "task-topology"},
    "predicate": {
        *("predicates", "deviceshare", "nodegroup", "numa-aware", "resource-strategy-fit", "tdm", "usage")
    },
    "node_order": {
        *("binpack", "nodeorder", "deviceshare", "nodegroup", "resource-strategy-fit", "task-topology"),
        *("tdm", "usage"),
    },
    "preemptable": {"conformance", "drf", "gang", "priority", "cdp", "pdb", "tdm"},
    "reclaimable": {"conformance", "gang", "proportion", "capacity", "drf", "cdp", "pdb"},
    "overused": {"proportion"},
    "job_ready": {"gang"},
    "job_pipelined": {"gang", "sla", "tdm"},
    "job_valid": {"gang"},
    "job_enqueueable": {"proportion", "capacity", "overcommit", "resourcequota", "sla"},
}
"""By function the plugins that register it; drf has those of queues where it sees them as a tree.

`batch_node_order` is left out: predicates has it for volumes.
"""


@pytest.mark.parametrize("function", sorted(SPECIFIED))
def test_a_function_is_registered_by_the_plugins_that_the_specification_names(function):
    assert {name for name, plugin in PLUGINS.items() if function in functions_of(plugin)} == SPECIFIED[
        function
    ]


def test_the_configuration_knows_what_there_is():
    assert set(PLUGINS) == set(KNOWN_PLUGINS)
    assert set(ACTIONS) == set(KNOWN_ACTIONS)


def test_every_plugin_is_named_as_it_is_registered_and_does_something():
    for name, plugin in PLUGINS.items():
        assert plugin.name == name
        assert functions_of(plugin) <= set(FLAGS)
        assert functions_of(plugin)
