"""A KubeSchedulerConfiguration is read strictly: unknown fields and other kinds are refused by place."""

from typing import Any

import pytest

from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.objects.problems import BadInput


def profile_with(**fields: Any) -> dict[str, Any]:
    return {"profiles": [{"schedulerName": "default-scheduler", **fields}]}


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ({"profile": []}, "profile"),
        ({"profiles": {}}, "profiles"),
        ({"profiles": ["default-scheduler"]}, "profiles[0]"),
        ({"kind": 3}, "kind"),
        (profile_with(name="x"), "profiles[0].name"),
        (profile_with(schedulerName=3), "profiles[0].schedulerName"),
        (profile_with(plugins={"scores": {}}), "profiles[0].plugins.scores"),
        (profile_with(plugins={"score": []}), "profiles[0].plugins.score"),
        (
            profile_with(plugins={"score": {"enabled": [{"name": "NodeResourcesFit", "weight": "2"}]}}),
            "profiles[0].plugins.score.enabled[0].weight",
        ),
        (profile_with(pluginConfig=[{"name": "NodeAffinity", "arg": {}}]), "profiles[0].pluginConfig[0].arg"),
        (
            profile_with(pluginConfig=[{"name": "NodeAffinity", "args": 3}]),
            "profiles[0].pluginConfig[0].args",
        ),
    ],
)
def test_a_field_that_is_unknown_or_of_another_kind_is_named(config: dict[str, Any], field: str) -> None:
    with pytest.raises(BadInput) as refused:
        build_profiles(config)
    problem = refused.value.problems[0]
    assert (problem.object, problem.field) == ("KubeSchedulerConfiguration", field)
    assert problem.message


def test_what_only_concerns_the_process_is_taken_and_null_is_as_absent() -> None:
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "parallelism": 16,
        "leaderElection": {"leaderElect": False},
        "clientConnection": {"qps": 50},
        "podInitialBackoffSeconds": 1,
        **profile_with(plugins=None, pluginConfig=None),
    }
    assert list(build_profiles(config)) == ["default-scheduler"]
