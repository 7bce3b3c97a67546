"""What a preflight rests on beside the cluster: its schedulers, and what is read of its manifest."""

import msgspec

from dashboard.answers.preflight import Preflight
from dashboard.answers.sentence import Sentence, number, sentence


def with_source(found: Preflight, chosen: str) -> Preflight:
    """Return a preflight that also says, in a sentence, where the schedulers are from that it plays."""
    return _with_more(found, sentence(chosen))


def without_secrets(found: Preflight, number_of: int) -> Preflight:
    """Return a preflight that also says how many Secrets of its manifest were left out."""
    if not number_of:
        return found
    are_left_out = number(number_of, "Secret of the manifest is,Secrets of the manifest are")
    return _with_more(found, sentence(are_left_out, " left out: no scheduler reads Secrets."))


def _with_more(found: Preflight, said: Sentence) -> Preflight:
    answer = found.answer
    told = msgspec.structs.replace(answer, trust=[*answer.trust, said])
    return msgspec.structs.replace(found, answer=told)
