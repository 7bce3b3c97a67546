"""The list of what was dropped."""

from scheduler_core.objects.privacy.dropped import with_more


def test_names_that_came_later_are_added_and_counts_stay() -> None:
    before = ["2 Secrets", "pod metadata: managedFields (3)", "pod spec.containers[]: command (3), args (1)"]
    later = ["1 Secret", "pod spec.containers[]: command (1), env (2)", "node status: images (1)"]
    assert with_more(before, later) == [
        "2 Secrets",
        "pod metadata: managedFields (3)",
        "pod spec.containers[]: command (3), args (1), env (2)",
        "1 Secret",
        "node status: images (1)",
    ]
    assert with_more(before, []) == before
    assert with_more([], later) == later
