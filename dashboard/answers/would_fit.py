"""What would make pods fit, as an answer: the best change first, then all, then what is not enough."""

from __future__ import annotations

from dashboard.answers.answer import Answer, Column, Table, Verdict
from dashboard.answers.cards_lacking import missing
from dashboard.answers.changes import change, changes, of_workloads, workload
from dashboard.answers.rests_on import about
from dashboard.answers.sentence import Sentence, Text, number, sentence, strong
from dashboard.answers.starts import about_starts, starts
from dashboard.answers.why_words import unplayed
from scheduler_core.schedulers.card_lacks import all_missing
from scheduler_core.schedulers.cause import no_such_cards
from scheduler_core.world.fitting.results import Fitting, NotEnough, Proposal, Start

_COLUMNS = [
    Column("change", "change"),
    Column("fit", "then fit"),
    Column("start", "starts"),
    Column("evicted", "evicted"),
    Column("violated", "budgets violated"),
    Column("lost", "without a node then"),
    Column("trials", "trials", number=True),
]
UNCHANGED = sentence("without any change")
_NO_HELP = "Evicting pods, or more nodes like those that are there, would not help: "
_NOT_PLAYED = "what its scheduler would decide is not modelled"
_BY_TURNS = ": its pods are placed and evicted by turns until the limit of attempts, without an end."
_DELETED = "These pods get a changed template only once they are deleted: the trials delete those that wait."
_SHORT = [Column("change", "change"), Column("fit", "then fit"), Column("refused", "not possible")]


def would_fit(found: Fitting, name: str) -> Answer:
    """Return the answer; `name` is what was asked for, `Kind/namespace/name` or a pod's `namespace/name`."""
    tables = [_proposals(found), _not_enough(found), _untried(found)]
    return Answer(
        _verdict(found), _lead(found, name), tables=[one for one in tables if one.rows], trust=_trust(found)
    )


def _unknown(found: Fitting) -> str:
    """Return why it is not known whether the pods fit, after a colon; nothing where that is known."""
    if found.proposals:
        return ""
    if found.unsettled:
        return _BY_TURNS
    not_played = next(filter(None, map(unplayed, found.causes)), "")
    return f": {_NOT_PLAYED}: {not_played}." if not_played and found.placed < found.pods else ""


def _verdict(found: Fitting) -> Verdict:
    if _unknown(found):
        return "unsure"
    if found.placed == found.pods:
        return "fits"
    if found.ended_by == "stopped" and not found.proposals:
        return "unsure"
    return "partly" if found.placed else "not"


def _lead(found: Fitting, name: str) -> Sentence:
    who = workload(name)
    if unknown := _unknown(found):
        return sentence(strong("Not known"), " for ", who, unknown)
    if found.placed == found.pods:
        return sentence(who, ": ", _fit_unchanged(found), ".", _but_not_started(found.start, found))
    if not found.trials:
        return sentence("Nothing was tried yet for ", who, ".")
    tried = sentence(number(len(found.not_enough)), " tried")
    if not found.proposals:
        before = "It was ended before all was tried. " if found.ended_by == "stopped" else ""
        said = sentence(before, strong("No small change found"), " for ", who, ", ", tried)
        for text in _no_such_cards(found):
            said = sentence(said, ": ", text)
        return sentence(said, ".")
    best = found.proposals[0]
    fit = strong(f"{best.placed:,} of {best.pods:,}")
    said = sentence(who, ": ", fit, " fit with this change: ", changes(best.changes), ".")
    if best.evicted or best.violated or best.lost:
        said = sentence(said, " ", costs(best))
    said += _but_not_started(best.start, found)
    others = len(found.proposals) - 1
    return sentence(said, " ", number(others, "other change"), " found.") if others else said


def _fit_unchanged(found: Fitting) -> Sentence:
    said = sentence(strong(f"{found.placed:,} of {found.pods:,}"), " fit without any change")
    is_told = found.start is not None and found.start.at is not None
    return sentence(said, ", ", starts(found.start, found)) if is_told else said


