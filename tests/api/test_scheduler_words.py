"""A scheduler in its own words: facts of the engine's tables, and words for all of it."""

import json
import re
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from dashboard.kinds.kube.plugin_words import CRITERIA, FAILURES, OUTCOMES, SCORES, STRATEGIES, SUCCESSORS
from dashboard.kinds.kube.release_texts import DIVIDES_BY_ZERO
from dashboard.models import Run
from dashboard.services.workspace.scheduler_words import words_of
from scheduler_core.events.decisions import Criterion, Decision
from scheduler_core.kube.registry import DEFAULT_PLUGINS
from scheduler_core.kube.releases.predicates.wording import SENTENCES
from scheduler_core.kube.releases.priorities.selector_spread_priority import SelectorSpreadPriority
from scheduler_core.kube.releases.table import RELEASES
from scheduler_core.objects.problems import BadInput
from scheduler_core.schedulers.registry import versions
from scheduler_core.volcano import actions
from scheduler_core.volcano.framework.functions import functions_of
from scheduler_core.volcano.registry import PLUGINS
from tests.dashboard.rows import new_run
from tests.scheduler_vectors import VECTORS, answer_of

REWEIGHTED = {
    "profiles": [
        {
            "schedulerName": "own",
            "plugins": {"score": {"disabled": [{"name": "ImageLocality"}, {"name": "NodeAffinity"}],
                                  "enabled": [{"name": "NodeAffinity", "weight": 7}]}},
            "pluginConfig": [{"name": "NodeResourcesFit", "args": {"scoringStrategy": {
                "type": "MostAllocated", "resources": [{"name": "cpu", "weight": 1}]}}}],
        },
        {"schedulerName": "plain"},
    ]
}  # fmt: skip


def answer(profile: str, config: dict[str, Any] | None = None, driver: str | None = None) -> dict[str, Any]:
    return dict(json.loads(json.dumps(answer_of(profile, config, driver))))


@pytest.mark.parametrize("profile", versions())
def test_the_pages_tests_speak_the_words_that_rest_gives(as_bob: Any, profile: str) -> None:
    body = as_bob.get(f"/api/v1/schedulers/{profile}/").json()
    assert json.loads((VECTORS / f"{profile}.json").read_text()) == body, "python -m tests.scheduler_vectors"


def test_every_score_of_the_engine_has_words_and_no_other() -> None:
    scored = {entry.name for entry in DEFAULT_PLUGINS.entries if "score" in entry.points}
    then = {plugin.name for release in RELEASES.values() for plugin, _ in release().scores}
    assert set(SCORES) == (scored | then) - {"NodeResourcesFit"}
    assert then - set(SUCCESSORS) == {"NodePreferAvoidPodsPriority"}
    assert set(SUCCESSORS.values()) <= scored


def test_every_predicate_and_failure_of_the_releases_has_words_and_no_other() -> None:
    filters = [one for release in RELEASES.values() for one in release().filters]
    assert set(FAILURES) | {"PodFitsResources"} == {leaf.name for one in filters for leaf in one.each}
    assert {failure for failures in FAILURES.values() for failure in failures} == set(SENTENCES)
    for profile in versions():
        assert all(answer(profile)["preemption"]["incurable"]), profile


def test_every_outcome_and_criterion_of_the_log_has_words_and_no_other() -> None:
    kinds = {kind.__struct_config__.tag: get_type_hints(kind)["outcome"] for kind in get_args(Decision)}
    assert {kind: set(rows) for kind, rows in OUTCOMES.items()} == {
        kind: set(get_args(outcomes)) for kind, outcomes in kinds.items()
    }
    assert set(CRITERIA) == set(get_args(Criterion))


def test_who_divides_by_zero_is_what_the_engine_says() -> None:
    divides = {
        f"kube-{version}": plugin.name
        for version, release in RELEASES.items()
        for plugin, _ in release().scores
        if isinstance(plugin, SelectorSpreadPriority) and plugin._divides_by_zero
    }
    assert divides == DIVIDES_BY_ZERO


def test_the_order_of_filters_and_criteria_is_the_engines() -> None:
    now, before = answer("kube-1.36"), answer("kube-1.11")
    assert [row["name"] for row in now["profiles"][0]["filters"]][:3] == [
        "NodeUnschedulable",
        "NodeName",
        "TaintToleration",
    ]
    second = before["profiles"][0]["filters"][1]
    assert second == {
        "name": "GeneralPredicates",
        "parts": ["PodFitsResources", "PodFitsHostPorts", "MatchNodeSelector"],
    }
    keys = [row["key"] for row in answer("kube-1.8")["preemption"]["criteria"]]
    assert keys == ["highest_priority", "priority_sum", "victim_count", "name"]


