"""Volcano as pages and REST know it."""

from typing import Any

import yaml

from dashboard.kinds.kind import Config, DashboardKind, Present
from dashboard.kinds.pages import Found, Part, Tab
from dashboard.kinds.session_words import SessionTexts
from dashboard.kinds.sweepable import Setting
from dashboard.kinds.volcano.cards import VolcanoCards
from dashboard.kinds.volcano.queries import objects
from dashboard.kinds.volcano.queries.node_vgpus import vgpus_of_node
from dashboard.kinds.volcano.services.hyper_nodes import groups_by_tier
from dashboard.kinds.volcano.services.rows import VolcanoRows
from dashboard.kinds.volcano.session_texts import NODE_ORDERS, SESSION_TEXTS
from dashboard.kinds.volcano.sweepable import FIRST, sweepable
from dashboard.kinds.words import FilterWords, ProfileWords, ScoreWords
from dashboard.models import Snapshot
from scheduler_core.kube.framework import MAX_NODE_SCORE
from scheduler_core.objects.privacy.dropped import Dropped
from scheduler_core.schedulers.kind import Version
from scheduler_core.volcano.configuration.known_arguments import known_arguments
from scheduler_core.volcano.configuration.scheduler_conf import (
    ACTIONS,
    KNOWN_FLAGS,
    OFF_BY_DEFAULT,
    PLUGINS,
    SHIPPED,
)
from scheduler_core.volcano.configuration.stored_configuration import VOLCANO_CONFIGURATION
from scheduler_core.volcano.configuration.unplayed_parts import ACTIONS as UNPLAYED_ACTIONS
from scheduler_core.volcano.configuration.unplayed_parts import PLUGINS as UNPLAYED_PLUGINS
from scheduler_core.volcano.model.custom_resources import SCHEDULER_NAME

READY_VARIANTS = {
    "actions": ["reclaim", "preempt"],
    "pairs": [["proportion", "capacity"]],
    "weights": [["binpack", "binpack.weight", 10, "binpack weighs ten times"]],
}
"""Changes of a configuration that operators try first; the editor's form offers them."""
LISTED = 200
"""So many pod groups of a workload are shown."""


class VolcanoKind(DashboardKind):
    """It has no queue of pods, but sessions."""

    configuration = "volcano-scheduler.conf"
    summaries = {"volcano-1.16": "sessions of gangs and queues; all of a job starts or nothing"}
    drivers = {
        "instant": "session after session, jobs in the order of the plugins; victims vanish at once",
        "timed": "a session each period of a clock, jobs in the order of the plugins; grace periods count",
    }

    rows = VolcanoRows()
    cards = VolcanoCards()
    stylesheets = ("css/volcano.css",)

    def awaiting_pods(self, snapshot: Snapshot) -> int:
        return objects.jobs_without_pods(snapshot)

    def tabs(self, snapshot: Snapshot) -> list[Tab]:
        return objects.tabs(snapshot)

    def workload_address(self, snapshot: Snapshot, workload: str) -> str | None:
        return objects.job_address(snapshot, workload)

    def group_address(self, snapshot: Snapshot, group: str) -> str | None:
        return objects.group_address(snapshot, group)

    def found_in(self, snapshot: Snapshot, text: str, most: int) -> list[tuple[str, list[Found]]]:
        return objects.found_in(snapshot, text, most)

    def node_groups(self, snapshot: Snapshot) -> dict[str, dict[str, str]]:
        return groups_by_tier(snapshot)

    def present(self, snapshot: Snapshot, most: int) -> Present:
        return {"set-queue": objects.queues_as_given(snapshot, most)}

    def workload_parts(self, snapshot: Snapshot, workload: str) -> list[Part]:
        """Return the workload's pod groups."""
        groups = objects.made_by(snapshot, workload)[:LISTED]
        return [Part("kinds/volcano/snapshots/groups.html", {"groups": groups})]

    def node_parts(self, snapshot: Snapshot, node: str) -> list[Part]:
        """Return the cards of a node that Volcano divides."""
        cards = vgpus_of_node(snapshot, node)
        told = {"title": "Cards that Volcano divides", "cards": cards, "counted": True}
        return [Part("kinds/node_cards.html", told)] if cards else []

    def profiles_in_words(self, built: Any, version: Version) -> list[ProfileWords]:
        """Return what sessions ask: plugins that filter and that order nodes, as they are named."""
        options = [option for tier in built.tiers for option in tier]
        filters = [FilterWords(option.name, []) for option in options if option.name == "predicates"]
        scores = [
            ScoreWords(option.name, 1, MAX_NODE_SCORE, NODE_ORDERS[option.name], "")
            for option in options
            if option.name in NODE_ORDERS
        ]
        return [ProfileWords(SCHEDULER_NAME, filters, scores, [])]

    def session_texts(self) -> SessionTexts | None:
        return SESSION_TEXTS

    def configuration_form(self) -> dict[str, Any]:
        """Return the parts that a configuration may have, and the one that a release installs."""
        return {
            "shipped": yaml.safe_load(SHIPPED),
            "actions": list(ACTIONS),
            "plugins": {name: {"arguments": known_arguments(name)} for name in PLUGINS},
            "flags": sorted(KNOWN_FLAGS),
            "off": sorted(OFF_BY_DEFAULT),
            "variants": READY_VARIANTS,
            "unplayed": {"actions": list(UNPLAYED_ACTIONS), "plugins": list(UNPLAYED_PLUGINS)},
        }

    def first_config(self) -> Config:
        return dict(FIRST)

    def sweepable(self, config: Config | None, version: Version) -> list[Setting]:
        return sweepable(config or FIRST)

    def without_connections(self, config: Config | None) -> Config | None:
        return config and VOLCANO_CONFIGURATION.keep_object(config, "", Dropped())


KIND = VolcanoKind
