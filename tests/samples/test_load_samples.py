"""``load_samples``: what a first start puts on the table, and that a second one finds it there."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from dashboard.accounts.first_admin import first_administrator
from dashboard.models import Run, Scenario, Snapshot, WorkingPart
from dashboard.models.runs import NOT_BASELINE
from dashboard.services.background import execution
from dashboard.services.background.execution import execute_run
from dashboard.services.background.importing import import_uploads
from dashboard.services.background.reaping import reap, send_due_runs
from dashboard.services.workspace.runs import start_run
from samples import gallery
from samples.gallery import Sample, SampleScenario

pytestmark = [pytest.mark.django_db(transaction=True)]

SMALL = b'{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}}'


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of what was sent to the workers, in place of a broker."""
    numbers: list[int] = []
    monkeypatch.setattr(
        "dashboard.services.background.dispatch._send", lambda task, pk: numbers.append(pk) or True
    )
    return numbers


def load(*options: str) -> str:
    output = StringIO()
    call_command("load_samples", *options, stdout=output)
    return output.getvalue()


SMALL_SAMPLES = [
    "Teaching cluster",
    "Stolen room",
    "Gang deadlock on four GPUs",
    "Two queues and their shares",
    "An urgent job in its queue",
    "A job that fails and starts again",
    "Two queues over four hours",
    "Cards shared by Volcano",
    "Jobs near each other in the network",
    "Replicas that each need a rack",
    "Shared GPUs under four policies",
    "Cards by ResourceClaims",
    "A gang of eight",
]
LARGE_SAMPLES = [
    "Alibaba GPU trace 2023",
    "Alibaba GPU trace 2023, in time",
    "Alibaba GPU trace 2023, shared by HAMi",
    "Alibaba GPU trace 2023, shared by HAMi, in time",
]


def loaded() -> list[str]:
    return [snapshot.name for snapshot in Snapshot.objects.filter(is_sample=True).order_by("pk")]


def test_the_first_start_loads_the_small_samples_and_plays_them_in_the_background(
    monkeypatch: Any, sent: list[int]
) -> None:
    gentleness: list[int] = []
    monkeypatch.setattr("os.nice", gentleness.append)  # else all tests after this one wait for the others
    load("--gently", "--verbosity", "0")
    assert gentleness == [19]
    assert loaded() == SMALL_SAMPLES
    runs = list(Run.objects.filter(NOT_BASELINE).order_by("pk"))
    assert [(run.snapshot.name, run.profile, run.driver) for run in runs] == [
        ("Teaching cluster", "kube-1.37", "instant"),
        ("Teaching cluster", "kube-1.37", "instant"),
        ("Stolen room", "kube-1.8", "fifo"),
        ("Stolen room", "kube-1.11", "fifo"),
        ("Stolen room", "kube-1.8", "fifo"),
        ("Gang deadlock on four GPUs", "volcano-1.16", "instant"),
        ("Gang deadlock on four GPUs", "kube-1.36", "instant"),
        ("Two queues and their shares", "volcano-1.16", "instant"),
        ("An urgent job in its queue", "volcano-1.16", "instant"),
        ("A job that fails and starts again", "volcano-1.16", "timed"),
        ("Two queues over four hours", "volcano-1.16", "timed"),
        *2 * [("Cards shared by Volcano", "volcano-1.16", "instant")],
        *2 * [("Jobs near each other in the network", "volcano-1.16", "instant")],
        ("Replicas that each need a rack", "volcano-1.16", "instant"),
        *4 * [("Shared GPUs under four policies", "hami-2.10", "instant")],
        *2 * [("Cards by ResourceClaims", "kube-1.36", "instant")],
        *3 * [("A gang of eight", "kube-1.36", "instant")],
    ]
    assert all(run.background for run in runs)
    assert sent == []


def test_runs_of_samples_are_played_one_after_the_other(monkeypatch: Any, sent: list[int]) -> None:
    monkeypatch.setattr("dashboard.management.commands.load_samples.gallery", lambda: gallery.gallery()[:2])
    load()
    runs = list(Run.objects.order_by("pk").values_list("pk", flat=True))
    for place, run in enumerate(runs, start=1):
        assert send_due_runs() == 1
        assert send_due_runs() == reap() == 0, "another was sent while one waits"
        assert sent == runs[:place]
        execute_run(run)
    assert send_due_runs() == 0
    assert set(Run.objects.values_list("status", flat=True)) == {"finished"}


