"""REST and other doors of schedulers of their own: a package here for each kind that has any.

`urls`: addresses of REST; `webhook_urls`: those of admission webhooks; `answer_roots`: what these answer, for
the OpenAPI document; `door`: what is in front of Django.
"""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any


def modules(name: str) -> Iterator[ModuleType]:
    """Yield the modules of a name that packages of kinds have, by the packages' names."""
    for file in sorted(Path(__file__).parent.glob(f"*/{name}.py")):
        yield import_module(f"{__name__}.{file.parent.name}.{name}")


def urlpatterns(name: str) -> list[Any]:
    """Return the addresses in all modules of a name."""
    return [pattern for module in modules(name) for pattern in module.urlpatterns]


def with_doors(application: Any) -> Any:
    """Return an ASGI application with the doors of all kinds in front of it."""
    for module in modules("door"):
        application = module.DOOR(application)
    return application
