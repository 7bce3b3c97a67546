"""A scheduler is named in its own rooms: elsewhere in fewer and fewer files."""

import pytest

from scripts.house import named_outside

MOST = {"volcano": 42, "hami": 10}
"""How many files outside of its rooms may name a scheduler. Lower the number when a file is gone."""


@pytest.mark.parametrize("scheduler", MOST)
def test_a_scheduler_is_named_in_no_more_files_than_before(scheduler: str) -> None:
    found = named_outside(scheduler)
    assert len(found) <= MOST[scheduler], "\n".join(found)


WITH_REASON = {"scheduler_core/world/edits/shapes.py": "an example of an API group, in the text of a schema"}


def test_the_world_and_what_it_asks_of_schedulers_name_none() -> None:
    rooms = (
        "scheduler_core/world/",
        "scheduler_core/schedulers/",
        "scheduler_core/state/",
        "scheduler_core/kube/",
    )
    found = {path for scheduler in MOST for path in named_outside(scheduler) if path.startswith(rooms)}
    assert found == set(WITH_REASON)
