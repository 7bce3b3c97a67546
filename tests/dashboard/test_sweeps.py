"""Sweeps: the grid of settings, the runs that play it, and what is said of them."""

import html
from typing import Any

import pytest
from django.test import Client

from dashboard.answers.printers.words import plain
from dashboard.answers.swept import answer_of_sweep
from dashboard.errors import sentences_of
from dashboard.kinds.volcano.sweepable import sweepable
from dashboard.models import Run, Scenario, Sweep
from dashboard.queries.config_paths import value_at, with_value
from dashboard.queries.configurations import configurations_of
from dashboard.services.background import execution
from dashboard.services.background.execution import execute_run
from dashboard.services.background.reaping import reap, send_due_runs
from dashboard.services.background.retention import prune_runs
from dashboard.services.results.run_sums import settled_sums
from dashboard.services.results.sweeps import swept
from dashboard.services.workspace.baselines import asked_of, unused_baselines
from dashboard.services.workspace.scenarios import create_scenario, update_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from dashboard.services.workspace.sweeps.choices import choices_of
from dashboard.services.workspace.sweeps.playing import cancel_sweep, delete_sweep, play_again, start_sweep
from scheduler_core.objects.problems import BadInput
from tests.dashboard.rows import listing, node, pod, whole_log
from tests.dashboard.test_suggesting import VOLCANO_MAP

pytestmark = pytest.mark.django_db

NODE = {"op": "add-nodes", "namePrefix": "new-", "count": 1, "allocatable": {"cpu": "2", "memory": "8Gi"}}
NEW_NODES = {"field": "edits", "path": [0, "count"], "values": [0, 1, 2]}
SCORING_PATH = (
    "profiles", "default-scheduler", "pluginConfig", "NodeResourcesFit", "args", "scoringStrategy",
)  # fmt: skip
SCORING = {"field": "config", "path": list(SCORING_PATH), "values": ["LeastAllocated", "MostAllocated"]}


def small_cluster() -> bytes:
    """Small pods, then large ones that fit only where the small ones were packed."""
    small = [pod(f"small-{number}", cpu="1", priority=10) for number in range(4)]
    large = [pod(f"large-{number}", cpu="4") for number in range(3)]
    return listing(node("a"), node("b"), *small, *large)


@pytest.fixture
def scenario(alice: Any) -> Scenario:
    """A new node of 2 cpu beside two of 4."""
    snapshot = import_snapshot(alice, "prod", [("c.json", small_cluster())])
    fields = {"name": "grow", "snapshot": snapshot, "profile": "kube-1.37", "edits": [NODE]}
    return create_scenario(alice, fields)


def play(sweep: Sweep) -> None:
    """Play all of it, as a worker does."""
    for run in Run.objects.filter(sweep_points__sweep=sweep, status="queued").distinct():
        execute_run(run.pk)


def said(sweep: Sweep) -> str:
    """The sentence of a sweep."""
    return plain(answer_of_sweep(swept(sweep)).lead)


def test_every_point_is_a_run_in_no_list_and_the_best_settings_come_first(
    alice: Any, scenario: Scenario
) -> None:
    sweep = start_sweep(alice, scenario, [SCORING, NEW_NODES])
    found = swept(sweep)
    assert [one.names for one in found.settings] == [
        (scoring, count) for scoring in ("LeastAllocated", "MostAllocated") for count in "012"
    ]
    assert [one.names for one in found.settings if one.is_today] == [("LeastAllocated", "1")]
    assert said(sweep) == "0 of 6 runs are played. "
    play(sweep)
    assert [len(row.run.edits) for row in sweep.points.all()] == [0, 1, 1] * 2
    assert said(sweep) == (
        "NodeResourcesFit scoring = MostAllocated, how many of new = 2 leaves 1 pod without a node, today's "
        "settings 3. With as many nodes as today NodeResourcesFit scoring = MostAllocated, how many of new = "
        "1 leaves 2."
    )
    best, decides, runs = answer_of_sweep(swept(sweep)).tables
    assert [plain(cell) for cell in decides.rows[0]] == ["without a node", "80 %", "10 %", "10 %"]
    assert [plain(cell) for cell in best.rows[-1][:3]] == ["5, today", "LeastAllocated", "1"]
    waiting = {plain(row[0]): int(plain(row[3])) for row in best.rows}
    assert [waiting[place] for place in sorted(waiting)] == sorted(waiting.values())
    assert "5" not in waiting, "each place is that among all"
    assert len(runs.rows) == 6
    assert not Run.objects.filter(baseline_key="").exists()
    assert not unused_baselines().exists()
    assert Run.objects.filter(outcome__isnull=False).first().outcome["emptiable"] is None


