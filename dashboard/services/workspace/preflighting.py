"""Asks what would come of applying a manifest to a snapshot's cluster. No scenario is made."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from dashboard.answers.preflight import Preflight
from dashboard.answers.sentence import sentence
from dashboard.engine import input_without_objects
from dashboard.models import Snapshot
from dashboard.services.questions.asking import Told, ask
from dashboard.services.questions.preflight import KIND
from dashboard.services.workspace.scenarios import draft_scenario
from dashboard.services.workspace.suggesting import suggest
from scheduler_core.objects.privacy import withhold_private
from scheduler_core.world.edits.manifests import in_order, read_to_apply
from scheduler_core.world.trials.warm_world import adding


def asked_preflight(
    snapshot: Snapshot, manifest: str, wait: float, *, namespace: str = "", profile: str = ""
) -> Told[Preflight]:
    """Ask it, waiting so many seconds for the answer. What must not be stored is taken out before.

    namespace: of objects that name none. profile: who schedules; empty for the cluster's own. Raises BadInput
    with all that is wrong with the manifest.
    """
    documents, _ = withhold_private(in_order(read_to_apply(manifest.encode(), namespace)))
    named = {"profile": profile} if profile else {}
    draft = draft_scenario({"snapshot": snapshot, "edits": [adding(documents)] if documents else [], **named})
    told = ask(KIND, snapshot, input_without_objects(draft), {"objects": documents}, wait)
    if told.answer is None or profile:
        return told
    return replace(told, answer=with_source(told.answer, suggest(snapshot).sentence))


def with_source(found: Preflight, chosen: str) -> Preflight:
    """Return a preflight that also says, in a sentence, where the schedulers are from that it plays."""
    answer = found.answer
    said = [*answer.trust, sentence(chosen)]
    return msgspec.structs.replace(found, answer=msgspec.structs.replace(answer, trust=said))
