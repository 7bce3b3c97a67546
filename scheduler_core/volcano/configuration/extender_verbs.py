"""What a run leaves out of the plugin extender, by the verbs that its arguments configure.

The plugin sends Volcano's own structs to a server: whole pods, and counters of its cache that no import has;
it asks about nodes in parallel. So no run can send what the real one sends, and none asks. But which of its
functions there are follows from the arguments, and so does which decisions may differ.

Source: volcano v1.16 pkg/scheduler/plugins/extender/extender.go; where each function is called:
framework/session_plugins.go, actions; framework/statement.go, which reads no error of a deallocation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from scheduler_core.volcano.configuration.scheduler_conf import Configuration, PluginOption
from scheduler_core.volcano.configuration.stored_configuration import EXTENDER, MANAGED_RESOURCES
from scheduler_core.volcano.configuration.unplayed_parts import PLUGINS, Facts

_ANY = frozenset({"allocate", "backfill", "preempt", "reclaim", "gangpreempt", "gangreclaim"})


class _Verb(NamedTuple):
    """A question to the server: its argument, its flag, the actions that ask it, and what about.

    `by_pod`: it is left out for pods that ask for none of the managed resources.
    """

    argument: str
    flag: str | None
    actions: frozenset[str]
    by_pod: bool
    about: str


_VERBS = (
    _Verb("predicateVerb", "enablePredicate", _ANY, True, "which nodes fit"),
    _Verb("prioritizeVerb", "enableNodeOrder", _ANY, True, "how nodes score"),
    _Verb("allocateFuncVerb", None, _ANY, True, "whether a pod may take its node"),
    _Verb("preemptableVerb", "enablePreemptable", frozenset({"preempt"}), True, "what preempt may evict"),
    _Verb("reclaimableVerb", "enableReclaimable", frozenset({"reclaim"}), True, "what reclaim may evict"),
    _Verb(
        "queueOverusedVerb",
        "enabledOverused",
        frozenset({"allocate", "reclaim", "gangreclaim"}),
        False,
        "which queues are over their share",
    ),
    _Verb("jobEnqueueableVerb", "enableJobEnqueued", frozenset({"enqueue"}), False, "which jobs enter"),
    _Verb("jobReadyVerb", "enableJobReady", _ANY, False, "which jobs are ready"),
)
"""Those whose answers decide something. Sessions that open or close, jobs that have entered and deallocations
are only told."""


def told_of_extender(configuration: Configuration, facts: Facts) -> tuple[str, bool]:
    """Return a phrase about the plugin in a configuration that names it, and whether it could matter.

    Without any arguments all may differ: imports once kept none.
    """
    options = configuration.extenders
    if not all(option.arguments.values for option in options):
        part = PLUGINS[EXTENDER]
        return f"plugin {EXTENDER}, which {part.does}: {part.matters(facts)}", True
    asked = [verb for verb in _VERBS if _is_asked(verb, options, configuration.actions)]
    if not asked:
        return f"plugin {EXTENDER} (its arguments name no verb that decides anything here)", False
    managed = _managed(options)
    if managed and not facts.asks_for(managed):
        names = ", ".join(sorted(managed))
        asked = [verb for verb in asked if not verb.by_pod]
        if not asked:
            return f"plugin {EXTENDER} (no pod asks for {names})", False
    about = _listed([verb.about for verb in asked])
    rest = "a run asks nobody; these decisions, and what follows from them, may differ in reality"
    return f"plugin {EXTENDER}, which asks a server outside {about}: {rest}", True


def _is_asked(verb: _Verb, options: Sequence[PluginOption], actions: Sequence[str]) -> bool:
    """Return whether some of the places where the plugin is named lets it ask."""
    named = any(option.arguments.text(f"{EXTENDER}.{verb.argument}") for option in options)
    switched_on = any(option.enabled(verb.flag) for option in options)
    return named and switched_on and not verb.actions.isdisjoint(actions)


def _managed(options: Sequence[PluginOption]) -> frozenset[str]:
    """Return the resources of which a pod must ask for one to be asked about, empty if all pods are."""
    lists: list[list[Any]] = [option.arguments.values.get(MANAGED_RESOURCES) or [] for option in options]
    return frozenset(name for names in lists for name in names) if all(lists) else frozenset()


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
