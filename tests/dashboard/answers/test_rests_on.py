"""What answers about several runs rest on: what is true of all is said once, of some for which."""

import pytest

from dashboard.answers.printers.words import plain
from dashboard.answers.rests_on import Played, about_runs, about_waiting
from scheduler_core.events.decisions import Trust
from scheduler_core.world.trials.rests_on import RestsOn

GATES = {
    "nodes_scored": "all",
    "not_modelled": [],
    "missing": ["no Services in the import"],
    "unknown": ["gates"],
}
PLAIN = {**GATES, "unknown": []}


@pytest.mark.parametrize(
    ("runs", "says"),
    [
        ([], []),
        ([Played(1, "kube-1.36", None), Played(2, "kube-1.36", None)], []),
        ([Played(1, "kube-1.36", PLAIN)] * 2, ["No Services in the import."]),
        (
            [Played(1, "kube-1.13", GATES), Played(2, "kube-1.36", PLAIN)],
            ["Not known to kube-1.13: gates (run 1).", "No Services in the import."],
        ),
        (
            [Played(1, "kube-1.13", GATES), Played(2, "kube-1.36", PLAIN), Played(4, "kube-1.13", GATES)],
            ["Not known to kube-1.13: gates (run 1 and run 4).", "No Services in the import."],
        ),
        (
            [Played(None, "kube-1.13", GATES), Played(None, "kube-1.36", PLAIN)],
            ["Not known to kube-1.13: gates (kube-1.13).", "No Services in the import."],
        ),
        (
            [Played(run, f"kube-1.{13 if run < 3 else 36}", GATES if run < 3 else PLAIN) for run in range(7)],
            ["Not known to kube-1.13: gates (kube-1.13).", "No Services in the import."],
        ),
        (
            [Played(run, "kube-1.13", GATES if run < 3 else PLAIN) for run in range(7)],
            ["Not known to kube-1.13: gates (3 of 7 runs).", "No Services in the import."],
        ),
    ],
)
def test_what_is_true_of_all_is_said_once_and_of_some_for_which(runs: list[Played], says: list[str]) -> None:
    assert [plain(one) for one in about_runs(runs)] == says


def test_of_pods_that_wait_all_nodes_were_asked_whatever_the_real_scheduler_samples() -> None:
    trust = Trust("sampled", [], [], [], unknown=["gates"], release="played as 1.13")
    said = [plain(one) for one in about_waiting(RestsOn("kube-1.13", trust))]
    assert said == ["Played as 1.13.", "Not known to kube-1.13: gates."]
    assert about_waiting(None) == []
