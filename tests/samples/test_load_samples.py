"""``load_samples``: what a first start puts on the table, and that a second one finds it there."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from dashboard.accounts.first_admin import first_administrator
from dashboard.models import Run, Scenario, Snapshot
from dashboard.services.execution import execute_run
from samples import gallery
from samples.gallery import Sample, SampleScenario

pytestmark = [pytest.mark.django_db(transaction=True)]

SMALL = b'{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}}'


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of what was sent to the workers, in place of a broker."""
    numbers: list[int] = []
    monkeypatch.setattr("dashboard.services.dispatch._send", lambda task, pk: numbers.append(pk) or True)
    return numbers


def load() -> str:
    output = StringIO()
    call_command("load_samples", stdout=output)
    return output.getvalue()


def test_the_first_start_loads_the_samples_and_starts_the_small_ones_first(sent: list[int]) -> None:
    printed = load()
    assert [snapshot.name for snapshot in Snapshot.objects.filter(is_sample=True).order_by("pk")] == [
        "Teaching cluster",
        "Stolen room",
        "Gang deadlock on four GPUs",
        "Two queues and their shares",
        "An urgent job in its queue",
        "A job that fails and starts again",
        "Two queues over four hours",
        "Shared GPUs under four policies",
        "Alibaba GPU trace 2023",
        "Alibaba GPU trace 2023, in time",
        "Alibaba GPU trace 2023, shared by HAMi",
        "Alibaba GPU trace 2023, shared by HAMi, in time",
    ]
    runs = list(Run.objects.order_by("pk"))
    assert [(run.snapshot.name, run.profile, run.driver) for run in runs] == [
        ("Teaching cluster", "kube-1.36", "instant"),
        ("Teaching cluster", "kube-1.36", "instant"),
        ("Stolen room", "kube-1.8", "fifo"),
        ("Stolen room", "kube-1.11", "fifo"),
        ("Stolen room", "kube-1.8", "fifo"),
        ("Gang deadlock on four GPUs", "volcano-1.16", "instant"),
        ("Gang deadlock on four GPUs", "kube-1.36", "instant"),
        ("Two queues and their shares", "volcano-1.16", "instant"),
        ("An urgent job in its queue", "volcano-1.16", "instant"),
        ("A job that fails and starts again", "volcano-1.16", "timed"),
        ("Two queues over four hours", "volcano-1.16", "timed"),
        *4 * [("Shared GPUs under four policies", "hami-2.10", "instant")],
        ("Alibaba GPU trace 2023", "kube-1.36", "instant"),
        ("Alibaba GPU trace 2023, in time", "kube-1.36", "timed"),
        ("Alibaba GPU trace 2023, shared by HAMi", "hami-2.10", "instant"),
    ]
    assert sent == [run.pk for run in runs]
    assert "1,523 nodes and 8,152 pods" in printed
    [in_time] = Scenario.objects.filter(profile="hami-2.10", driver="timed")
    assert (len(in_time.edits), in_time.until) == (8152, 12_902_960)


def test_what_takes_long_is_offered_to_be_run_by_a_press(client: Client) -> None:
    printed = load()
    waiting = list(Scenario.objects.filter(runs=None).order_by("pk").values_list("name", flat=True))
    assert waiting == [
        "Nodes binpack, cards spread",
        "Nodes spread, cards binpack",
        "Nodes spread, cards spread",
        "All tasks as they came and went, cards shared by HAMi",
    ]
    assert f"in time: to be run by a press: {waiting[-1]}" in printed
    client.force_login(first_administrator())
    page = client.get("/").text
    for scenario in Scenario.objects.filter(runs=None):
        assert f'action="/scenarios/{scenario.pk}/run/"' in page, scenario.name


def test_the_teaching_runs_play_to_their_end_as_the_engine_plays_them(monkeypatch: Any) -> None:
    small = gallery.gallery()[:1]
    monkeypatch.setattr("dashboard.management.commands.load_samples.gallery", lambda: small)
    load()
    for run in Run.objects.order_by("pk"):
        execute_run(run.pk)
    assert [(run.status, run.decisions) for run in Run.objects.order_by("pk")] == [
        ("finished", 14),
        ("finished", 20),
    ]


def test_the_first_page_offers_the_two_versions_of_the_stolen_room_side_by_side(
    monkeypatch: Any, client: Client
) -> None:
    stolen_room = gallery.gallery()[1:2]
    monkeypatch.setattr("dashboard.management.commands.load_samples.gallery", lambda: stolen_room)
    client.force_login(first_administrator())
    load()
    for run in Run.objects.order_by("pk"):
        execute_run(run.pk)
    old, new, _ = Run.objects.order_by("pk")
    page = client.get("/").content.decode()
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
    volcano, kube = Run.objects.order_by("pk")
    address = f"/compare/?a={volcano.pk}&b={kube.pk}"
    assert address.replace("&", "&amp;") in client.get("/").text
    assert "none of 2 gangs is whole and 2 are half placed" in client.get(address).text


def one_sample(*notes: str) -> list[Sample]:
    return [Sample("Small", lambda: [("small.json", SMALL)], [SampleScenario("As it is")], notes)]


def test_a_second_start_adds_nothing_and_says_nothing(monkeypatch: Any, sent: list[int]) -> None:
    monkeypatch.setattr("dashboard.management.commands.load_samples.gallery", one_sample)
    load()
    assert load() == ""
    assert (Snapshot.objects.count(), Scenario.objects.count(), Run.objects.count()) == (1, 1, 1)
    assert len(sent) == 1


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
