"""The kinds of schedulers, as descriptions in the OpenAPI document name them."""

from scheduler_core.schedulers.registry import kinds

_NAMES = list(kinds())
KINDS_IN_WORDS = f"{', '.join(_NAMES[:-1])} or {_NAMES[-1]}."