def test_runs_of_samples_wait_for_everybody_elses(monkeypatch: Any, sent: list[int]) -> None:
    monkeypatch.setattr("dashboard.management.commands.load_samples.gallery", one_sample)
    load()
    mine = start_run(None, Scenario.objects.get())
    assert sent == [mine.pk]
    assert send_due_runs() == 0
    execute_run(mine.pk)
    assert send_due_runs() == 1


def test_a_run_of_a_sample_lets_everybody_elses_go_first(monkeypatch: Any, sent: list[int]) -> None:
    monkeypatch.setattr(execution, "SHARE_SECONDS", 3600)
    monkeypatch.setattr("dashboard.management.commands.load_samples.gallery", lambda: gallery.gallery()[:1])
    load()
    run = Run.objects.order_by("pk")[0]
    start_run(None, run.scenario)
    execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.owner) == ("running", "")


@pytest.fixture(scope="module")
def large() -> list[Sample]:
    return [sample for sample in gallery.gallery() if sample.large]


def test_the_large_samples_are_loaded_by_hand_too(sent: list[int]) -> None:
    printed = load("--all")
    assert loaded() == [*SMALL_SAMPLES, *LARGE_SAMPLES]
    assert "1,523 nodes and 8,152 pods" in printed
    [in_time] = Scenario.objects.filter(profile="hami-2.10", driver="timed")
    assert (len(in_time.edits), in_time.until) == (8152, 12_902_960)
    of_large = Run.objects.filter(NOT_BASELINE, snapshot__name__in=LARGE_SAMPLES).order_by("pk")
    assert [(run.snapshot.name, run.profile, run.driver) for run in of_large] == [
        ("Alibaba GPU trace 2023", "kube-1.37", "instant"),
        ("Alibaba GPU trace 2023, in time", "kube-1.37", "timed"),
        ("Alibaba GPU trace 2023, shared by HAMi", "hami-2.10", "instant"),
    ]


def test_a_large_sample_is_loaded_by_a_press(client: Client, sent: list[int], large: list[Sample]) -> None:
    client.force_login(first_administrator())
    page = client.get("/samples/").text
    assert all(f'<input type="hidden" name="name" value="{name}">' in page for name in LARGE_SAMPLES)
    name = LARGE_SAMPLES[2]
    answer = client.post("/samples/load/", {"name": name})
    snapshot = Snapshot.objects.get()
    assert answer["Location"] == f"/snapshots/{snapshot.pk}/"
    assert (snapshot.status, sent) == ("importing", [snapshot.pk])
    client.post("/samples/load/", {"name": name})
    assert Snapshot.objects.count() == 1, "a second press loads it once more"
    page = client.get("/samples/").text
    assert f'value="{name}"' not in page
    assert "is being loaded" in page
    import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert (snapshot.status, snapshot.counts["Node"]) == ("ready", 1523)
    assert snapshot.warnings[0] == large[2].notes[0]
    waiting = Scenario.objects.filter(runs=None).order_by("pk")
    assert [scenario.name for scenario in waiting] == [
        "Nodes binpack, cards spread",
        "Nodes spread, cards binpack",
        "Nodes spread, cards spread",
    ]
    page = client.get("/samples/").text
    for scenario in waiting:
        assert f'action="/scenarios/{scenario.pk}/run/"' in page, scenario.name


def test_only_large_samples_are_loaded_by_a_press_and_only_by_operators(client: Client, bob: Any) -> None:
    client.force_login(first_administrator())
    assert client.post("/samples/load/", {"name": "Teaching cluster"}).status_code == 404
    assert client.get("/samples/load/").status_code == 405
    client.force_login(bob)
    assert client.post("/samples/load/", {"name": LARGE_SAMPLES[0]}).status_code == 403
    assert "Load this sample" not in client.get("/samples/").text
    assert not Snapshot.objects.exists()


def test_the_page_of_samples_says_that_they_are_being_loaded(monkeypatch: Any, client: Client) -> None:
    client.force_login(first_administrator())
    assert "are being loaded" not in client.get("/samples/").text

    def files() -> Any:
        assert "are being loaded" in client.get("/samples/").text
        return [("small.json", SMALL)]

    one = [Sample("Small", files, [SampleScenario("As it is")])]
    monkeypatch.setattr("dashboard.management.commands.load_samples.gallery", lambda: one)
    load()
    assert loaded() == ["Small"]
    WorkingPart.objects.all().delete()  # as the process does by ending
    assert "are being loaded" not in client.get("/samples/").text


