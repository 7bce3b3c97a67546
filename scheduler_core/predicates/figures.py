"""The figures behind an answer about one resource."""

from typing import Any

from scheduler_core.objects.quantity import counts_bytes


def figure(name: str, asked: int, free: int, size: int) -> dict[str, Any]:
    """Return the figures behind an answer about one resource."""
    unit = "m" if name == "cpu" else "bytes" if counts_bytes(name) else ""
    return {"what": name, "asked": asked, "free": free, "size": size, "unit": unit}
