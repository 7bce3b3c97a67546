"""Syncs of jobs that are known to write nothing change no decision and no word of the log."""

import pytest

from scheduler_core.events.decisions import encoder
from scheduler_core.volcano.controllers.job.known_syncs import KnownSyncs
from scheduler_core.volcano.controllers.job.sync import sync_job
from scheduler_core.volcano.controllers.reconcile import Noting
from scheduler_core.world import Simulation
from tests.scheduler_core.world.jobs import command, job, lasting, run_input


def begun(**more):
    """Return what a cluster with jobs that run, wait and lack pods has come to."""
    jobs = [lasting(job("runs", 4), 3600), job("part", 6, minAvailable=2), job("waits", 30)]
    simulation = Simulation(run_input(*jobs, **more))
    list(simulation)
    return simulation.objects_at_end()


def log_of(objects, **more):
    run = run_input(nodes=0, **more)
    run.objects.extend(objects)
    return [encoder.encode(decision) for decision in Simulation(run)]


@pytest.mark.parametrize("clock", [{}, {"driver": "timed", "until": 60}], ids=["at once", "timed"])
@pytest.mark.parametrize("edits", [[], [{"op": "drain", "node": "n0"}]], ids=["no edits", "drain"])
@pytest.mark.parametrize("commands", [[], [command("AbortJob", "part")]], ids=["no command", "command"])
def test_the_log_is_that_of_syncing_each_time(clock, edits, commands, monkeypatch):
    objects = [*begun(**clock), *commands]
    again = []
    tell_again = Noting.tell_again
    monkeypatch.setattr(Noting, "tell_again", lambda api, told: again.append(told) or tell_again(api, told))
    log = log_of(objects, edits=edits, **clock)
    assert again
    monkeypatch.setattr(
        KnownSyncs, "sync", lambda syncs, info, action, status, shop: sync_job(info, status, shop)
    )
    assert log_of(objects, edits=edits, **clock) == log
