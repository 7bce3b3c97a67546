"""The recorded cases that are always played: of every family some, and each of them is still there."""

import json

from tests.api.recorded import FAMILIES, OF_RELEASES
from tests.api.recorded_sessions import FAMILIES as OF_SESSIONS
from tests.portions import CHOSEN, VECTORS, recorded_cases

CHOICE = json.loads(CHOSEN.read_bytes())
RECORDED = {
    f"{path.parent.name}/{path.name.split('.')[0]}"
    for folder in ("kube*", "volcano")
    for path in VECTORS.glob(f"{folder}/*.jsonl.gz")
}
"""What `tests/scheduler_core/{kube,volcano}/` play; other tests play each case that they have."""


def test_some_of_each_family_are_played():
    assert RECORDED - set(CHOICE["decided"]) == set()
    of_kube = {family if "/" in family else f"kube/{family}" for family in (*FAMILIES, *OF_RELEASES, "gangs")}
    assert set(CHOICE["rest"]) == of_kube | {f"volcano/{family}" for family in OF_SESSIONS}


def test_each_chosen_case_is_there():
    gone = [
        (way, family, sorted(missing))
        for way, families in CHOICE.items()
        for family, ids in families.items()
        if (missing := set(ids) - {case["id"] for case in recorded_cases(family, way)})
    ]
    assert gone == []


def test_ids_of_a_family_stand_for_one_case_each():
    for family in RECORDED:
        ids = [case["id"] for case in recorded_cases(family)]
        assert len(ids) == len(set(ids)), family
