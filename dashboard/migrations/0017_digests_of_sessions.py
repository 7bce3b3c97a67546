"""Of sessions only digests of their keys are stored; people who are signed in stay so.

Backwards nobody can go: the digests match no cookie, and people sign in again.
"""

import hashlib
from typing import Any

from django.db import migrations

KEY_LENGTH = 32
DIGEST_LENGTH = 40


def store_digests(apps: Any, schema_editor: Any) -> None:
    sessions = apps.get_model("sessions", "Session").objects
    for key in list(sessions.values_list("session_key", flat=True)):
        if len(key) == KEY_LENGTH:
            digest = hashlib.sha256(key.encode()).hexdigest()[:DIGEST_LENGTH]
            sessions.filter(session_key=key).update(session_key=digest)


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0016_working_parts"), ("sessions", "0001_initial")]

    operations = [migrations.RunPython(store_digests, migrations.RunPython.noop)]
