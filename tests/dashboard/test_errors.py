"""However many problems there are, what is stored or said of them ends, with the number of the others."""

from typing import Any

import pytest

from dashboard.errors import problem_documents, sentences_of
from dashboard.services.workspace import trying
from scheduler_core.objects.problems import BadInput, Problem
from tests.dashboard.rows import new_scenario

MANY = [Problem(f"Pod p-{number}", "spec", "is wrong") for number in range(3_000)]
REST = {"object": "", "field": "", "message": "and 2,800 more"}


def test_stored_problems_are_the_first_and_a_count() -> None:
    documents = problem_documents(MANY)
    assert (len(documents), documents[0]["object"], documents[-1]) == (201, "Pod p-0", REST)


def test_a_sentence_of_many_problems_ends_with_a_count() -> None:
    assert sentences_of(BadInput(MANY)).endswith("Pod p-199 spec: is wrong; and 2,800 more")


@pytest.mark.django_db
def test_a_trial_answers_with_the_first_problems_and_a_count(alice: Any, monkeypatch: Any) -> None:
    def refuse(scenario: Any) -> None:
        raise BadInput(MANY)

    monkeypatch.setattr(trying, "try_scenario", refuse)
    problems = trying.validate_scenario(new_scenario(alice))["problems"]
    assert (len(problems), problems[-1]) == (201, REST)
