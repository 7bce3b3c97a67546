"""Jobs are called alike here and in the browser, which tests the same names (tests/js/job-names.test.js)."""

import json
from pathlib import Path

import pytest

from scheduler_core.volcano.controllers.job.words import group_name
from scheduler_core.volcano.reporting.job_names import job_name

NAMES = json.loads((Path(__file__).parents[3] / "vectors" / "job_names.json").read_text())


@pytest.mark.parametrize(("group", "called"), NAMES.items())
def test_a_job_is_called_without_the_uid_of_its_pod_group(group: str, called: str) -> None:
    assert job_name(group) == called


def test_the_pod_group_that_a_job_gets_is_called_as_the_job() -> None:
    job = {"metadata": {"name": "bert", "uid": "4f734e5c-0000-4000-8000-0123456789ab"}}
    assert job_name(group_name(job)) == "bert"
