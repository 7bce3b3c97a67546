"""Fixtures of the REST tests: a client for each person."""

from typing import Any

import pytest
from rest_framework.test import APIClient


def client_of(user: Any) -> APIClient:
    """A client that is signed in by session and, as in service, must pass CSRF protection by itself."""
    client = APIClient()
    client.force_login(user)
    return client


@pytest.fixture
def as_alice(alice: Any) -> APIClient:
    """The operator."""
    return client_of(alice)


@pytest.fixture
def as_bob(bob: Any) -> APIClient:
    """The viewer."""
    return client_of(bob)


@pytest.fixture
def as_charlie(charlie: Any) -> APIClient:
    """The outsider."""
    return client_of(charlie)


@pytest.fixture
def as_nobody(db: None) -> APIClient:
    """Not signed in."""
    return APIClient()


@pytest.fixture
def as_dora(dora: Any) -> APIClient:
    """The administrator."""
    return client_of(dora)
