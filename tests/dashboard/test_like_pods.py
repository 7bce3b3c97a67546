"""An import in which most pods are like others, beside one that reads each of them: nothing may differ."""

import re
from typing import Any

import pytest
from django.forms.models import model_to_dict

from benchmarks.kubectl_dump import kubectl_dump
from dashboard.models import Node, Pod, Snapshot, Workload
from dashboard.services.imports.one_walk import look_through
from dashboard.services.imports.uploaded_cluster import Faulty, read_picture
from dashboard.services.workspace.snapshots import import_snapshot
from scheduler_core.objects.imports.references import gaps
from scheduler_core.objects.imports.twins import Twin, Twins
from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.validation import sound_pods
from scheduler_core.volcano.kind import VolcanoKind
from scheduler_core.world.reporting.trust import missing_kinds

pytestmark = pytest.mark.django_db

OF_THE_ROW = ("id", "name")
DUMP = b"".join(kubectl_dump(4, 60, workloads=3))


def pod(number: int) -> bytes:
    """The text of a pod of the dump, by its number there."""
    found = re.search(rb'"name": "app-\d+-\d+-%06d"' % number, DUMP)
    assert found
    start = DUMP.rindex(b'\n        {\n            "apiVersion": "v1"', 0, found.start())
    return DUMP[start : DUMP.index(b"\n        }", start)]


def changed(number: int, *changes: tuple[bytes, bytes]) -> bytes:
    """The dump with another text of one pod."""
    text = pod(number)
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return DUMP.replace(pod(number), text)


def name_of(number: int) -> bytes:
    return b"%06d" % number


def uid_of(number: int) -> bytes:
    return re.findall(rb'"uid": "([^"]+)"', pod(number))[-1]


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[Twin]:
    """Who is found to be like others."""
    twins: list[Twin] = []
    find = Twins.find

    def noting(self: Twins, text: bytes) -> Twin | None:
        twin = find(self, text)
        twins.extend([twin] if twin else [])
        return twin

    monkeypatch.setattr(Twins, "find", noting)
    return twins


def judging_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read each pod, and ask all checks and rules about it."""
    monkeypatch.setattr(Twins, "find", lambda self, text: None)
    monkeypatch.setattr(sound_pods, "is_sound", lambda pod: False)


def stored(data: bytes) -> tuple[Any, ...]:
    """All that is stored of an import, or what is said against it."""
    try:
        snapshot = import_snapshot(None, "x", [("a.json", data)])
    except BadInput as error:
        rest = error.rest.left_out if isinstance(error, Faulty) else None
        return [str(problem) for problem in error.problems], rest
    row = {name: value for name, value in model_to_dict(snapshot).items() if name not in OF_THE_ROW}
    rows = [
        {**one, "id": 0, "snapshot_id": 0}
        for model in (Pod, Node, Workload)
        for one in model.objects.filter(snapshot=snapshot).values()
    ]
    return row, snapshot.taken_at, rows


CASES = {
    "as it is": DUMP,
    "a node that is missing": changed(31, (b'"node-0000', b'"node-1000')),
    "a node without a name": changed(31, (b'"nodeName": "node-', b'"nodeName": "Node-')),
    "a name twice": changed(31, (name_of(31), name_of(28))),
    "a uid twice": changed(31, (uid_of(31), uid_of(28))),
    "a uid that is none": changed(31, (uid_of(31), b"x" * 300)),
    "a name that is none": changed(31, (name_of(31), b"-")),
    "the newest time": changed(31, (b"2026-05-", b"2027-05-")),
    "a time that is none": changed(31, (b'"startTime": "2026-05-', b'"startTime": "2026-55-')),
    "a misspelt field": changed(31, (b'"dnsPolicy"', b'"dnspolicy"')),
    "a pod that has ended": changed(31, (b'"Running"', b'"Succeeded"')),
    "all of another scheduler": DUMP.replace(b'"default-scheduler"', b'"volcano"'),
    "a pod twice": DUMP.replace(pod(31), pod(31) + b"\n        }," + pod(31)),
    "two states of a pod": DUMP.replace(
        pod(31), pod(31) + b"\n        }," + pod(31).replace(b'"1000031"', b'"2000031"')
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_an_import_that_knows_like_pods_stores_and_says_what_one_does_that_reads_each(
    case: str, found: list[Twin], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = stored(CASES[case])
    assert len(found) > 40
    judging_each(monkeypatch)
    there = stored(CASES[case])
    assert here == there


UNLIKE = {
    "as it is": DUMP,
    "faults of three kinds": changed(
        31,
        (b'"dnsPolicy"', b'"dnspolicy"'),
        (b'"uid": "', b'"uid": "\\u0000'),
        (b'"startTime": "2026-05-', b'"startTime": "2026-55-'),
    ),
    "a uid twice": changed(31, (uid_of(31), uid_of(28))),
}


@pytest.mark.parametrize("case", UNLIKE)
def test_an_import_of_unlike_pods_stores_and_says_what_one_does_that_judges_each(
    case: str, found: list[Twin], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = UNLIKE[case].replace(b'"generateName"', b'"selfLink"')
    sound, is_sound = list[bool](), sound_pods.is_sound
    monkeypatch.setattr(sound_pods, "is_sound", lambda pod: sound.append(is_sound(pod)) or sound[-1])
    here = stored(data)
    assert sum(sound) > 50
    assert not found
    judging_each(monkeypatch)
    assert here == stored(data)


@pytest.mark.parametrize("case", ["as it is", "a node that is missing", "a pod that has ended"])
@pytest.mark.parametrize("beginning", [b'"generateName"', b'"selfLink"'])
def test_one_walk_finds_what_is_found_in_objects_that_are_all_decoded(case: str, beginning: bytes) -> None:
    data = CASES[case].replace(b'"generateName"', beginning)
    objects = read_picture([("a.json", data)]).objects
    found = look_through(objects)
    by_kind = {kind: list(own) for kind, own in objects.by_kind().items()}
    assert found.gaps == gaps(list(objects))
    assert found.lacking == missing_kinds(by_kind)
    assert found.lacking.phrases
    assert bool(found.gaps) == (case == "a node that is missing")


OF_VOLCANO = {
    "a pod that waits": (
        [(b'"default-scheduler"', b'"volcano"'), (b'"nodeName"', b'"hostname"')],
        "no Queue",
    ),
    "a pod of a group": (
        [
            (b'"default-scheduler"', b'"volcano"'),
            (b'"annotations": {', b'"annotations": {"scheduling.k8s.io/group-name": "lost",'),
            (b'"nodeName"', b'"hostname"'),
        ],
        "pod groups that are missing",
    ),
    "a budget": (
        [
            (b'"default-scheduler"', b'"volcano"'),
            (b'"annotations": {', b'"annotations": {"volcano.sh/jdb-min-available": "few",'),
        ],
        "admission webhook would refuse this now",
    ),
}


@pytest.mark.parametrize("case", OF_VOLCANO)
def test_volcano_says_of_pods_that_name_it_what_it_says_of_all(
    case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes, told = OF_VOLCANO[case]
    data = changed(31, *changes)
    here = stored(data)
    assert told in " ".join(here[0]["warnings"])
    monkeypatch.setattr(VolcanoKind, "word_in_pods", "")
    assert stored(data) == here


def test_two_states_of_a_pod_that_is_like_others_are_told() -> None:
    picture = read_picture([("a.json", CASES["two states of a pod"])])
    assert "newest resourceVersion" in " ".join(picture.left_out)
    assert Snapshot.objects.count() == 0
