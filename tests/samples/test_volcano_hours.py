"""Volcano's sample by the clock: when each of its jobs waits, runs and ends."""

from collections import defaultdict

from samples.volcano.sample import volcano_files, volcano_scenarios
from scheduler_core.events.changes import Set
from scheduler_core.events.sessions import SessionClosed, SessionsIdle
from scheduler_core.objects.reading.object_lists import read_yaml
from scheduler_core.world import RunInput, Simulation


def test_jobs_of_two_queues_come_wait_run_and_end() -> None:
    [scenario] = volcano_scenarios("hours")
    del scenario["name"]
    simulation = Simulation(RunInput(objects=read_yaml(volcano_files("hours")[0][1]), **scenario))
    decisions = list(simulation)
    phases = defaultdict(list)
    for decision in decisions:
        for change in decision.changes:
            if isinstance(change, Set) and change.table == "groups" and "phase" in change.new:
                assert decision.time is not None
                phases[change.id.removeprefix("ml/")].append((decision.time // 60_000, change.new["phase"]))
    assert phases == {
        "sweep": [(5, "Inqueue"), (5, "Running"), (155, "Completed")],
        "serving": [(20, "Inqueue"), (21, "Running"), (81, "Completed")],
        "nightly": [(45, "Inqueue"), (82, "Running"), (127, "Completed")],
        "tuning": [(90, "Inqueue"), (127, "Running"), (167, "Completed")],
        "report": [(150, "Inqueue"), (150, "Running"), (175, "Completed")],
        "distill": [(167, "Inqueue"), (167, "Running"), (197, "Completed")],
    }
    last = decisions[-1]
    assert isinstance(last, SessionsIdle)
    told = [one.session for one in decisions if isinstance(one, SessionClosed)]
    assert (last.last, len(told)) == (11_822, 26)
    assert simulation.ended_by == "quiet"
