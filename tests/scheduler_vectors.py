"""Writes `tests/vectors/schedulers/`: what REST says of each scheduler, for the tests in `tests/js/`.

    python -m tests.scheduler_vectors

`tests/api/test_scheduler_words.py` holds the files to what REST answers.
"""

import json
import os
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parent / "vectors" / "schedulers"


def answer_of(profile: str, config: dict[str, Any] | None = None, driver: str | None = None) -> Any:
    """A scheduler's words as REST gives them."""
    from api.serializers.schedulers import SchedulerWords
    from dashboard.services.workspace.scheduler_words import words_of

    return SchedulerWords(words_of(profile, config, driver)).data


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from scheduler_core.schedulers.registry import versions

    for profile in versions():
        text = json.dumps(answer_of(profile), indent=1, ensure_ascii=False)
        (VECTORS / f"{profile}.json").write_text(f"{text}\n")
