"""The samples that are written by hand, as an API server would look at them."""

import pytest

from samples.stolen_room.sample import stolen_room_files
from samples.teaching.sample import teaching_files
from scheduler_core.objects.reading.texts import read_manifest
from scheduler_core.objects.validation.api_faults import all_faults


@pytest.mark.parametrize(
    ("name", "data"), [*teaching_files(), *stolen_room_files()], ids=lambda part: str(part)[:20]
)
def test_nothing_of_a_sample_would_be_refused(name: str, data: bytes) -> None:
    assert [fault for document in read_manifest(data.decode()) for fault in all_faults(document)] == []
