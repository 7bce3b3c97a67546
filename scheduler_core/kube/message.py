"""The FailedScheduling message.

Source: kubernetes v1.36 pkg/scheduler/framework/types.go FitError.Error; validation.NoteLengthLimit.
"""

from collections.abc import Iterable

from scheduler_core.events.decisions import Status

NO_NODES = "no nodes available to schedule pods"
_LIMIT = 1024


def fit_error(
    nodes: int,
    counted: Iterable[tuple[Status, int]],
    *,
    pre_filter: str = "",
    post_filter: str = "",
) -> str:
    """Return `0/N nodes are available: ...` with each reason's count, sorted as strings.

    `counted` are statuses with the number of their nodes; a node counts for each of its reasons. It is left
    out where PreFilter rejected the pod.
    """
    text = f"0/{nodes} nodes are available:"
    if pre_filter:
        text += f" {pre_filter}."
    else:
        totals: dict[str, int] = {}
        for status, number in counted:
            for reason in status.reasons:
                totals[reason] = totals.get(reason, 0) + number
        if totals:
            text += f" {', '.join(sorted(f'{number} {reason}' for reason, number in totals.items()))}."
    return f"{text} {post_filter}" if post_filter else text


def as_event(message: str) -> str:
    """Cut a message to the 1,024 bytes that an event may have."""
    encoded = message.encode()
    if len(encoded) <= _LIMIT:
        return message
    return encoded[: _LIMIT - len(" ...")].decode(errors="ignore") + " ..."
