"""The schedulers to choose from: those of the engine, each with its words, and what fits together."""

import pytest

from dashboard.kinds import kind_named, kind_of_profile
from dashboard.services.workspace.schedulers import (
    DEFAULT_PROFILE,
    scheduler_problems,
    versions,
)
from scheduler_core.schedulers import registry


def places(profile: str, config: dict[str, object] | None, driver: str) -> list[tuple[str, str]]:
    return [(problem.object, problem.field) for problem in scheduler_problems(profile, config, driver)]


def test_every_version_and_driver_of_the_engine_is_described_and_no_other() -> None:
    for profile, version in registry.versions().items():
        kind = kind_of_profile(profile)
        assert kind.summaries[profile]
        assert set(kind.drivers) >= set(version.drivers)
    assert {profile for kind in map(kind_named, registry.kinds()) for profile in kind.summaries} == set(
        registry.versions()
    )
    offered = {version.profile: [choice.driver for choice in version.drivers] for version in versions()}
    assert offered == {profile: list(scheduler.drivers) for profile, scheduler in registry.versions().items()}


def test_the_newest_version_comes_first_and_the_newest_with_a_clock_is_the_default() -> None:
    kube = [version.profile for version in versions() if version.profile.startswith("kube-")]
    numbers = [tuple(map(int, profile.removeprefix("kube-").split("."))) for profile in kube]
    assert numbers == sorted(numbers, reverse=True)
    clocked = (one for one in versions() if any(choice.has_clock for choice in one.drivers))
    assert next(clocked).profile == DEFAULT_PROFILE


@pytest.mark.parametrize("version", versions(), ids=lambda version: version.profile)
def test_a_version_takes_the_settings_that_are_named_and_refuses_others(version) -> None:
    driver = version.drivers[0].driver
    for setting in version.settings:
        assert places(version.profile, {setting: False}, driver) == []
        assert places(version.profile, {setting: "no"}, driver) == [(version.profile, setting)]
    document = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    assert (places(version.profile, document, driver) == []) is (version.configuration == document["kind"])
    if version.configuration == "volcano-scheduler.conf":
        # Volcano passes over what it doesn't know; the run says so.
        assert places(version.profile, {"actions": "allocate", "tiers": [], "colour": "red"}, driver) == []
    else:
        assert [field for _, field in places(version.profile, {"colour": "red"}, driver)] == ["colour"]


def test_an_unknown_profile_is_the_only_problem_that_is_named() -> None:
    assert places("kube-1.7", {"colour": "red"}, "warp") == [("scheduler", "profile")]


def test_driver_and_configuration_are_judged_by_the_profile() -> None:
    assert places("kube-1.36", {"podPriority": False}, "fifo") == [
        ("scenario", "driver"),
        ("KubeSchedulerConfiguration", "podPriority"),
    ]
