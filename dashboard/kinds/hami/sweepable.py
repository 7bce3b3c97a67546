"""What of HAMi's settings a sweep may vary: its policies, beside those of the kube-scheduler that asks it."""

from itertools import product
from typing import Any

from dashboard.kinds.kind import Config
from dashboard.kinds.sweepable import Setting
from scheduler_core.hami.configuration.settings import Configuration
from scheduler_core.hami.rules.constants import BINPACK, SPREAD

NODE_POLICY, CARD_POLICY = "nodeSchedulerPolicy", "gpuSchedulerPolicy"
_POLICIES = ((BINPACK, BINPACK), (SPREAD, SPREAD))
_DEFAULT = Configuration()


def policies() -> list[Setting]:
    """Return both policies."""
    return [
        Setting("node policy", (NODE_POLICY,), _POLICIES, _DEFAULT.node_scheduler_policy),
        Setting("card policy", (CARD_POLICY,), _POLICIES, _DEFAULT.gpu_scheduler_policy),
    ]


def combinations() -> list[tuple[str, Config]]:
    """Return a name and settings for each combination of the policies."""
    found: list[tuple[str, dict[str, Any]]] = []
    for node, card in product((BINPACK, SPREAD), repeat=2):
        found.append((f"nodes {node}, cards {card}", {NODE_POLICY: node, CARD_POLICY: card}))
    return found
