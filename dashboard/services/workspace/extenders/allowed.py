"""Which extenders may be asked: those below a URL that an administrator has allowed, and no others.

A name is no permission to go wherever it leads: what it resolves to is looked at as well, see `addresses.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from django.conf import settings

from scheduler_core.objects.problems import Problem
from scheduler_core.schedulers.registry import kinds

VARIABLE = "SANDTABLE_EXTENDERS"
_PORTS = {"http": 80, "https": 443}
_CONFIGURATION = "KubeSchedulerConfiguration"


class Address(NamedTuple):
    """Where a URL leads: `host` in lower case and without brackets, `path` without a slash at its end."""

    scheme: str
    host: str
    port: int
    path: str


def address_of(url: str) -> Address:
    """Return where a URL leads. Raises ValueError for one that is none of HTTP, or holds more than that."""
    parts: SplitResult = urlsplit(url)
    plain = not (parts.query or parts.fragment or "@" in parts.netloc or "\\" in url)
    if parts.scheme not in _PORTS or not parts.hostname or not plain or not url.isprintable() or " " in url:
        raise ValueError(f"{url!r} is no http:// or https:// URL without user, query and fragment")
    if any(step in (".", "..") for step in re.split(r"[/\\]", _decoded(parts.path))):
        raise ValueError(f"{url!r} has . or .. in its path")
    port = parts.port or _PORTS[parts.scheme]
    return Address(parts.scheme, parts.hostname.lower().rstrip("."), port, parts.path.rstrip("/"))


def _decoded(path: str) -> str:
    """Return a path as whoever decodes it, perhaps more than once, will see it."""
    while (further := unquote(path)) != path:
        path = further
    return path


def allowed_address(url: str) -> Address | None:
    """Return where a URL leads if an administrator has allowed it or a URL that it begins with, else None."""
    try:
        asked = address_of(url)
    except ValueError:
        return None
    return asked if is_below(asked, settings.EXTENDERS) else None


def is_below(asked: Address, prefixes: Iterable[str]) -> bool:
    """Return whether an address is one of some URLs, or lies below one."""
    return any(_covers(address_of(prefix), asked) for prefix in prefixes)


def _covers(prefix: Address, asked: Address) -> bool:
    same = prefix[:3] == asked[:3]
    return same and (asked.path == prefix.path or asked.path.startswith(f"{prefix.path}/"))


def extender_problems(config: Mapping[str, Any] | None, beside: Sequence[Any] = ()) -> list[Problem]:
    """Return every extender of these configurations that may not be asked, by its field."""
    problems = [Problem(_CONFIGURATION, field, why) for field, why in _refused(config)]
    for place, companion in enumerate(beside):
        of_companion = companion.get("config") if isinstance(companion, Mapping) else None
        problems += [
            Problem(f"beside[{place}]", f"config.{field}", why) for field, why in _refused(of_companion)
        ]
    return problems


def _refused(config: Any) -> Iterable[tuple[str, str]]:
    if not isinstance(config, Mapping):
        return
    for inner in filter(None, (kind.inner_field for kind in kinds().values())):
        for field, why in _refused(config.get(inner)):
            yield f"{inner}.{field}", why
    in_process = {kind.own_extender for kind in kinds().values() if kind.own_extender}
    for place, extender in enumerate(config.get("extenders") or ()):
        url = extender.get("urlPrefix") if isinstance(extender, Mapping) else None
        if isinstance(url, str) and url not in in_process and allowed_address(url) is None:
            yield (
                f"extenders[{place}].urlPrefix",
                f"{url!r} may not be asked: an administrator has to allow it by {VARIABLE}",
            )
