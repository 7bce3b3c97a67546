"""How much of the database a run takes, asked of the product in a process of its own."""

import json
import re
from dataclasses import dataclass

from tests.fixtures.stack import Stack

_ASK = """
import json
from django.db.models import Sum
from django.db.models.functions import Length
from dashboard.models import Checkpoint, Chunk

def of(model):
    return model.objects.filter(run={run}).aggregate(size=Sum(Length("data")))["size"] or 0

print(json.dumps({{"log": of(Chunk), "checkpoints": of(Checkpoint)}}))
"""


@dataclass(frozen=True)
class Stored:
    """Bytes as they lie in the database, compressed: the log alone, and the checkpoints beside it."""

    log: int
    checkpoints: int


def stored(stack: Stack, run: int) -> Stored:
    """Return what a run has stored."""
    printed = stack.manage("shell", "--no-imports", stdin=_ASK.format(run=run))
    found = re.search(r"^\{.*\}$", printed, re.MULTILINE)
    assert found, printed
    return Stored(**json.loads(found[0]))
