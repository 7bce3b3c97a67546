"""Every recorded decision of the real kube-scheduler of another release than 1.36 is decided the same way."""

import json

import pytest

from recorded.decide import decide
from scheduler_core.kube.framework_releases.table import FRAMEWORK_RELEASES
from tests.mixtures.of_releases import as_told
from tests.portions import VECTORS, recorded_cases

FILES = sorted(VECTORS.glob("kube-1.*/*.jsonl.gz"))
FAMILIES = {"preempt", "unresolvable", "eligible", "filter_score", "sequence", "grace", "race"}


@pytest.mark.parametrize("release", ["1.8", "1.9", "1.11", "1.13"])
def test_all_families_of_a_release_are_held_here(release):
    held = {path.name.split(".")[0] for path in FILES if path.parent.name == f"kube-{release}"}
    assert held >= FAMILIES


@pytest.mark.parametrize("release", [release for release in FRAMEWORK_RELEASES if release != "1.36"])
def test_each_release_since_the_framework_has_cases_of_its_own(release):
    assert (VECTORS / f"kube-{release}" / "written.jsonl.gz").exists()


@pytest.mark.parametrize("release", [release for release in FRAMEWORK_RELEASES if release != "1.37"])
def test_each_release_tells_in_words_what_the_next_one_does_otherwise(release):
    for difference in FRAMEWORK_RELEASES[release].differences or pytest.fail(release):
        assert difference.then.endswith(".")
        assert difference.next.endswith(".")
        assert difference.then != difference.next


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name.split('.')[0]}")
def test_a_family_is_decided_as_recorded(path):
    for case in recorded_cases(f"{path.parent.name}/{path.name.split('.')[0]}", "decided"):
        expect = case.pop("expect")
        answer = json.loads(json.dumps(decide(case)))
        if case.get("family") in ("queue", "timed") and path.name != "queue.jsonl.gz":
            answer, expect = (as_told(one, int(path.parent.name.split(".")[1])) for one in (answer, expect))
        key = "steps" if "steps" in expect else "cycles"
        for number, (recorded, got) in enumerate(zip(expect[key], answer[key], strict=False)):
            assert got == recorded, f"{case['id']}, {key} {number}"
        assert answer == expect, case["id"]
