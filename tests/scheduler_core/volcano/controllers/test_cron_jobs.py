"""Cron jobs: when their Jobs are made, which run beside each other, and which are deleted."""

from datetime import UTC, datetime

import pytest

from scheduler_core.objects.timestamps import format_timestamp, parse_timestamp
from scheduler_core.volcano.controllers.cron.controller import CronJobController
from scheduler_core.volcano.controllers.kinds import CRON_JOB, JOB, key_of, new_object
from scheduler_core.volcano.controllers.manager import Manager
from scheduler_core.volcano.controllers.memory_api import MemoryApi

SECOND = 10**9
START = parse_timestamp("2026-06-01T00:00:30Z", 0)


class Crons:
    """An API server with the controller of cron jobs; the clock goes from due to due."""

    def __init__(self):
        self.server = MemoryApi(START)
        self.manager = Manager(self.server)
        self.manager.controllers = [CronJobController(self.manager.api, self.manager.informers)]
        self.told = []

    def add(self, schedule="* * * * *", status=None, **spec):
        cron = new_object(CRON_JOB, "ml", "c")
        template = {"metadata": {"labels": {"of": "c"}}, "spec": {"minAvailable": 1}}
        cron["spec"] = {"schedule": schedule, "jobTemplate": template} | spec
        self.server.create(cron | ({"status": status} if status else {}))
        self.work_off()

    def work_off(self):
        while (one := self.manager.step()) is not None:
            self.told += [told.reason for told in one.told]

    def advance(self, seconds):
        end = self.server.now + seconds * SECOND
        while (due := self.manager.due()) is not None and due <= end:
            self.server.now = due
            self.work_off()
        self.server.now = end

    def end(self, name, phase="Completed"):
        state = {"phase": phase, "lastTransitionTime": format_timestamp(self.server.now)}
        self.server.patch(JOB, f"ml/{name}", {"status": {"state": state}})
        self.work_off()

    def change(self, **spec):
        cron = self.server.get(CRON_JOB, "ml/c")
        self.server.update(cron | {"spec": cron["spec"] | spec})
        self.work_off()

    @property
    def minutes(self):
        """The minutes after midnight of the starts whose Jobs are there."""
        return [int(job["metadata"]["name"][2:]) - START // (60 * SECOND) for job in self.server.list(JOB)]

    @property
    def status(self):
        return self.server.get(CRON_JOB, "ml/c").get("status") or {}


def name(minute):
    return f"c-{START // (60 * SECOND) + minute}"


@pytest.fixture
def crons():
    return Crons()


def test_a_job_is_made_a_tenth_of_a_second_after_each_start(crons):
    crons.add("*/5 * * * *")
    assert (crons.minutes, crons.manager.due() - START) == ([], 270 * SECOND + SECOND // 10)
    crons.advance(600)
    assert crons.minutes == [5, 10]
    job = crons.server.get(JOB, f"ml/{name(5)}")
    assert job["metadata"]["labels"] == {"of": "c"}
    assert job["metadata"]["annotations"] == {
        "volcano.sh/cronjob-scheduled-timestamp": "2026-06-01T00:05:00Z"
    }
    assert job["spec"] == {"minAvailable": 1}
    assert crons.status["lastScheduleTime"] == "2026-06-01T00:10:00Z"
    assert [one["name"] for one in crons.status["active"]] == [name(5), name(10)]


@pytest.mark.parametrize(("policy", "left"), [("Allow", [1, 2]), ("Forbid", [1]), ("Replace", [2])])
def test_who_runs_beside_an_earlier_job_says_the_policy(crons, policy, left):
    crons.add(concurrencyPolicy=policy)
    crons.advance(120)
    assert crons.minutes == left
    assert ("ForbidConcurrent" in crons.told) == (policy == "Forbid")


def test_a_start_that_was_forbidden_is_made_up_for_when_the_job_ends(crons):
    crons.add(concurrencyPolicy="Forbid")
    crons.advance(120)
    crons.end(name(1))
    assert crons.minutes == [1, 2]


def test_a_suspended_one_makes_none_and_then_the_last_that_it_missed(crons):
    crons.add(suspend=True)
    crons.advance(300)
    assert (crons.minutes, crons.manager.due()) == ([], None)
    crons.change(suspend=False)
    assert crons.minutes == [5]


def test_a_start_later_than_its_deadline_is_passed_over(crons):
    crons.add(suspend=True, startingDeadlineSeconds=10)
    crons.advance(300)
    crons.change(suspend=False)
    assert crons.minutes == []
    crons.advance(31)
    assert crons.minutes == [6]


def test_very_many_missed_starts_are_told_and_one_is_made(crons):
    crons.add(status={"lastScheduleTime": "2026-05-01T00:00:00Z"})
    assert (crons.minutes, crons.told[0]) == ([0], "TooManyMissedTimes")


def test_finished_jobs_beyond_the_limits_are_deleted_the_oldest_first(crons):
    crons.add(successfulJobsHistoryLimit=1, failedJobsHistoryLimit=0)
    for minute, phase in ((1, "Completed"), (2, "Failed"), (3, "Completed"), (4, "Terminated")):
        crons.advance(60)
        crons.end(name(minute), phase)
    assert crons.minutes == [3, 4]
    assert "active" not in crons.status
    assert crons.status["lastSuccessfulTime"] == "2026-06-01T00:03:30Z"


def test_an_unreadable_schedule_is_tried_again_ever_later(crons):
    crons.add("59 23 31 2 *")
    assert crons.told == ["InvalidSchedule"]
    assert crons.manager.due() == START + 5 * 10**6
    crons.advance(10)
    assert len(crons.told) == 11


def test_another_schedule_counts_from_the_last_start(crons):
    crons.add("0 * * * *")
    crons.change(schedule="*/2 * * * *")
    crons.advance(100)
    assert crons.minutes == [2]


def test_what_waits_stands_in_a_checkpoint(crons):
    crons.add()
    crons.advance(61)
    plain = crons.manager.dump()
    copy = Crons()
    copy.manager.load(plain, [one for kind in (CRON_JOB, JOB) for one in crons.server.list(kind)], [])
    assert copy.manager.dump() == plain
    assert copy.manager.due() == crons.manager.due()


def test_the_list_of_running_jobs_moves_up_while_it_is_gone_through(crons):
    """A Go slice: of two Jobs to replace the second is met at the place of the first, of three one stays."""
    jobs = [new_object(JOB, "ml", f"old-{number}") for number in range(3)]
    active = [{"kind": "Job", "name": key_of(job)[3:], "namespace": "ml"} for job in jobs]
    for job, reference in zip(jobs, active, strict=True):
        reference["uid"] = crons.server.create(job)["metadata"]["uid"]
    since = datetime(2026, 6, 1, tzinfo=UTC).isoformat().replace("+00:00", "Z")
    status = {"active": active, "lastScheduleTime": since}
    crons.add(status=status, concurrencyPolicy="Replace")
    crons.advance(31)
    assert "FailedGet" in crons.told