def test_a_question_that_somebody_has_asked_is_not_played_again(alice: Any, scenario: Scenario) -> None:
    first = start_sweep(alice, scenario, [SCORING])
    second = start_sweep(alice, scenario, [{**SCORING, "values": ["MostAllocated"]}])
    shared = {row.run_id for row in second.points.all()}
    assert shared == {row.run_id for row in first.points.all()}
    cancel_sweep(first)
    assert swept(second).done == 0
    delete_sweep(first)
    assert not unused_baselines().exists()
    delete_sweep(second)
    prune_runs()
    assert not Run.objects.exists()


def test_what_was_cancelled_is_told_and_played_after_all(alice: Any, scenario: Scenario) -> None:
    sweep = start_sweep(alice, scenario, [SCORING, NEW_NODES])
    execute_run(sweep.points.first().run_id)
    cancel_sweep(sweep)
    found = swept(sweep)
    assert (found.done, found.played, found.missing, found.goes_on) == (6, 1, 5, False)
    assert said(sweep) == (
        "1 of 6 runs were played. NodeResourcesFit scoring = LeastAllocated, how many of new = 0 leaves 3 "
        "pods without a node; today's settings were not played."
    )
    assert {one.state for one in found.points} == {"played", "ended"}
    update_scenario(scenario, 1, {"edits": []})
    play_again(sweep)
    play(sweep)
    found = swept(sweep)
    assert (found.played, found.missing) == (6, 0)
    assert [len(row.run.edits) for row in sweep.points.all()] == [0, 1, 1] * 2


