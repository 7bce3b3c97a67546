"""What a run's answer says where the real scheduler leaves it to chance which pods go."""

from dashboard.answers.ended_run import EndedRun
from dashboard.answers.of_run import trust
from dashboard.answers.printers.text import plain
from dashboard.services.results.by_chance import ByChanceTally
from tests.scheduler_core.volcano.test_chance import preempting


def asked(decisions):
    tally = ByChanceTally()
    for decision in decisions:
        tally.add(decision)
    return EndedRun(7, 1, "finished", 9, [], [], {}, {"by_chance": tally.found})


def test_the_answer_says_so_and_leads_to_the_first_decision():
    found = asked(preempting("gang"))
    first, second = map(plain, trust(found))
    assert first == (
        "In 1 decision the real scheduler leaves it to chance which pods go; the run takes the first."
    )
    assert second.endswith(", gang lets 1 of 3 pods go, and may choose others of them.")
    assert trust(asked(preempting("gang", minimum=0))) == []
