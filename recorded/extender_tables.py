"""Recorded extenders: they answer from the tables of a case.

The n-th question about a pod gets the n-th answer of its list, the last answer stands for all later ones, and
the pod `*` for those that are not named; docs/verification.md has the fields of an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from scheduler_core.events.exchanges import Verb
from scheduler_core.kube.extenders.source import EOF, Question, Reply, no_reply
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.state.cluster import ClusterState

Answer = Mapping[str, Any]
Table = Mapping[str, Mapping[str, Sequence[Answer]]]


def tables_of(config: Mapping[str, Any] | None, tables: Sequence[Table]) -> Tables:
    """Return the tables by the urlPrefix of their extenders, which a configuration has in the same order."""
    extenders = [entry.get("urlPrefix") or "" for entry in (config or {}).get("extenders") or ()]
    if len(extenders) != len(tables):
        fault = f"{len(tables)} for {len(extenders)} extenders of the configuration"
        raise BadInput([Problem("case", "extenders", fault)])
    return Tables(dict(zip(extenders, tables, strict=True)))


class Tables:
    """Answers as an extender over HTTP would."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self._tables = tables
        self._asked: Counter[tuple[str, Verb, str]] = Counter()

    def ask(self, question: Question, body: Callable[[], bytes]) -> Reply:
        answer = self._next(question)
        if answer.get("slow"):
            # Go words it in several ways; recordings have always this one.
            raise no_reply(question.url, "context deadline exceeded")
        if answer.get("close"):
            raise no_reply(question.url, EOF)
        if answer.get("status"):
            return Reply(answer["status"], b"no\n")
        if answer.get("body"):
            return Reply(200, str(answer["body"]).encode())
        return Reply(200, msgspec.json.encode(_ANSWERS[question.verb](answer, question)))

    def _next(self, question: Question) -> Answer:
        key = (question.extender.url_prefix, question.verb, question.pod.key)
        table = self._tables[question.extender.url_prefix].get(question.verb) or {}
        answers = table.get(question.pod.key) or table.get("*") or ()
        place = self._asked[key]
        self._asked[key] += 1
        return answers[min(place, len(answers) - 1)] if answers else {}


def _filter(answer: Answer, question: Question) -> dict[str, Any]:
    failed, unresolvable = answer.get("failed") or {}, answer.get("unresolvable") or {}
    fits = answer.get("fits") or []
    staying = [
        node for node in question.nodes if node in fits or (node not in failed and node not in unresolvable)
    ]
    reply: dict[str, Any] = {
        "FailedNodes": {node: failed[node] for node in question.nodes if node in failed},
        "FailedAndUnresolvableNodes": {
            node: unresolvable[node] for node in question.nodes if node in unresolvable
        },
        "Error": answer.get("error") or "",
    }
    if question.extender.node_cache_capable:
        unknown = [node for node in fits if node not in question.nodes]
        return reply | {"NodeNames": [*staying, *unknown]}
    return reply | {"Nodes": {"items": [{"metadata": {"name": node}} for node in staying]}}


def _prioritize(answer: Answer, question: Question) -> list[dict[str, Any]]:
    return [{"Host": entry["node"], "Score": entry["score"]} for entry in answer.get("scores") or ()]


def _preempt(answer: Answer, question: Question) -> dict[str, Any]:
    asked, victims = question.candidates, answer.get("victims")
    as_sent = list(asked) if victims is None and not answer.get("no_node") else list(victims or ())
    left = {node: _victims(asked[node].pods, asked[node].pdb_violations) for node in as_sent if node in asked}
    violations = answer.get("pdb_violations") or {}
    for node, pods in (victims or {}).items():
        if pods is not None:
            uids = [_uid(question.state, pod) for pod in pods]
            left[node] = _victims(uids, violations.get(node, 0))
    return {"NodeNameToMetaVictims": left}


def _victims(uids: Sequence[str], violations: int) -> dict[str, Any]:
    return {"Pods": [{"UID": uid} for uid in uids], "NumPDBViolations": violations}


def _uid(state: ClusterState, key: str) -> str:
    there = (info for info in state.pods.infos if info.key == key and info.row not in state.gone.values)
    return next((info.uid for info in there), "unknown")


def _bind(answer: Answer, question: Question) -> dict[str, Any]:
    return {"Error": answer.get("error") or ""}


_ANSWERS = {"filter": _filter, "prioritize": _prioritize, "preempt": _preempt, "bind": _bind}
