"""The samples that are written by hand, as an API server would look at them."""

import pytest

from samples.stolen_room.sample import stolen_room_files
from samples.teaching.sample import teaching_files
from scheduler_core.objects.api_faults import all_faults
from scheduler_core.objects.texts import read_manifest


@pytest.mark.parametrize(
    ("name", "data"), [*teaching_files(), *stolen_room_files()], ids=lambda part: str(part)[:20]
)
def test_nothing_of_a_sample_would_be_refused(name: str, data: bytes) -> None:
    assert [fault for document in read_manifest(data.decode()) for fault in all_faults(document)] == []
