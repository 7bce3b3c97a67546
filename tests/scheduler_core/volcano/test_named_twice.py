"""Plugins that a configuration names twice: the last of a name answers, as often as it is named."""

from tests.scheduler_core.volcano.small_sessions import (
    action,
    configuration,
    group,
    node,
    pod,
    queue,
    session,
)


def two_pods(plugins):
    items = [node("node-1"), node("node-2"), queue("research"), group("job", 1)]
    items += [pod(f"job-a-{number}", of="job", requests={"cpu": "500m"}) for number in range(2)]
    return action(session(items, configuration("allocate", plugins)), "allocate")


def test_all_of_a_name_share_what_was_found_out_about_a_pod():
    """framework/session.go GetCycleState; predicates.go OnSessionOpen: each one's runReservePlugins."""
    assert len(two_pods(("predicates", "predicates", "nodeorder"))["binds"]) == 2


def test_a_plugin_scores_as_often_as_it_is_named():
    """framework/session_plugins.go BatchNodeOrderFn."""
    once, twice = two_pods(("predicates", "nodeorder")), two_pods(("predicates", "nodeorder", "nodeorder"))
    for one, doubled in zip(once["decisions"], twice["decisions"], strict=True):
        assert doubled["scores"] == {name: 2 * score for name, score in one["scores"].items()}
