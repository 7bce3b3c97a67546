"""Answers about Volcano's objects that are components of the OpenAPI document."""

from typing import Any

from api.kinds.volcano import flows, hyper_nodes

ROOTS: dict[str, list[Any]] = {"HyperNodes": [hyper_nodes.OfSnapshot], "Flows": [flows.OfSnapshot]}
"""By the beginning of the names of what they hold."""
