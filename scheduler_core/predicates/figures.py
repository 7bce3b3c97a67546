"""The figures behind an answer about one resource."""

from scheduler_core.events.explanation import Figure
from scheduler_core.objects.quantity import counts_bytes


def figure(name: str, asked: int, free: int, size: int) -> Figure:
    """Return the figures behind an answer about one resource."""
    unit = "m" if name == "cpu" else "bytes" if counts_bytes(name) else ""
    return Figure(name, asked, free, unit, size)
