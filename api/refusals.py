"""Which HTTP status each refusal of the dashboard's services stands for."""

from http import HTTPStatus

from dashboard import errors

STATUS_OF_REFUSAL: dict[type[errors.Refused], HTTPStatus] = {
    errors.VersionConflict: HTTPStatus.PRECONDITION_FAILED,
    errors.AlreadyDeleted: HTTPStatus.NOT_FOUND,
    errors.HasDependents: HTTPStatus.CONFLICT,
    errors.OthersInTheWay: HTTPStatus.FORBIDDEN,
    errors.NotPossibleNow: HTTPStatus.CONFLICT,
    errors.WaitedTooLong: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.NotYet: HTTPStatus.CONFLICT,
    errors.PutAway: HTTPStatus.CONFLICT,
    errors.NoSuchDecision: HTTPStatus.NOT_FOUND,
    errors.NoSuchNode: HTTPStatus.NOT_FOUND,
    errors.NotInSession: HTTPStatus.NOT_FOUND,
    errors.NoCards: HTTPStatus.NOT_FOUND,
    errors.NoSuchPod: HTTPStatus.NOT_FOUND,
    errors.RecordedByOtherEngine: HTTPStatus.CONFLICT,
    errors.ReplayTooLong: HTTPStatus.SERVICE_UNAVAILABLE,
}


def status_of(refusal: errors.Refused) -> HTTPStatus:
    """Return the refusal's status; 409 for one that is not listed."""
    return STATUS_OF_REFUSAL.get(type(refusal), HTTPStatus.CONFLICT)
