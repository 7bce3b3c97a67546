"""Fresh cases are the same for the same seed, can be played, and are judged by what came of them there."""

import gzip
import json
from pathlib import Path

import pytest

from benchmarks.proof.__main__ import differences, judged, main, table
from benchmarks.proof.cases import KINDS, cases
from benchmarks.proof.control_plane import ControlPlane
from recorded.cluster_cases import edits_of
from scheduler_core.objects.identity import name_of
from scheduler_core.world.edits.operations import read_edit
from tests.cases import for_each

VECTORS = Path(__file__).parents[1] / "vectors" / "cluster"
PLAYER = """
import gzip, json, pathlib, sys
out = pathlib.Path(sys.argv[sys.argv.index("--out") + 1])
times = int(sys.argv[sys.argv.index("--repeat") + 1])
answers = json.loads(pathlib.Path(__file__).with_name("answers.json").read_text())
answer = answers[str(times)]
print("played", times)
if answer is not None:
    out.mkdir()
    (out / "one.json.gz").write_bytes(gzip.compress(json.dumps(answer).encode()))
"""


@pytest.fixture
def recorded():
    """A case as it was recorded, which the engine plays alike."""
    with gzip.open(VECTORS / "scale-up.jsonl.gz", "rt", encoding="utf-8") as lines:
        return next(case for case in map(json.loads, lines) if case["id"] == "scale-up/fits")


def control_plane(folder, once, again=None):
    """A program in the place of the player, which answers so when it plays a case once and three times."""
    (folder / "play.py").write_text(PLAYER)
    (folder / "answers.json").write_text(json.dumps({"1": once, "3": again}))
    (folder / "work").mkdir()
    return ControlPlane(folder, folder / "work")


def moved(case):
    """The same case, with one workload elsewhere."""
    outcome = json.loads(json.dumps(case["outcome"]))
    row = next(iter(outcome["workloads"].values()))
    row["nodes"] = {"elsewhere": sum(row["nodes"].values())}
    return {**case, "outcome": outcome}


def test_a_seed_always_gives_the_same_cases_and_another_seed_others():
    assert list(cases(1, 40)) == list(cases(1, 40))
    assert list(cases(1, 3)) != list(cases(2, 3))
    assert {case["kind"] for case in cases(1, len(KINDS))} == set(KINDS)


@for_each(cases(5, 3 * len(KINDS)), lambda case: case["id"])
def test_a_case_has_nodes_that_differ_and_edits_that_can_be_read(case):
    applied = [item for step in case["setup"] for item in step["objects"]]
    nodes = [item for item in applied if item["kind"] == "Node"]
    assert 2 <= len(nodes) <= 300
    assert len(set(map(name_of, nodes))) == len(nodes)
    edits = list(edits_of({**case, "before": {"items": nodes}}))
    assert edits
    for edit in edits:
        read_edit(edit, "timed")


def test_a_case_that_comes_out_alike_agrees(tmp_path, recorded):
    assert judged(recorded, control_plane(tmp_path, recorded), 3)[:2] == ("agree", [])


def test_one_that_comes_out_otherwise_differs_and_the_words_say_in_what(tmp_path, recorded):
    other = moved(recorded)
    verdict, lines, kept = judged(recorded, control_plane(tmp_path, other, other), 3)
    assert (verdict, kept) == ("differ", other)
    assert [line for line in lines if 'nodes: there {"elsewhere":' in line]


def test_one_that_comes_out_otherwise_each_time_hangs_on_chance(tmp_path, recorded):
    verdict, lines, _ = judged(recorded, control_plane(tmp_path, moved(recorded)), 3)
    assert (verdict, lines[0]) == ("chance", "comes out otherwise each time")


def test_one_that_could_not_be_played_there_is_told_with_what_was_said(tmp_path, recorded):
    assert judged(recorded, control_plane(tmp_path, None), 3)[:2] == ("not played", ["played 1"])


def test_one_that_the_engine_refuses_is_told_with_its_words(tmp_path, recorded):
    odd = {**recorded, "actions": [{"do": "cordon", "name": "nowhere"}]}
    verdict, lines, _ = judged(odd, control_plane(tmp_path, odd), 3)
    assert verdict == "refused"
    assert "there is no Node nowhere" in lines[0]


def test_differences_name_workload_field_and_whom_each_side_lost_and_budgets():
    theirs = {"workloads": {"Job/a/b": {"succeeded": 2}}, "lost": {}, "budgets": {"a/b": {"expectedPods": 1}}}
    ours = {"workloads": {}, "lost": {"Job/a/b": {"Deleted n": 1}}, "budgets": {}}
    assert list(differences(theirs, ours)) == [
        "Job/a/b succeeded: there 2, here null",
        'Job/a/b lost: there null, here {"Deleted n": 1}',
        'budget a/b: there {"expectedPods": 1}, here null',
    ]


def test_the_table_counts_verdicts_by_kind():
    lines = list(table({("drain", "agree"): 2, ("drain", "differ"): 1}))
    assert lines[0].split() == ["kind", "agree", "differ", "chance", "refused", "not", "played"]
    assert lines[1].split() == ["drain", "2", "1", "0", "0", "0"]
    assert lines[-1].split() == ["together", "2", "1", "0", "0", "0"]


def test_without_a_program_the_command_says_what_it_needs(monkeypatch, capsys):
    monkeypatch.delenv("CLUSTER_PEER", raising=False)
    monkeypatch.setattr("sys.argv", ["proof"])
    with pytest.raises(SystemExit):
        main()
    assert "CLUSTER_PEER must name" in capsys.readouterr().err
