"""The questions to begin with where no cluster of one's own is: a sample's run answers each."""

from dataclasses import dataclass
from typing import Literal

Shows = Literal["decision", "pair", "policies"]
"""decision: a run, at what shows most in it. pair: two runs side by side. policies: those of its cards."""


@dataclass(frozen=True)
class Question:
    """A question and what answers it.

    picture: the file of its drawing in `templates/home/pictures/`. sample, scenario: by their names in the
    gallery. press: what the button says, chip: the same in a word or two.
    """

    title: str
    says: str
    picture: str
    sample: str
    scenario: str
    press: str
    chip: str
    shows: Shows = "decision"


FIRST = Question(
    "Which pods are evicted?",
    "A pod of priority 1000 finds no room. Six nodes could make some; see why node-b1 is chosen.",
    "preemption",
    "Teaching cluster",
    "Preemption, reprieve, budget, stolen room",
    "Watch a preemption",
    "Preemption",
)
"""The question of the first page's picture (scripts/home_picture.py)."""

QUESTIONS = [
    FIRST,
    Question(
        "Can I drain this node?",
        "node-c1 goes out of service while the shop grows. A budget refuses one eviction.",
        "drain",
        "Teaching cluster",
        "Drain node-c1 and scale the shop up",
        "Watch a drain",
        "Drain",
    ),
    Question(
        "Why did the upgrade change it?",
        "One cluster under kube-scheduler 1.8 and 1.11. Freed room is stolen in one and held in the other.",
        "upgrade",
        "Stolen room",
        "Stolen room, kube-1.8",
        "See both",
        "1.8 beside 1.11",
        shows="pair",
    ),
    Question(
        "Does it take a real cluster?",
        "Alibaba’s GPU cluster of 2023, with all tasks of the trace in the order of their arrival.",
        "real",
        "Alibaba GPU trace 2023",
        "All tasks in the order of their arrival",
        "Open it",
        "1,523 nodes",
    ),
    Question(
        "Why does my gang never start?",
        "Two jobs of four workers each, and four GPUs. kube-scheduler gives two to each, so neither starts.",
        "gang",
        "Gang deadlock on four GPUs",
        "Two gangs, Volcano",
        "See both",
        "Gang",
        shows="pair",
    ),
    Question(
        "Which card does it get?",
        "HAMi shares fourteen cards. Under each of its four policies, other cards stay whole.",
        "cards",
        "Shared GPUs under four policies",
        "Nodes binpack, cards binpack",
        "See all four",
        "Cards",
        shows="policies",
    ),
]
