"""With what `sandtable preflight` ends, and what that means."""

from dashboard.answers.preflight import Preflight

FITS, NOT, LIMIT, UNSURE = 0, 1, 2, 4  # 3: what was asked is wrong
MEANINGS = {
    FITS: "all fit",
    NOT: "some find no node",
    LIMIT: "a limit is crossed",
    UNSURE: "not sure",
}


def exit_code(found: Preflight, *, costs: bool = False, strict: bool = False) -> int:
    """Return it. costs: more has to go than somebody allows. strict: whatever is not known is no yes."""
    if costs or found.crosses_limit:
        return LIMIT
    if found.answer.verdict in ("partly", "not"):
        return NOT
    return UNSURE if found.answer.verdict == "unsure" or (strict and found.is_doubtful) else FITS
