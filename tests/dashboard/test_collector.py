"""Large things are built without collections, and collections go on afterwards."""

import gc
from contextlib import ExitStack

import pytest

from dashboard import engine
from scheduler_core.objects.collector import collector_at_rest
from tests.dashboard.rows import new_run, new_scenario


def test_collections_wait_for_every_builder():
    assert gc.isenabled()
    with collector_at_rest():
        with collector_at_rest():
            assert not gc.isenabled()
        assert not gc.isenabled(), "the other one is still building"
    assert gc.isenabled()


def test_collections_go_on_after_a_failure():
    with pytest.raises(KeyError), collector_at_rest():
        raise KeyError
    assert gc.isenabled()


def test_one_builder_may_end_before_another_that_began_earlier():
    first, second = ExitStack(), ExitStack()
    first.enter_context(collector_at_rest())
    second.enter_context(collector_at_rest())
    first.close()
    assert not gc.isenabled()
    second.close()
    assert gc.isenabled()


@pytest.mark.django_db
def test_what_the_engine_builds_is_built_with_the_collector_at_rest(monkeypatch):
    seen = []

    class Watched:
        def __init__(self, *_, **__):
            seen.append(gc.isenabled())

    run, scenario = new_run(), new_scenario()
    monkeypatch.setattr(engine, "simulation_class", lambda: Watched)
    engine.open_simulation(run)
    engine.try_scenario(scenario)
    assert seen == [False, False]
    assert gc.isenabled()
