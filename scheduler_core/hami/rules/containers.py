"""Changes of a container's resources and environment, as the webhook makes them."""

from __future__ import annotations

from typing import Any

from scheduler_core.hami.rules.numbers import go_decimal
from scheduler_core.hami.rules.pod_request import Object, amount_of

LIMITS, REQUESTS = "limits", "requests"


def has_amount(container: Object, name: str) -> bool:
    """Tell whether a container has a limit or a request of a resource."""
    return bool(name) and amount_of(container, name) is not None


def set_limit(container: Object, name: str, number: int) -> None:
    """Set a limit to a whole number."""
    set_amount(container, LIMITS, name, go_decimal(number))


def set_amount(container: Object, part: str, name: str, text: Any) -> None:
    """Set a limit or a request."""
    container.setdefault("resources", {}).setdefault(part, {})[name] = text


def add_env(container: Object, name: str, value: str) -> None:
    """Add an environment variable at the end; an empty value is left out, as Go's encoding does."""
    variable = {"name": name, "value": value} if value else {"name": name}
    container.setdefault("env", []).append(variable)


def has_env(container: Object, name: str) -> bool:
    """Tell whether a container has an environment variable."""
    return any(variable.get("name") == name for variable in container.get("env") or ())


def has_request(container: Object, name: str) -> bool:
    """Tell whether a container has a request of a resource."""
    return name in ((container.get("resources") or {}).get(REQUESTS) or {})


def complete_amounts(container: Object, name: str) -> None:
    """Let a resource's limit be its request too, and the other way round, where one of both is missing."""
    amount = amount_of(container, name)
    resources = container.setdefault("resources", {})
    for part in (LIMITS, REQUESTS):
        resources.setdefault(part, {}).setdefault(name, amount)