def test_runs_of_samples_leave_the_first_page_as_it_is(monkeypatch: Any, client: Client) -> None:
    monkeypatch.setattr("dashboard.management.commands.load_samples.gallery", one_sample)
    reader = first_administrator()
    client.force_login(reader)
    assert "Play it through" in client.get("/").text
    load()
    assert "Play it through" in client.get("/").text
    start_run(reader, Scenario.objects.get())
    page = client.get("/").text
    assert "Play it through" not in page
    assert "Where you were" in page


def test_the_teaching_runs_play_to_their_end_as_the_engine_plays_them(monkeypatch: Any) -> None:
    small = gallery.gallery()[:1]
    monkeypatch.setattr("dashboard.management.commands.load_samples.gallery", lambda: small)
    load()
    for run in Run.objects.order_by("pk"):
        execute_run(run.pk)
    assert [(run.status, run.decisions) for run in Run.objects.filter(NOT_BASELINE).order_by("pk")] == [
        ("finished", 14),
        ("finished", 20),
    ]


def test_the_page_of_samples_offers_the_two_versions_of_the_stolen_room_side_by_side(
    monkeypatch: Any, client: Client
) -> None:
    stolen_room = gallery.gallery()[1:2]
    monkeypatch.setattr("dashboard.management.commands.load_samples.gallery", lambda: stolen_room)
    client.force_login(first_administrator())
    load()
    for run in Run.objects.order_by("pk"):
        execute_run(run.pk)
    old, new, _ = Run.objects.filter(NOT_BASELINE).order_by("pk")
    page = client.get("/samples/").content.decode()
    address = f"/compare/?a={old.pk}&amp;b={new.pk}"
    assert f'kube-1.8 beside kube-1.11</span>\n    <a class="button" href="{address}"' in page
    assert "was taken by finance/report-1" in client.get(f"/compare/?a={old.pk}&b={new.pk}").content.decode()


def test_the_first_page_offers_the_gangs_that_kube_scheduler_and_volcano_start_side_by_side(
    monkeypatch: Any, client: Client
) -> None:
    [gangs] = [sample for sample in gallery.gallery() if sample.name.startswith("Gang deadlock")]
    monkeypatch.setattr("dashboard.management.commands.load_samples.gallery", lambda: [gangs])
    client.force_login(first_administrator())
    load()
    for run in Run.objects.order_by("pk"):
        execute_run(run.pk)
    volcano, kube = Run.objects.filter(NOT_BASELINE).order_by("pk")
    address = f"/compare/?a={volcano.pk}&b={kube.pk}"
    assert address.replace("&", "&amp;") in client.get("/samples/").text
    assert "none of 2 gangs is whole and 2 are half placed" in client.get(address).text


def one_sample(*notes: str) -> list[Sample]:
    return [Sample("Small", lambda: [("small.json", SMALL)], [SampleScenario("As it is")], notes)]


def test_a_second_start_adds_nothing_and_says_nothing(monkeypatch: Any) -> None:
    monkeypatch.setattr("dashboard.management.commands.load_samples.gallery", one_sample)
    load()
    assert load() == ""
    assert (Snapshot.objects.count(), Scenario.objects.count(), Run.objects.count()) == (1, 1, 1)


def test_a_start_that_broke_after_the_import_is_made_good(monkeypatch: Any) -> None:
    monkeypatch.setattr("dashboard.management.commands.load_samples.gallery", one_sample)
    load()
    Run.objects.all().delete()
    Scenario.objects.all().delete()
    load()
    assert (Snapshot.objects.count(), Scenario.objects.count(), Run.objects.count()) == (1, 1, 1)


def test_a_snapshot_of_one_s_own_with_a_sample_s_name_is_left_alone(monkeypatch: Any) -> None:
    monkeypatch.setattr("dashboard.management.commands.load_samples.gallery", one_sample)
    load()
    Snapshot.objects.update(is_sample=False)
    load()
    assert Snapshot.objects.filter(name="Small").count() == 2


def test_what_a_sample_cannot_show_is_said_on_its_page(monkeypatch: Any) -> None:
    monkeypatch.setattr(
        "dashboard.management.commands.load_samples.gallery", lambda: one_sample("No single cards.")
    )
    load()
    assert Snapshot.objects.get().warnings[0] == "No single cards."