def test_weights_order_and_strategy_are_those_of_the_configuration() -> None:
    own, plain = answer("kube-1.36", REWEIGHTED)["profiles"]
    weights = {row["name"]: row["weight"] for row in own["scores"]}
    assert weights["NodeAffinity"] == 7
    assert "ImageLocality" not in weights
    means = {row["name"]: row["means"] for row in own["scores"]}
    assert means["NodeResourcesFit"] == STRATEGIES["MostAllocated"]
    assert (plain["name"], {row["name"]: row["weight"] for row in plain["scores"]}["NodeAffinity"]) == (
        "plain",
        2,
    )


def test_the_driver_and_pod_priority_say_who_comes_first() -> None:
    def playing(*of: Any) -> tuple[bool, str, bool]:
        found = answer(*of)["playing"]
        return found["in_turn"], found["why_in_turn"], found["has_grace"]

    assert playing("kube-1.8") == (True, "", False)
    assert playing("kube-1.11") == (False, "", False)
    assert playing("kube-1.11", None, "grace") == (False, "", True)
    assert playing("kube-1.36", None, "timed") == (False, "", True)
    off = {"podPriority": False}
    assert playing("kube-1.11", off) == (True, "podPriority is off", False)
    assert answer("kube-1.11", off)["preemption"]["is_possible"] is False
    assert answer("kube-1.11", off)["nomination"]["is_held"] is False


def test_a_runs_scheduler_is_the_one_that_it_froze(
    as_alice: Any, as_charlie: Any, alice: Any, fake_engine: None
) -> None:
    run = new_run(alice)
    Run.objects.filter(pk=run.pk).update(config=REWEIGHTED)
    url = f"/api/v1/runs/{run.pk}/scheduler/"
    assert as_alice.get(url).json() == answer(run.profile, REWEIGHTED, run.driver)
    assert as_charlie.get(url).status_code == 404
    Run.objects.filter(pk=run.pk).update(config={"profiles": 3})
    refused = as_alice.get(url)
    assert refused.status_code == 409
    assert "KubeSchedulerConfiguration profiles" in refused.json()["detail"]


def test_what_there_is_not_is_not_found(as_alice: Any) -> None:
    assert as_alice.get("/api/v1/schedulers/kube-1.7/").status_code == 404
    with pytest.raises(BadInput, match="kube-1\\.7"):
        words_of("kube-1.7")


def test_what_sessions_say_is_said_of_the_plugins_and_refusals_that_there_are() -> None:
    texts = answer("volcano-1.16")["sessions"]
    orders = {"job": "job_order", "queue": "queue_order", "pod": "task_order"}
    ordering = {
        (of, name)
        for name, plugin in PLUGINS.items()
        for of, function in orders.items()
        if function in functions_of(plugin)
    }
    said = {(row["of"], row["by"]) for row in texts["orders"]}
    assert ordering <= said
    assert {by for _, by in said - ordering} == {"creation", "number", "name", "uid"}
    source = "".join(path.read_text() for path in Path(actions.__file__).parent.glob("*.py"))
    named = set(re.findall(r'why="(\w+)"', source)) - {"nodes"}
    assert named == {row["why"] for row in texts["refusals"]}
    assert answer("kube-1.36")["sessions"] is None


def test_every_reason_of_hami_is_told_what_it_means() -> None:
    from scheduler_core.hami.rules import constants

    told = {one["reason"] for one in answer_of("hami-2.10")["cards"]["reasons"]}
    reasons = {
        value
        for name, value in vars(constants).items()
        if name.startswith(
            (
                "CARD_",
                "NODE_INSUFF",
                "NODE_UNREG",
                "NUMA_NOT",
                "TOO_FEW",
                "MODE_",
                "QUOTA_",
                "MIG_INF",
                "EXCL",
            )
        )
    }
    assert told == reasons


def test_the_policies_are_those_of_the_settings() -> None:
    cards = answer_of("hami-2.10", {"nodeSchedulerPolicy": "spread"})["cards"]
    assert (cards["node_policy"], cards["card_policy"]) == ("spread", "spread")
    assert answer_of("kube-1.36")["cards"] is None
