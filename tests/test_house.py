"""A scheduler is named in its own rooms, and elsewhere only where a reason stands here."""

import pytest

from scripts.house import SCHEDULERS, named_outside

_A_LIST_OF_MODULES = "the browser has no folders to look into: a list of modules, which are imported by name"
_ITS_CARDS = "Volcano names its vGPUs, and a switch of Ascend's, after the project that they come from"
_WHOSE_DECISIONS = "the first page says of which schedulers the decisions are"
REASONS = {
    "volcano": {
        "scheduler_core/events/state.py": "in logs an actor's engine alone says that it works in sessions",
        "scheduler_core/world/edits/operations/base.py": "an example of an API group, for a schema",
        "scheduler_core/world/edits/operations/set_queue.py": "an edit of its queues, beside all other edits",
        "dashboard/models/__init__.py": "Django finds a model where the package of models imports it",
        "api/serializers/snapshots.py": "an example of an API group, in the text of a schema",
        "templates/home/first_visit.html": _WHOSE_DECISIONS,
        "static/js/decisions/registry.js": _A_LIST_OF_MODULES,
        "static/js/schedulers/configurations.js": _A_LIST_OF_MODULES,
        "static/js/schedulers/facts.js": _A_LIST_OF_MODULES,
        "static/js/schedulers/views.js": _A_LIST_OF_MODULES,
    },
    "hami": {
        "scheduler_core/volcano/configuration/known_arguments.py": _ITS_CARDS,
        "scheduler_core/volcano/configuration/unplayed_parts.py": _ITS_CARDS,
        "scheduler_core/volcano/devices/vgpu.py": _ITS_CARDS,
        "api/views/decisions.py": "the text of a parameter that asks for its cards",
        "templates/home/first_visit.html": _WHOSE_DECISIONS,
        "static/js/decisions/registry.js": _A_LIST_OF_MODULES,
        "static/js/schedulers/cards/limits.js": "the mode in which NPUs are shared is named after it",
        "static/js/scenario/scheduler.js": "the sentence about switches that follow from a snapshot's nodes",
        "static/js/schedulers/configurations.js": _A_LIST_OF_MODULES,
        "static/js/schedulers/facts.js": _A_LIST_OF_MODULES,
        "static/js/schedulers/views.js": _A_LIST_OF_MODULES,
    },
}
"""By scheduler: the files outside of its rooms that name it, and why. A file that no longer does so goes."""


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_a_scheduler_is_named_outside_of_its_rooms_only_with_a_reason(scheduler: str) -> None:
    assert set(named_outside(scheduler)) == set(REASONS[scheduler])


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_fewer_than_twenty_files_name_a_scheduler(scheduler: str) -> None:
    assert len(REASONS[scheduler]) < 20


def test_the_world_and_what_it_asks_of_schedulers_name_none() -> None:
    rooms = (
        "scheduler_core/schedulers/",
        "scheduler_core/state/",
        "scheduler_core/kube/",
    )
    named = {path for reasons in REASONS.values() for path in reasons}
    assert [path for path in named if path.startswith(rooms)] == []
