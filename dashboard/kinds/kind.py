"""What the product says and keeps of a kind of scheduler. Each default holds for any scheduler."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from dashboard.kinds.card_words import CardTexts
from dashboard.kinds.kube.waiting_words import Waits
from dashboard.kinds.session_words import SessionTexts
from dashboard.kinds.sweepable import Setting
from dashboard.kinds.words import ProfileWords
from dashboard.models import Snapshot
from scheduler_core.schedulers.kind import SchedulerKind, Version

if TYPE_CHECKING:
    from dashboard.kinds.cards import CardSharing
    from dashboard.kinds.own_rows import OwnRows
    from dashboard.kinds.pages import Found, Part, Tab

Config = dict[str, Any]
Present = dict[str, dict[str, dict[str, str]]]
"""By an edit's operation, the object's name and the edit's field: what stands there, as readers see it."""

IN_ANY_ORDER = {
    "instant": "no clock; victims vanish at once",
    "timed": "a clock; grace periods count",
}


class DashboardKind:
    """A kind of scheduler, `engine`, as pages and REST know it.

    configuration: the kind of document that configures it. summaries: what is special about each profile.
    drivers: how time passes and who comes next under each driver. follows_release: it is of a cluster's
    release of Kubernetes. not_imported: what of its settings no import has, as a phrase; empty for nothing.
    begun: by key, what lists of named items in its configuration begin with.
    rows: those of a snapshot for objects that it brings. stylesheets: those of its cards in the debugger.
    cards: what it has to say of them where it shares cards.
    """

    configuration: ClassVar[str] = "configuration"
    summaries: ClassVar[Mapping[str, str]] = {}
    drivers: ClassVar[Mapping[str, str]] = IN_ANY_ORDER
    follows_release: ClassVar[bool] = False
    not_imported: ClassVar[str] = ""
    cards: "ClassVar[CardSharing | None]" = None
    rows: "ClassVar[OwnRows | None]" = None
    stylesheets: ClassVar[Sequence[str]] = ()
    begun: ClassVar[Mapping[str, list[Any]]] = {}

    def __init__(self, engine: SchedulerKind) -> None:
        self.engine = engine

    def summary(self, profile: str) -> str:
        """Return in a few words what is special about a profile."""
        return self.summaries.get(profile, self.engine.title)

    def profiles_in_words(self, built: Any, version: Version) -> list[ProfileWords]:
        """Return the plugins of what a configuration is built as: none where there are no such parts."""
        return [ProfileWords(name, [], [], []) for name in self.engine.serves(built)]

    def waits(self, config: Config | None) -> Waits | None:
        """Return for how long pods wait in a queue; None for a scheduler without one."""
        return None

    def session_texts(self) -> SessionTexts | None:
        """Return what is said of sessions, None where there are none."""
        return None

    def card_texts(self, built: Any) -> CardTexts | None:
        """Return what is said of single cards, None for a scheduler that sees none."""
        return None

    def settled(self, snapshot: Snapshot, config: Config | None) -> Config | None:
        """Return a configuration with what follows from a snapshot's nodes; a wrong one as it is."""
        return config

    def awaiting_pods(self, snapshot: Snapshot) -> int:
        """Return how many of its objects wait for pods that its own controllers have yet to make."""
        return 0

    def tabs(self, snapshot: Snapshot) -> "list[Tab]":
        """Return the lists of its objects that a snapshot has."""
        return []

    def workload_address(self, snapshot: Snapshot, workload: str) -> str | None:
        """Return the page of `Kind/namespace/name` if that is one of its objects."""
        return None

    def group_address(self, snapshot: Snapshot, group: str) -> str | None:
        """Return the page of the pod group `namespace/name`."""
        return None

    def found_in(self, snapshot: Snapshot, text: str, most: int) -> "list[tuple[str, list[Found]]]":
        """Return its objects by words of their names, kind by kind, at most so many of each."""
        return []

    def workload_parts(self, snapshot: Snapshot, workload: str) -> "list[Part]":
        """Return what it has of a workload (`Kind/namespace/name`), for the workload's page."""
        return []

    def node_parts(self, snapshot: Snapshot, node: str) -> "list[Part]":
        """Return what it has of a node (by name), for the node's page."""
        return []

    def node_groups(self, snapshot: Snapshot) -> dict[str, dict[str, str]]:
        """Return by what else a map may group nodes: in words, and the group of each node that has one."""
        return {}

    def present(self, snapshot: Snapshot, most: int) -> Present:
        """Return what its objects say now, for the forms of edits; at most so many of each kind."""
        return {}

    def configuration_form(self) -> dict[str, Any] | None:
        """Return what the editor's form of its configuration is made of, None where there is but text."""
        return None

    def first_config(self) -> Config:
        """Return the configuration that one setting may be put into where a scenario has none."""
        return {}

    def sweepable(self, config: Config | None, version: Version) -> list[Setting]:
        """Return the settings of a right configuration that a sweep may vary."""
        return []

    def variants(self) -> list[tuple[str, Config]]:
        """Return names and configurations under which it takes part in a sweep over schedulers."""
        return []

    def without_connections(self, config: Config | None) -> Config | None:
        """Return a configuration without connections, files and keys. What is misspelt is gone in silence."""
        return config
