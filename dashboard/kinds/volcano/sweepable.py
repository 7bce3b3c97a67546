"""What of a volcano-scheduler.conf a sweep may vary: its actions, and weights of its plugins."""

from collections.abc import Mapping
from typing import Any

import yaml

from dashboard.kinds.sweepable import Setting
from scheduler_core.volcano.configuration.known_arguments import known_arguments
from scheduler_core.volcano.configuration.scheduler_conf import SHIPPED

FIRST: dict[str, Any] = yaml.safe_load(SHIPPED)
_NUMBERS = ("weight", "overcommit-factor", "binpack.cpu", "binpack.memory")
_MORE = ((), ("preempt",), ("reclaim",), ("preempt", "reclaim"))


def sweepable(config: Mapping[str, Any]) -> list[Setting]:
    """Return the settings of a configuration, which is right."""
    found = [Setting("actions", ("actions",), _actions(str(config.get("actions") or FIRST["actions"])))]
    for place, tier in enumerate(config.get("tiers") or (), start=1):
        for plugin in tier.get("plugins") or ():
            name = plugin["name"]
            numbers = (key for key in known_arguments(name) if key.endswith(_NUMBERS))
            found += [
                Setting(f"{name} {key}", ("tiers", str(place), "plugins", name, "arguments", key))
                for key in numbers
                if not key.startswith("volumebinding")
            ]
    return found


def _actions(present: str) -> tuple[tuple[str, str], ...]:
    """Return the actions that there are, and with each choice of those that evict.

    Those that are there keep their places, others come last.
    """
    names = [name.strip() for name in present.split(",")]
    lists = [names]
    for more in _MORE:
        kept = [name for name in names if name in more or name not in _MORE[-1]]
        lists.append([*kept, *(one for one in more if one not in kept)])
    texts = dict.fromkeys(", ".join(one) for one in lists)
    return tuple((text, text) for text in texts)
