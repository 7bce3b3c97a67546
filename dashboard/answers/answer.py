"""An answer: the sentence that a reader came for, a line for each thing asked, tables, and what it rests on.

It is made from logs or asked of the engine, never read out of a message, and printed by `printers/`. As
JSON it is this struct. Lines stand in the order for readers: not done, asked, others, pending.
"""

from typing import Literal

import msgspec

from dashboard.answers.sentence import Name, Sentence

Verdict = Literal["fits", "partly", "not", "unsure", "nothing_asked", "alike", "differ"]
"""Whether what was asked is done: all, some or none of it.

unsure: the answer rests on something that isn't modelled, or on a run that was cut short. nothing_asked: a
run without edits, a question about what is. alike, differ: of two runs, whether they come to the same.
"""

About = Literal["not_done", "asked", "others", "pending", "differently", "both", "alone", "parting"]
"""differently, both: what two runs were asked; alone: what one of these does; parting: where they part."""
State = Literal["done", "evicting", "now", "ever", "waiting", "refused", "gone"]
"""What became of one of many.

done: placed in free room, or a node that is empty. evicting: placed, for which others had to go. now: refused
for now. ever: refused for ever. waiting: pending, for want of a node. refused: never let in. gone: was there.
"""


class Pip(msgspec.Struct, frozen=True, omit_defaults=True):
    """One of many that were asked for, drawn as a small square, or as a part of a bar where there are many.

    count: for how many alike it stands. name: which it is, if it stands for one.
    """

    state: State
    count: int = 1
    name: Name | None = None


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is said of one thing.

    head: what carries it, printed strong: "Drain of node-c1 incomplete:". says: the rest of the sentence.
    under: sentences of less weight below. pips: a picture of the counts; pips_say: the same in words.
    """

    about: About
    head: Sentence
    says: Sentence = []
    under: list[Sentence] = []
    pips: list[Pip] = []
    pips_say: Sentence = []


class Column(msgspec.Struct, frozen=True, omit_defaults=True):
    """A column; `key` names it in JSON and CSV, `title` for readers. number: whether figures stand in it."""

    key: str
    title: str
    number: bool = False


HELD_OF_DESERVED = "held_of_deserved"
"""The column with two shares, of the first run and of the second, that a page draws on one scale."""


class Table(msgspec.Struct, frozen=True, omit_defaults=True):
    """Rows behind the lines; each cell is a sentence, an empty one is printed as "–".

    name: by which a `Place` leads to it. folds: whether readers see it only once they ask for it. others: how
    many rows were left out at the end.
    """

    name: str
    title: str
    columns: list[Column]
    rows: list[list[Sentence]]
    says: Sentence = []
    folds: bool = False
    others: int = 0


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The whole answer; `trust` are the sentences about what it rests on, only those that matter here.

    against: the run without the edits whose figures were subtracted, if there is one.
    """

    verdict: Verdict
    lead: Sentence
    lines: list[Line] = []
    tables: list[Table] = []
    trust: list[Sentence] = []
    against: Name | None = None
