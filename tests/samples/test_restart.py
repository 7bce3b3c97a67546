"""The sample of a Job that fails, restarts by its policy and completes: its log says so."""

import yaml

from samples.volcano.sample import volcano_files, volcano_scenarios
from scheduler_core.world import RunInput, Simulation

JOB = "Job ml/finetune"


def play():
    [scenario] = volcano_scenarios("restart")
    settings = {name: value for name, value in scenario.items() if name != "name"}
    [(_, content)] = volcano_files("restart")
    return Simulation(RunInput(objects=list(yaml.safe_load_all(content)), **settings))


def test_the_job_fails_restarts_by_its_policy_completes_and_is_deleted():
    simulation = play()
    decisions = list(simulation)
    of_job = [one for one in decisions if getattr(one, "object", "") == JOB]
    phases = [(one.time // 1000, one.action, one.phase) for one in of_job if one.phase != one.phase_before]
    assert phases == [
        (0, "SyncJob", "Pending"),
        (1, "SyncJob", "Running"),
        (121, "RestartJob", "Restarting"),
        (131, "SyncJob", "Pending"),
        (131, "SyncJob", "Running"),
        (371, "CompleteJob", "Completing"),
        (371, "SyncJob", "Completed"),
        (431, "Delete", None),
    ]
    restart = next(one for one in of_job if one.action == "RestartJob")
    failure = decisions[restart.cause - 1]
    assert (restart.event, restart.exit_code, restart.whose.name) == (
        "PodFailed",
        137,
        "finetune-coordinator-0",
    )
    assert (failure.outcome, failure.pod) == ("failed", restart.whose)
    assert [one.reason for one in restart.told] == ["ExecuteAction"]
    completion = next(one for one in of_job if one.action == "CompleteJob")
    assert (completion.event, completion.task) == ("TaskCompleted", "worker")
    made = [name for one in of_job for name in one.created if name.startswith("Pod ")]
    assert sorted(made) == sorted(2 * sorted(set(made)))
    assert len(set(made)) == 5
    assert not simulation.state().pods()
    assert simulation.ended_by == "quiet"