def _but_not_started(start: Start | None, found: Fitting) -> Sentence:
    """Return that what fits has not started in the trial by the clock, which plays controllers too."""
    if start is None or start.at is not None or start.ended_by in ("untried", "refused"):
        return []
    return sentence(" But in a trial by the clock it did not start: ", starts(start, found), ".")


def _proposals(found: Fitting) -> Table:
    rows = [_row(one, found) for one in found.proposals]
    if found.start is not None:
        rows.insert(0, _unchanged(found))
    return Table(
        "changes", "What would make it fit", _COLUMNS, rows, says=sentence("Each by a trial of its own.")
    )


def unchanged(found: Fitting) -> tuple[Sentence, Sentence]:
    """Return how many fit without any change, and when they start."""
    if _unknown(found):
        return sentence("not known"), sentence("not known")
    return sentence(number(found.placed), " of ", number(found.pods)), starts(found.start, found)


def _unchanged(found: Fitting) -> list[Sentence]:
    return [UNCHANGED, *unchanged(found), [], [], [], []]


def _row(one: Proposal, found: Fitting) -> list[Sentence]:
    return [
        changes(one.changes),
        sentence(number(one.placed), " of ", number(one.pods)),
        starts(one.start, found),
        of_workloads(one.evicted) or sentence("none"),
        of_workloads(one.violated),
        of_workloads(one.lost),
        sentence(number(len(one.points))) if one.points else sentence("1"),
    ]


def _not_enough(found: Fitting) -> Table:
    rows = [_short(one) for one in found.not_enough]
    return Table("not_enough", "Tried and not enough", _SHORT, rows, folds=True)


def _no_such_cards(found: Fitting) -> list[Sentence]:
    """Return what no node has of the cards that are asked for, for each cause that is about that."""
    causes = (one for one in found.causes if no_such_cards(one))
    of_cards = (next(held.lacks for held in one.held if all_missing(held.lacks)) for one in causes)
    texts = dict.fromkeys(map(missing, of_cards))
    return [sentence(f"no node has {text or 'all the cards that it asks for'}") for text in texts]


def _short(one: NotEnough) -> list[Sentence]:
    placed: Sentence = [] if one.refused else sentence(number(one.placed), " of ", number(one.pods))
    return [changes(one.changes), placed, [Text(one.refused)] if one.refused else []]


def _untried(found: Fitting) -> Table:
    rows = [[change(one)] for one in found.untried]
    return Table("untried", "Not tried", [Column("change", "change")], rows, folds=True)


def _trust(found: Fitting) -> list[Sentence]:
    trust = [sentence(_NO_HELP, text, ".") for text in _no_such_cards(found)]
    trust += [] if _unknown(found) else about_starts(found)
    if found.left_out:
        left = number(found.left_out, "other pod waits,other pods wait")
        trust.append(sentence(left, " and took no part: with them there may be less room."))
    edits = [edit for one in found.proposals for edit in one.edits]
    if any((edit["op"], edit.get("kind")) == ("patch", "Pod") for edit in edits):
        trust.append(sentence("Pods are changed as they stand: in a cluster they have to be made anew."))
    if any(edit["op"] == "delete" and "names" in edit for edit in edits):
        trust.append(sentence(_DELETED))
    if found.untried or found.ended_by != "done":
        why = "somebody ended it" if found.ended_by == "stopped" else "there were as many trials as may be"
        untried = number(len(found.untried), "change was,changes were")
        trust.append(sentence(untried, f" not tried: {why}."))
    return [*trust, *about(found.rests_on)]


def costs(one: Proposal) -> Sentence:
    """Return what a change costs others, as a sentence."""
    said = [
        sentence("evicts ", of_workloads(one.evicted)) if one.evicted else [],
        sentence("violates budgets of ", of_workloads(one.violated)) if one.violated else [],
        sentence("leaves without a node ", of_workloads(one.lost)) if one.lost else [],
    ]
    parts = [part for part in said if part]
    if not parts:
        return sentence("Nobody else is evicted or stays without a node.")
    whole: Sentence = []
    for part in parts:
        whole = sentence(whole, "; " if whole else "", part)
    return sentence("It ", whole, ".")
