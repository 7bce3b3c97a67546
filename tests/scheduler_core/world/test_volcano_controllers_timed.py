"""Volcano's controllers in virtual time: pods that end, policies, retries, delays, time to live."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.events.decisions import encoder
from scheduler_core.events.fold import Fold
from scheduler_core.world import Simulation
from scheduler_core.world.controllers.pod_endings import Ending, ending_of
from tests.scheduler_core.clusters import node
from tests.scheduler_core.world.jobs import command, cron_job, flow, job, lasting, reconciled, run_input

RESTART = {"event": "PodFailed", "action": "RestartJob"}
COMPLETE = {"event": "TaskCompleted", "action": "CompleteJob"}


def play(*objects, until=600, **more):
    simulation = Simulation(run_input(*objects, driver="timed", until=until, **more))
    return simulation, list(simulation)


def story(decisions):
    """Return (seconds, action, phase) of what each reconcile of a job that changed its phase did."""
    return [
        (one.time / 1000, one.action, one.phase)
        for one in reconciled(decisions)
        if one.controller == "job" and one.phase != one.phase_before
    ]


def test_a_job_fails_is_restarted_by_its_policy_and_completes():
    given_job = lasting(job("train", policies=[RESTART, COMPLETE]), 20, fails="1", code=3)
    simulation, decisions = play(given_job)
    assert story(decisions) == [
        (0.0, "SyncJob", "Pending"),
        (1.0, "SyncJob", "Running"),
        (21.0, "RestartJob", "Restarting"),
        (21.0, "SyncJob", "Pending"),
        (22.0, "SyncJob", "Running"),
        (42.0, "CompleteJob", "Completing"),
        (42.0, "SyncJob", "Completed"),
    ]
    restart = next(one for one in reconciled(decisions) if one.action == "RestartJob")
    failed = decisions[restart.cause - 1]
    assert (failed.outcome, failed.pod) == ("failed", restart.whose)
    assert (restart.event, restart.exit_code, restart.task) == ("PodFailed", 3, "worker")
    assert set(restart.deleted) >= {"Pod ml/train-worker-0", "Pod ml/train-worker-1"}
    row = simulation.state().tables["jobs"]["ml/train"]
    assert (row["phase"], row["retry_count"]) == ("Completed", 1)


def test_a_job_that_always_fails_is_given_up_after_its_last_retry():
    failing = lasting(job("train", policies=[RESTART], maxRetry=2), 5, fails="all")
    simulation, decisions = play(failing)
    assert story(decisions)[-1][2] == "Failed"
    assert [action for _, action, _ in story(decisions)].count("RestartJob") == 2
    assert simulation.state().tables["jobs"]["ml/train"]["retry_count"] == 2


def test_a_job_without_a_policy_ends_when_all_its_pods_have_by_its_least_success():
    one = lasting(job("enough", 3, minAvailable=3, minSuccess=1), 10)
    _, decisions = play(one)
    assert story(decisions)[-1] == (11.0, "SyncJob", "Completed")
    _, decisions = play(lasting(job("never", 2), 10, fails="all"))
    assert story(decisions)[-1] == (11.0, "SyncJob", "Failed")


def test_an_action_with_a_timeout_is_carried_out_when_its_time_has_come():
    later = RESTART | {"timeout": "30s"}
    _, decisions = play(lasting(job("train", 1, minAvailable=1, policies=[later]), 10, fails="1"))
    delayed = next(one for one in reconciled(decisions) if one.outcome == "delayed")
    carried_out = next(one for one in reconciled(decisions) if one.due)
    assert (delayed.time, delayed.action, delayed.delay) == (11_000, "RestartJob", 30_000)
    assert (carried_out.time, carried_out.action) == (41_000, "RestartJob")
    assert carried_out.cause == delayed.cause


def test_a_finished_job_is_deleted_when_its_time_to_live_is_over():
    simulation, decisions = play(lasting(job("train", 2, ttlSecondsAfterFinished=45), 10))
    *_, last = reconciled(decisions)
    assert (last.controller, last.action, last.time) == ("ttl", "Delete", 56_000)
    assert last.deleted == ["Job ml/train"]
    assert not simulation.state().tables.get("jobs")
    assert simulation.ended_by == "quiet"


def test_pods_that_are_killed_leave_after_their_grace_and_the_job_waits_for_them():
    _, decisions = play(job("train", 2), command("AbortJob", "train"))
    assert [phase for _, _, phase in story(decisions)][-1] == "Aborted"
    killing = job("train", 2, policies=[RESTART])
    killing["spec"]["tasks"].append(dict(killing["spec"]["tasks"][0], name="fragile", replicas=1))
    killing["spec"]["minAvailable"] = 3
    _, decisions = play(lasting(killing, 10, fails="1", task=1))
    phases = [(at, phase) for at, _, phase in story(decisions)]
    assert (11.0, "Restarting") in phases
    assert (41.0, "Pending") in phases


def test_a_duration_in_the_edit_that_adds_a_job_holds_for_its_pods():
    edits = [{"op": "add", "manifest": job("train"), "duration": 15}]
    _, decisions = play(edits=edits)
    assert story(decisions)[-1] == (16.0, "SyncJob", "Completed")


def test_jobs_and_commands_come_and_go_at_an_instant():
    edits = [
        {"op": "add", "manifest": job("train"), "at": 10},
        {"op": "add", "manifest": command("AbortJob", "train"), "at": 20},
        {"op": "add", "manifest": command("ResumeJob", "train", "again"), "at": 60},
        {"op": "delete", "kind": "Job.batch.volcano.sh", "namespace": "ml", "name": "train", "at": 100},
    ]
    simulation, decisions = play(edits=edits)
    assert [(at, phase) for at, _, phase in story(decisions)] == [
        (10.0, "Pending"),
        (11.0, "Running"),
        (20.0, "Aborting"),
        (50.0, "Aborted"),
        (60.0, "Restarting"),
        (60.0, "Pending"),
        (61.0, "Running"),
    ]
    deleted = next(one for one in decisions if getattr(one, "outcome", "") == "deleted")
    assert (deleted.time, deleted.edit) == (100_000, 3)
    assert not simulation.state().tables.get("jobs")
    assert not simulation.state().pods()


@pytest.mark.parametrize(
    ("says", "run", "ending"),
    [
        ({}, 1, Ending(None, 0)),
        ({"sandtable/duration": "1.5"}, 1, Ending(1_500_000_000, 0)),
        ({"sandtable/duration": "nan"}, 1, Ending(None, 0)),
        ({"sandtable/duration": "5", "sandtable/fails-in-runs": "1, 3"}, 3, Ending(5_000_000_000, 1)),
        ({"sandtable/duration": "5", "sandtable/fails-in-runs": "1,3"}, 2, Ending(5_000_000_000, 0)),
        ({"sandtable/fails-in-runs": "all", "sandtable/exit-code": "137"}, 9, Ending(None, 137)),
        ({"sandtable/fails-in-runs": "all", "sandtable/exit-code": "none"}, 9, Ending(None, 1)),
    ],
)
def test_what_a_pod_says_of_its_end(says, run, ending):
    assert ending_of(says, run) == ending


# -- the log, checkpoints ------------------------------------------------------------------------------

JOBS = st.lists(
    st.tuples(
        st.integers(1, 3),
        st.sampled_from(["", "1", "1,2", "all"]),
        st.sampled_from(["RestartJob", "RestartTask", "RestartPod", "AbortJob", "CompleteJob"]),
        st.sampled_from([None, "7s"]),
        st.sampled_from([None, 0, 20]),
        st.sampled_from([None, "AbortJob", "RestartJob"]),
    ),
    min_size=1,
    max_size=3,
)


def objects_of(drawn):
    for number, (replicas, fails, action, timeout, ttl, order) in enumerate(drawn):
        policy = {"event": "PodFailed", "action": action} | ({"timeout": timeout} if timeout else {})
        more = {} if ttl is None else {"ttlSecondsAfterFinished": ttl}
        made = job(f"j{number}", replicas, cpu="2", policies=[policy], maxRetry=2, **more)
        yield lasting(made, 5 + 4 * number, fails=fails)
        if order:
            yield command(order, f"j{number}", f"order-{number}")


@settings(max_examples=8)
@given(JOBS)
def test_a_timed_run_folds_and_goes_on_from_any_checkpoint(drawn):
    given_input = run_input(*objects_of(drawn), driver="timed", until=120)
    simulation = Simulation(given_input)
    fold, decisions, checkpoints = Fold(simulation.base), [], {}
    while (decision := simulation.step()) is not None:
        fold.apply(decision)
        decisions.append(decision)
        if decision.seq % 5 == 1:
            checkpoints[decision.seq] = simulation.checkpoint()
            assert fold.state() == simulation.state(), decision.seq
    for decision in reversed(decisions):
        fold.revert(decision)
    assert fold.state() == simulation.base
    whole = [encoder.encode(decision) for decision in decisions]
    for seq, checkpoint in checkpoints.items():
        resumed = Simulation(given_input, checkpoint)
        assert [encoder.encode(decision) for decision in resumed] == whole[seq:], seq


def test_a_job_is_not_warned_of_a_group_that_waited_once_and_runs():
    train = lasting(job("train", 4, cpu="3"), 20)
    fourth = {"op": "add", "at": 7, "manifest": node("late", cpu="4")}
    _, decisions = play(train, nodes=3, edits=[fourth], until=60)
    reasons = [one.groups[0].reason for one in decisions if one.__struct_config__.tag == "close"]
    assert "NotEnoughResources" in reasons, "it waited"
    ended = [one for one in reconciled(decisions) if one.controller == "job" and one.time >= 27_000]
    assert ended
    assert "PodGroupPending" not in [told.reason for one in ended for told in one.told]


@pytest.mark.parametrize("driver", ["instant", "timed"])
def test_a_condition_holds_since_the_session_that_wrote_something_new(driver):
    more = {"edits": [{"op": "drain", "node": "n0", "at": 9}], "until": 60} if driver == "timed" else {}
    simulation = Simulation(run_input(job("train", 2, cpu="3"), driver=driver, **more))
    seen = []
    for _ in simulation:
        [volcano] = [one for one in simulation._world.schedulers if one.name == "volcano"]
        _, conditions = next(
            (volcano.cluster.status_of(key) for key in volcano.cluster.groups.rows), ("", None)
        )
        for one in conditions or ():
            if (one["type"], one["lastTransitionTime"]) not in seen:
                seen.append((one["type"], one["lastTransitionTime"]))
    assert all(when for _, when in seen)
    types = [kind for kind, _ in seen]
    assert types == (["Scheduled", "Unschedulable"] if driver == "timed" else ["Scheduled"])
    assert sorted(when for _, when in seen) == [when for _, when in seen]


def made_at(decisions, controller):
    """Return the Jobs that a controller has made, with the seconds at which it did."""
    return [
        (one.time / 1000, made)
        for one in reconciled(decisions)
        if one.controller == controller
        for made in one.created
    ]


def test_a_cron_job_makes_its_jobs_by_the_clock_and_their_pods_are_placed():
    each = lasting(job("each", replicas=1, minAvailable=1), 20)
    simulation, decisions = play(cron_job("report", "*/2 * * * *", each, failedJobsHistoryLimit=1), until=300)
    first = 29_671_200 + 2  # minutes since the epoch: the run begins with June 2026
    assert made_at(decisions, "cronjob") == [
        (120.1, f"Job ml/report-{first}"),
        (240.1, f"Job ml/report-{first + 2}"),
    ]
    rows = simulation.state().tables["jobs"]
    assert [row["phase"] for row in rows.values()] == ["Completed", "Completed"]
    assert {one.object for one in reconciled(decisions) if one.controller == "cronjob"} == {
        "CronJob ml/report"
    }


def test_a_run_with_cron_jobs_says_when_its_clock_begins():
    each = cron_job("report", "@hourly", job("each"))
    phrase = "the real time of day: CronJobs go by this run's clock, which begins at 2026-06-01T00:00:00Z"
    assert phrase in Simulation(run_input(each)).trust.not_modelled
    assert phrase not in Simulation(run_input(each, controllers="none")).trust.not_modelled


def test_a_flow_lets_a_job_wait_for_the_one_before():
    parts = [lasting(job(name, replicas=1, minAvailable=1), 30) for name in ("clean", "learn")]
    _, decisions = play(*flow("nightly", *parts))
    assert made_at(decisions, "jobflow") == [(0, "Job ml/nightly-clean"), (31, "Job ml/nightly-learn")]
    phases = [one.phase for one in reconciled(decisions) if one.controller == "jobflow"]
    assert (phases[0], phases[-1]) == ("Pending", "Succeed")
    placed = [one.pod.name for one in decisions if one.__struct_config__.tag == "placement"]
    assert placed == ["nightly-clean-worker-0", "nightly-learn-worker-0"]


def test_runs_of_cron_jobs_and_flows_continue_from_any_checkpoint():
    each = lasting(job("each", replicas=1, minAvailable=1), 20)
    parts = [lasting(job(name, replicas=1, minAvailable=1), 30) for name in ("clean", "learn")]
    given_input = run_input(
        cron_job("report", "* * * * *", each), *flow("nightly", *parts), driver="timed", until=130
    )
    simulation, whole, checkpoints = Simulation(given_input), [], {}
    for one in simulation:
        whole.append(encoder.encode(one))
        if one.seq % 7 == 0:
            checkpoints[one.seq] = simulation.checkpoint()
    for seq, checkpoint in checkpoints.items():
        assert [encoder.encode(one) for one in Simulation(given_input, checkpoint)] == whole[seq:], seq


def test_a_job_that_the_webhook_refuses_is_not_made_and_told():
    unknown = job("each", replicas=1, queue="nowhere")
    _, decisions = play(cron_job("report", "* * * * *", unknown), until=70)
    assert made_at(decisions, "cronjob") == []
    told = [told for one in reconciled(decisions) for told in one.told]
    assert {one.reason for one in told} == {"FailedCreate"}
    assert 'admission webhook "validatejob.volcano.sh" denied the request' in told[0].message
