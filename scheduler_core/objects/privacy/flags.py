"""What stays of a command line: the flags that are named, with values that are names or numbers."""

import re
from typing import Any

from scheduler_core.objects.privacy.dropped import Dropped
from scheduler_core.objects.privacy.fields import Keep

_VALUE = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9.]{0,61}[A-Za-z0-9])?", re.ASCII)


def keep_flags(*names: str) -> Keep:
    """Return what keeps `--name=value`, or `--name` and the argument after it, and drops everything else."""
    flag = re.compile(rf"--?({'|'.join(names)})(=(?P<value>.*))?", re.DOTALL)

    def keep(arguments: Any, place: str, dropped: Dropped) -> Any:
        if not isinstance(arguments, list):
            dropped.count_field(place, "arguments")
            return []
        kept: list[str] = []
        waits_for_value = False
        for argument in arguments:
            found = flag.fullmatch(argument) if isinstance(argument, str) else None
            value = argument if waits_for_value or found is None else found["value"]
            is_public = isinstance(value, str) and _VALUE.fullmatch(value) is not None
            if waits_for_value and not is_public:
                kept.pop()
            if (waits_for_value and is_public) or (found is not None and (value is None or is_public)):
                kept.append(argument)
            waits_for_value = found is not None and value is None and not waits_for_value
        if kept == arguments:
            return arguments
        dropped.count_field(place, "arguments")
        return kept

    return keep
