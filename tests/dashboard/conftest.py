"""Fixtures of the dashboard's tests: the three users, and a stand-in for the engine."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from dashboard.accounts.roles import OPERATOR, VIEWER, create_roles, give_role
from dashboard.queries import replay


def new_user(name: str, role: str | None) -> Any:
    """A user with a role, or an outsider."""
    create_roles()
    user = get_user_model().objects.create_user(name, password=f"{name}'s password")
    give_role(user, role)
    return user


@pytest.fixture
def alice(db: None) -> Any:
    """An operator."""
    return new_user("alice", OPERATOR)


@pytest.fixture
def bob(db: None) -> Any:
    """A viewer."""
    return new_user("bob", VIEWER)


@pytest.fixture
def charlie(db: None) -> Any:
    """An outsider: signed in, but without a role."""
    return new_user("charlie", None)


@pytest.fixture
def fake_engine(settings: Any) -> Iterator[None]:
    """Runs are played by the stand-in of `tests.fakes`, whose script is the scenario's configuration."""
    settings.SIMULATION_CLASS = "tests.fakes.FakeSimulation"
    replay.forget_all()
    yield
    replay.forget_all()