def test_what_a_killed_worker_leaves_is_played_by_another(
    alice: Any, scenario: Scenario, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(
        "dashboard.services.background.dispatch._send", lambda task, pk: sent.append(pk) or True
    )
    settings.WORKERS = 2
    sweep = start_sweep(alice, scenario, [SCORING, NEW_NODES])
    first, second, third, *_ = (row.run_id for row in sweep.points.all())
    assert (send_due_runs(), sent) == (2, [first, second])
    for number in sent:  # both workers take one and are killed
        Run.objects.filter(pk=number).update(
            status="running", owner="gone:1:1:0", heartbeat_at="2020-01-01T00:00Z", dispatched_at=None
        )
    assert (send_due_runs(), sent) == (0, [first, second])
    reap()
    sent.clear()
    assert (send_due_runs(), sent) == (2, [first, second])
    execute_run(first)
    assert (send_due_runs(), Run.objects.get(pk=third).status) == (0, "queued")
    execute_run(second)
    assert (send_due_runs(), sent[-1] != second) == (2, True)
    play(sweep)
    assert swept(sweep).played == 6


class Killed(BaseException):
    """A worker is gone between two decisions."""


def kill_in_the_middle(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play a run up to its fifth decision, of which four are stored, and let it wait for another worker."""
    step = execution.Player._step

    def until_it_is_killed(player: execution.Player) -> Any:
        if player.simulation.seq == 5:
            raise Killed
        return step(player)

    with monkeypatch.context() as patched:
        patched.setattr(execution, "SWEPT_CHUNK_DECISIONS", 2)
        patched.setattr(execution.Player, "_step", until_it_is_killed)
        with pytest.raises(Killed):
            execute_run(run.pk)
    Run.objects.filter(pk=run.pk).update(status="queued", owner="")
    assert Run.objects.get(pk=run.pk).decisions == 4


def test_a_run_of_a_sweep_says_what_the_same_run_says_outside_of_it_also_where_a_worker_was_killed(
    alice: Any, scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    drain = {"op": "drain", "node": "a"}
    scenario = update_scenario(scenario, 1, {"edits": [NODE, drain]})
    sweep = start_sweep(alice, scenario, [SCORING, NEW_NODES])
    kill_in_the_middle(sweep.points.all()[1].run, monkeypatch)
    play(sweep)
    for swept_run in Run.objects.filter(sweep_points__sweep=sweep):
        fields = asked_of(swept_run) | {"edits": swept_run.edits, "snapshot": swept_run.snapshot}
        alone = Run.objects.create(**fields)
        execute_run(alone.pk)
        alone.refresh_from_db()
        assert swept_run.decisions == alone.decisions > 0
        assert swept_run.over_time is None
        assert whole_log(swept_run) == whole_log(alone)
        assert settled_sums(swept_run).over_time == alone.over_time
        assert swept_run.outcome == alone.outcome | {"emptiable": None}
        for name in ("base", "trust", "edit_results", "progress"):
            assert getattr(swept_run, name) == getattr(alone, name), name


def test_schedulers_of_several_kinds_play_a_tournament(alice: Any, scenario: Scenario) -> None:
    values = ["kube-1.37", "kube-1.28", "volcano-1.16", "hami-2.10, nodes spread, cards binpack"]
    sweep = start_sweep(alice, scenario, [{"field": "scheduler", "values": values}])
    play(sweep)
    found = swept(sweep)
    assert [row.run.profile for row in sweep.points.all()] == [
        "kube-1.37", "kube-1.28", "volcano-1.16", "hami-2.10",
    ]  # fmt: skip
    by_name = {one.names[0]: one.figures[0] for one in found.settings}
    assert by_name["volcano-1.16"].unserved == by_name["volcano-1.16"].without_node == 7
    answer = answer_of_sweep(found)
    assert (
        "No setting leaves fewer pods without a node than today's: 3; the others leave up to 7. "
        "In 2 other settings 7 pods get no decision." in said(sweep)
    )
    told = [plain(line.head) + " " + plain(line.says) for line in answer.lines]
    assert told == [
        f"scheduler = {name}: 7 pods get no decision: no scheduler that takes part serves them, "
        "or what they ask for isn't modelled there."
        for name in values[2:]
    ]  # those name other schedulers by schedulerName


def test_things_of_one_title_are_told_apart_by_their_paths(alice: Any, scenario: Scenario) -> None:
    update_scenario(scenario, 1, {"edits": [NODE, {**NODE, "allocatable": {"cpu": "4", "memory": "8Gi"}}]})
    counts = [{"field": "edits", "path": [edit, "count"], "values": [1, 2]} for edit in (0, 1)]
    sweep = start_sweep(alice, scenario, counts)
    best = answer_of_sweep(swept(sweep)).tables[0]
    assert [column.key for column in best.columns[1:3]] == [
        "how many of new (edits.0.count)",
        "how many of new (edits.1.count)",
    ]


def test_policies_in_a_tournament_keep_all_else_that_the_scenario_has_set(scenario: Scenario) -> None:
    config = {"gpuSchedulerPolicy": "binpack", "enableIluvatar": True}
    update_scenario(scenario, 1, {"profile": "hami-2.10", "config": config})
    policies = [one.value for one in choices_of(scenario)[0].dimension.values if ", nodes " in one.name]
    assert [one["config"]["enableIluvatar"] for one in policies] == [True] * 4
    assert {one["config"]["gpuSchedulerPolicy"] for one in policies} == {"binpack", "spread"}
    update_scenario(scenario, 2, {"profile": "kube-1.37", "config": None})
    others = [one.value for one in choices_of(scenario)[0].dimension.values if ", nodes " in one.name]
    assert "enableIluvatar" not in others[0]["config"]


def test_a_tournament_offers_schedulers_as_the_import_configures_them(alice: Any) -> None:
    cluster = import_snapshot(alice, "volcano", [("c.json", listing(node("a"), VOLCANO_MAP))])
    scenario = create_scenario(alice, {"name": "x", "snapshot": cluster, "profile": "kube-1.37"})
    offered = {one.name: one.value for one in choices_of(scenario)[0].dimension.values}
    name = "volcano-1.16 as volcano-system/volcano-scheduler-configmap has it"
    [found] = configurations_of(cluster)
    assert offered[name] == {"profile": "volcano-1.16", "config": found.config}
    sweep = start_sweep(alice, scenario, [{"field": "scheduler", "values": ["kube-1.37", name]}])
    assert [row.run.config for row in sweep.points.all()][1] == found.config
    theirs = create_scenario(alice, {"name": "y", "snapshot": cluster, "profile": "volcano-1.16"})
    assert name not in {one.name for one in choices_of(theirs)[0].dimension.values}


def test_of_several_seeds_the_worst_run_counts_and_no_seed_is_recommended(
    alice: Any, scenario: Scenario
) -> None:
    seeds = {"field": "seed", "values": [1, 2, 3]}
    sweep = start_sweep(alice, scenario, [SCORING, seeds])
    assert len(swept(sweep).settings) == 2
    play(sweep)
    assert said(sweep).startswith("NodeResourcesFit scoring = MostAllocated leaves at most 2 pods")
    alone = start_sweep(alice, scenario, [seeds])
    play(alone)
    assert said(alone) == "Over 3 seeds 3 pods are left without a node, and 0 evicted."
    assert [len(one.points) for one in swept(alone).settings] == [3]


def test_settings_that_ask_for_less_are_told_and_never_ranked(alice: Any, scenario: Scenario) -> None:
    large = {"apiVersion": "v1", "kind": "Pod", **{k: pod("more", cpu="3")[k] for k in ("metadata", "spec")}}
    update_scenario(scenario, 1, {"edits": [{"op": "add", "manifest": large, "replicas": 2}]})
    replicas = {"field": "edits", "path": [0, "replicas"], "values": [0, 2, 4]}
    sweep = start_sweep(alice, scenario, [replicas])
    play(sweep)
    assert said(sweep) == (
        "Today's settings leave 5 pods without a node. Above today's replicas of more = 2 more are left: "
        "7 at 4."
    )
    assert [place for place, one in enumerate(swept(sweep).settings) if one.is_ranked] == [1]
    [row] = answer_of_sweep(swept(sweep)).tables[0].rows
    assert plain(row[0]) == "1, today"


@pytest.mark.parametrize(
    ("dimensions", "told"),
    [
        ([], "sweep dimensions: must be a list of 1 to 3"),
        ([{"field": "moon", "values": [1]}], "dimensions[0] field: must be one of"),
        ([{"field": "seed", "values": []}], "dimensions[0] values: must be a list of at least one value"),
        ([{"field": "seed", "values": [1, 1]}], "dimensions[0] values[1]: 1 is there twice"),
        ([{"field": "seed", "values": ["a"]}], "dimensions[0] values[0]: must be a whole number or null"),
        ([{"field": "seed", "values": list(range(200))}, SCORING], "make 400 runs"),
        ([SCORING, SCORING], "dimensions[1] path: is that of another dimension, too"),
        ([SCORING, {**NEW_NODES, "values": [1, -1]}], "dimensions[1] values[1]: -1: edits[0] count: must be"),
        ([{**NEW_NODES, "path": [1, "count"]}], "dimensions[0] path: begins with the number of an edit, 0"),
        ([{**NEW_NODES, "path": [0, "count", "x"]}], "count is a plain value, which has no x"),
        ([{**SCORING, "values": ["Least"]}], "dimensions[0] values[0]: Least:"),
        ([{"field": "scheduler", "values": ["kube-9"]}], "dimensions[0] values[0]: must name a scheduler"),
        ([{"field": "scheduler", "values": [{"profile": "kube-1.37", "config": 1}]}], "must have a config"),
    ],
)
def test_what_is_wrong_names_the_dimension_and_the_field(
    alice: Any, scenario: Scenario, dimensions: Any, told: str
) -> None:
    with pytest.raises(BadInput) as caught:
        start_sweep(alice, scenario, dimensions)
    assert told in sentences_of(caught.value)
    assert not Run.objects.exists()
    assert not Sweep.objects.exists()


def test_settings_that_cannot_be_together_are_told_and_the_others_are_played(
    alice: Any, scenario: Scenario
) -> None:
    schedulers = {"field": "scheduler", "values": ["kube-1.37", "volcano-1.16"]}
    sweep = start_sweep(alice, scenario, [schedulers, SCORING])
    play(sweep)
    points = {one.names: one.points[0] for one in swept(sweep).settings}
    for scoring in ("LeastAllocated", "MostAllocated"):
        assert points["kube-1.37", scoring].state == "played"
        assert points["volcano-1.16", scoring].state == "refused"
        assert "is a setting of kube-scheduler" in points["volcano-1.16", scoring].why


def test_a_run_whose_input_is_wrong_is_not_possible_and_not_offered_again(
    alice: Any, scenario: Scenario
) -> None:
    """What an admission refuses is found out as the run begins."""
    quota = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "few", "namespace": "shop"}}
    manifest = {**quota, "spec": {"hard": {"pods": "x"}}}
    sweep = start_sweep(alice, scenario, [SCORING])
    wrong = Run.objects.filter(sweep_points__sweep=sweep).latest("pk")
    wrong.edits = [{"op": "add", "manifest": manifest}]
    wrong.save(update_fields=["edits"])
    play(sweep)
    [_, point] = swept(sweep).points
    assert (point.state, swept(sweep).missing) == ("refused", 0)
    assert "pods" in point.why
    play_again(sweep)
    assert not Run.objects.filter(status="queued").exists()


def test_a_scenario_offers_what_it_has_with_todays_values(alice: Any, scenario: Scenario) -> None:
    offered = {one.key: (one.dimension.title, one.dimension.today) for one in choices_of(scenario)}
    assert offered["config", *SCORING_PATH] == ("NodeResourcesFit scoring", "LeastAllocated")
    assert offered["edits", "0", "count"] == ("how many of new", "1")
    assert offered[("seed",)] == ("seed", "none")
    update_scenario(scenario, 1, {"profile": "hami-2.10", "config": None})
    offered = {one.key: (one.dimension.title, one.dimension.today) for one in choices_of(scenario)}
    assert offered["config", "nodeSchedulerPolicy"] == ("node policy", "binpack")
    update_scenario(scenario, 2, {"profile": "volcano-1.16"})
    offered = {one.key: (one.dimension.title, one.dimension.today) for one in choices_of(scenario)}
    weight = ("config", "tiers", "2", "plugins", "binpack", "arguments", "binpack.weight")
    assert offered[weight] == ("binpack binpack.weight", "")
    assert offered["config", "actions"] == ("actions", "enqueue, allocate, backfill")


def test_actions_that_evict_can_be_left_out_as_well_as_added() -> None:
    [actions, *_] = sweepable({"actions": "enqueue, reclaim, allocate, preempt, backfill"})
    assert [value for _, value in actions.usual] == [
        "enqueue, reclaim, allocate, preempt, backfill",
        "enqueue, allocate, backfill",
        "enqueue, allocate, preempt, backfill",
        "enqueue, reclaim, allocate, backfill",
    ]
    [actions, *_] = sweepable({"actions": "enqueue, allocate"})
    assert [value for _, value in actions.usual] == [
        "enqueue, allocate",
        "enqueue, allocate, preempt",
        "enqueue, allocate, reclaim",
        "enqueue, allocate, preempt, reclaim",
    ]


def test_a_value_is_put_where_its_keys_lead_and_lists_are_read_by_name() -> None:
    begun: dict[str, list[Any]] = {"profiles": [], "resources": [{"name": "cpu", "weight": 1}]}
    path = ("profiles", "default-scheduler", "resources", "memory", "weight")
    found = with_value({"profiles": [{"args": 1}]}, path, 3, begun)
    assert found == {
        "profiles": [
            {"args": 1, "resources": [{"name": "cpu", "weight": 1}, {"name": "memory", "weight": 3}]}
        ]
    }
    assert value_at(found, path) == 3
    assert with_value({"a": {"b": 1}}, ["a", "b"], None, {}) == {"a": {}}
    with pytest.raises(ValueError, match="has 1 entries, no 3"):
        with_value({"tiers": [{}]}, ["tiers", "3", "x"], 1, {})


# -- the pages ------------------------------------------------------------------------------


def test_a_sweep_is_asked_for_by_a_form_and_read_on_its_page(
    client: Client, alice: Any, scenario: Scenario
) -> None:
    client.force_login(alice)
    address = f"/scenarios/{scenario.pk}/sweeps/"
    scoring, nodes, seed = (_field(scenario, key) for key in (("config", *SCORING_PATH), _COUNT, ("seed",)))
    assert client.post(address).status_code == 400
    wrong = client.post(address, {nodes: "1, -1"})
    assert wrong.status_code == 400
    assert "-1: edits[0] count: must be" in html.unescape(wrong.text)
    assert 'value="1, -1"' in wrong.text
    too_many = client.post(address, {seed: " ".join(map(str, range(201)))})
    assert "201 runs with the scenario as it is: at most 200" in too_many.text
    answer = client.post(address, {scoring: ["LeastAllocated", "MostAllocated"], nodes: "0, 1, 2"})
    page = client.get(answer.url)
    assert "0 of 6 runs are played" in page.text
    assert f'hx-get="{answer.url}"' in page.text
    for part in ("sweep-now", "sweep-played", "best"):  # the head and the best settings keep up with it
        assert f'id="{part}"' in page.text
    assert 'hx-select-oob="#sweep-played,#best"' in page.text
    assert '<span id="sweep-played">0 of 6 runs played</span>' in page.text
    sweep = Sweep.objects.get()
    play(sweep)
    assert client.get(answer.url, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    page = client.get(answer.url)
    assert "leaves <b>1 pod</b><b> without a node</b>" in page.text
    first, *_, last = (row.run_id for row in sweep.points.all())
    assert f'action="{answer.url}cancel/"' not in page.text
    for run in (first, last):
        assert f'href="/runs/{run}/outcome/"' in page.text
    data = page.context["pictures"]
    assert [chart["id"] for chart in data] == ["sweep-points", "sweep-lines"]
    lines = {one["name"]: (one["x"], one["y"]) for one in data[1]["series"]}
    assert lines == {"LeastAllocated": ([0, 1, 2], [3, 3, 3]), "MostAllocated": ([0, 1, 2], [2, 2, 1])}
    grid = page.context["grid"]
    assert [cell.number for _, cells in grid.rows for cell in cells] == ["3", "3", "3", "2", "2", "1"]
    assert [cell.is_framed for _, cells in grid.rows for cell in cells] == [False] * 3 + [True, False, True]
    rows = client.get(f"{answer.url}?table=runs&format=csv").text.splitlines()
    assert (len(rows), rows[0][:62]) == (
        7, "run,is_today,NodeResourcesFit scoring,how many of new,pods_wit",
    )  # fmt: skip
    compared = client.get(f"/compare/?ticked=1&run={first}&run={last}")
    assert compared.url == f"/compare/?run={first}&run={last}"
    client.post(f"{answer.url}delete/")
    assert not Sweep.objects.exists()
    assert client.get(answer.url, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    assert client.get(answer.url).status_code == 404


def _field(scenario: Scenario, key: tuple[str, ...]) -> str:
    return f"c{[one.key for one in choices_of(scenario)].index(key)}"


_COUNT = ("edits", "0", "count")


def test_what_the_runs_rest_on_stands_once_below_them_all(
    client: Client, alice: Any, scenario: Scenario
) -> None:
    client.force_login(alice)
    sweep = start_sweep(alice, scenario, [SCORING])
    play(sweep)
    a, b = (point.run for point in swept(sweep).points)
    lacking = (
        "No PodDisruptionBudgets in the import: evictions may be refused or weighed otherwise in reality."
    )
    assert plain(answer_of_sweep(swept(sweep)).trust[0]) == lacking
    both = f"a={a}&b={b}"
    assert client.get(f"/api/v1/compare/answer/?{both}").text.count(lacking) == 1
    for address in (f"/sweeps/{sweep.pk}/", f"/compare/?{both}"):
        assert client.get(address).text.partition('data-part="rests-on"')[2].count(lacking) == 1, address
