"""Who works where: what workers and the reaper tell, and when they count as gone."""

import signal
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db.models.functions import Now

from dashboard.management.commands import reap as reap_command
from dashboard.models import WorkingPart
from dashboard.services.background import attendance
from dashboard.services.background.attendance import (
    Loop,
    is_left_to_others,
    note_present,
    places_for_runs,
    present_parts,
)
from dashboard.services.background.leases import machine
from tests.dashboard.processes import START_SECONDS, Processes, wait_until
from tests.fixtures.database import whichever_database

SECONDS = 60


def note_elsewhere(name: str, owner: str, seconds: float) -> None:
    WorkingPart.objects.create(name=name, owner=owner, absent_at=Now() + timedelta(seconds=seconds))


def test_a_part_is_present_until_its_time_is_over(db: None) -> None:
    note_elsewhere("worker", "elsewhere:1:1", 30)
    note_elsewhere("importer", "elsewhere:1:1", -1)
    assert present_parts() == {"worker"}


def test_a_process_of_this_machine_that_is_gone_counts_no_more_at_once(db: None) -> None:
    note_elsewhere("worker", f"{machine()}:{2**22 + 1}:1", 30)
    note_present(["importer"])
    assert present_parts() == {"importer"}


def test_who_tells_rarely_is_believed_for_longer(db: None) -> None:
    note_present(["reaper"], every=600)
    assert WorkingPart.objects.filter(absent_at__gt=Now() + timedelta(seconds=1700)).count() == 1
    note_present(["reaper"])
    assert WorkingPart.objects.filter(absent_at__lt=Now() + timedelta(seconds=60)).count() == 1


def test_a_sweep_counts_the_places_of_all_workers_that_are_there(db: None) -> None:
    assert places_for_runs() == 0
    note_elsewhere("worker", "elsewhere:1:1", 30)
    note_elsewhere("worker", "elsewhere:2:1", -1)
    note_elsewhere("importer", "elsewhere:3:1", 30)
    note_present(["worker"], places=4, engine="13")
    assert places_for_runs() == 5


def test_work_is_left_to_another_engine_while_that_is_there_or_newer(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attendance, "engine_version", lambda: "13")
    for engine, left in (("13", False), ("", False), ("12", False), ("14", True), ("another", False)):
        assert is_left_to_others("worker", engine) is left
    note_present(["worker"], engine="12")
    assert is_left_to_others("worker", "12")
    assert not is_left_to_others("answerer", "12")


def test_what_was_there_long_ago_is_forgotten(db: None) -> None:
    note_elsewhere("worker", "elsewhere:1:1", -7200)
    note_present(["worker"])
    assert WorkingPart.objects.count() == 1


def test_a_worker_whose_loop_stands_still_works_as_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(attendance.time, "monotonic", lambda: now)
    loop = Loop()
    assert loop.working_parts() == ()
    loop.begin(["sandtable.runs", "celery"])
    assert loop.working_parts() == ("worker",)
    now += attendance.PRESENT_SECONDS
    assert loop.working_parts() == ()
    loop.turn()
    assert loop.working_parts() == ("worker",)


def test_the_reaper_tells_in_each_round(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stop(Exception):
        pass

    def stop(seconds: float) -> None:
        raise Stop

    monkeypatch.setattr(reap_command.time, "sleep", stop)
    with pytest.raises(Stop):
        call_command("reap", every=5)
    assert present_parts() == {"reaper"}


@pytest.mark.stack
@whichever_database
@pytest.mark.django_db(transaction=True)
def test_a_worker_tells_while_its_loop_turns_until_it_is_gone(processes: Processes) -> None:
    worker = processes.worker(SANDTABLE_TEST_LEASE="1")
    wait_until(lambda: present_parts() == {"worker", "importer", "answerer"}, START_SECONDS)
    worker.send_signal(signal.SIGSTOP)
    WorkingPart.objects.update(absent_at=Now())
    assert present_parts() == set()
    worker.send_signal(signal.SIGCONT)
    wait_until(lambda: present_parts() == {"worker", "importer", "answerer"}, SECONDS)
    worker.kill()
    wait_until(lambda: present_parts() == set(), SECONDS)
