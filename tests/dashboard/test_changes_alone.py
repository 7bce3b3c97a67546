"""Each change between two runs alone: how they are taken apart, what is played, and what is said of it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.answers.asked_differently import of_leaf
from dashboard.answers.printers.words import plain
from dashboard.errors import NotPossibleNow
from dashboard.models import ChangeAlone, Run
from dashboard.queries.config_differences import differing_leaves
from dashboard.queries.config_parts import differing_parts, with_part
from dashboard.services.background.execution import execute_run
from dashboard.services.results.changes_alone import compare_with_changes
from dashboard.services.workspace.baselines import unused_baselines
from dashboard.services.workspace.changes_alone import cancel_alone, play_alone
from tests.dashboard.test_compared_answers import pod, run_of, scoring, two_nodes

_values = st.integers(0, 2)
_arguments = st.dictionaries(st.sampled_from(["Fit", "Spread", "Ports"]), _values, max_size=3)
_enabled = st.dictionaries(st.sampled_from(["score", "filter"]), _arguments, max_size=2)


@st.composite
def configurations(draw: Any) -> Any:
    """A kube-scheduler's configuration of one or two profiles, or none."""
    profiles = []
    for name in draw(st.sets(st.sampled_from(["default-scheduler", "batch"]), max_size=2)):
        plugins = [{"name": plugin, "args": {"a": n}} for plugin, n in draw(_arguments).items()]
        points = {
            point: {"enabled": [{"name": plugin, "weight": n} for plugin, n in some.items()]}
            for point, some in draw(_enabled).items()
            if some
        }
        profiles.append({"schedulerName": name, "pluginConfig": plugins, "plugins": points})
    whole = {"apiVersion": "v1", "kind": "Some", "percentage": draw(_values), "profiles": profiles}
    return draw(st.sampled_from([whole, whole, whole, None]))


@given(a=configurations(), b=configurations())
def test_each_part_changes_what_is_its_own_and_all_parts_make_the_other(a: Any, b: Any) -> None:
    found = a
    for path, leaves in differing_parts(a, b).items():
        changed = with_part(a, b, path)
        apart = {leaf.path for leaf in differing_leaves(a, changed) if leaf.a or leaf.b}
        assert apart == {leaf.path for leaf in leaves if leaf.a or leaf.b}
        found = with_part(found, b, path)
    assert not [leaf for leaf in differing_leaves(found, b) if leaf.a or leaf.b]


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        (
            {"profiles": [{"schedulerName": "default-scheduler"}]},
            {"profiles": [{"schedulerName": "default-scheduler"}, {"schedulerName": "batch"}]},
            ["batch: not there → there"],
        ),
        (
            {"tiers": [{"plugins": [{"name": "gang"}, {"name": "drf"}]}]},
            {"tiers": [{"plugins": [{"name": "gang", "enablePreemptable": False}]}]},
            ["tiers 1 drf: there → not there", "tiers 1 gang enablePreemptable: its default → false"],
        ),
        (None, {"profiles": [{"schedulerName": "default-scheduler"}]}, []),
    ],
)
def test_a_profile_or_a_plugin_without_settings_is_told_too(a: Any, b: Any, said: list[str]) -> None:
    assert [plain(of_leaf(leaf)) for leaf in differing_leaves(a, b)] == said


@pytest.mark.django_db
def test_what_each_change_does_alone_is_played_and_said() -> None:
    snapshot = two_nodes(2)
    a = run_of(snapshot, config=scoring("LeastAllocated"))
    edits = [{"op": "evict", "pod": "shop/run-0"}, {"op": "add", "manifest": pod("late")}]
    b = run_of(snapshot, config=scoring("MostAllocated"), edits=edits)
    before, offer = compare_with_changes(a, b)
    assert offer.is_offered
    assert [line.about for line in before.answer.lines if line.about == "alone"] == []
    rows = play_alone(a, b)
    assert [row.run.status for row in rows] == ["queued", "queued", "finished"]
    assert rows[2].run == b.baseline
    assert compare_with_changes(a, b)[1].goes_on
    for row in rows[:2]:
        execute_run(row.run.pk)
    answer = compare_with_changes(a, b)[0].answer
    said = [(plain(line.head), plain(line.says)) for line in answer.lines if line.about == "alone"]
    assert [head for head, _ in said] == [
        f"{b.edit_results[0]['sentence']} alone:",
        f"{b.edit_results[1]['sentence']} alone:",
        "NodeResourcesFit scoringStrategy type: LeastAllocated → MostAllocated alone:",
    ]
    assert said[2][1] == f"has room for a pod of 4 cpu instead of 2 (run {rows[2].run.pk})."
    assert play_alone(a, b)[0].run == rows[0].run
    listed = Run.objects.filter(baseline_key="")
    assert not listed.filter(pk__in=[row.run.pk for row in rows]).exists()
    assert not unused_baselines().exists()
    Run.objects.filter(pk=a.pk).delete()
    assert not ChangeAlone.objects.exists()
    assert {row.run.pk for row in rows[:2]} == set(unused_baselines().values_list("pk", flat=True))


@pytest.mark.django_db
def test_what_cannot_be_taken_apart_is_said_and_one_thing_is_not_offered() -> None:
    a = run_of(two_nodes(1), config=scoring("LeastAllocated"))
    other = run_of(two_nodes(2), config=scoring("MostAllocated"))
    assert compare_with_changes(a, other)[1].inseparable.startswith("The clusters differ")
    with pytest.raises(NotPossibleNow, match="The clusters differ"):
        play_alone(a, other)
    same = run_of(a.snapshot, config=scoring("MostAllocated"))
    assert not compare_with_changes(a, same)[1].changes
    with pytest.raises(NotPossibleNow, match="One thing was asked differently"):
        play_alone(a, same)
    seeded = run_of(a.snapshot, config=scoring("MostAllocated"), seed=7)
    assert len(play_alone(a, seeded)) == 2
    cancel_alone(a, seeded)
    assert compare_with_changes(a, seeded)[1].is_offered
