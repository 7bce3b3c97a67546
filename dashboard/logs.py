"""Structured logs: JSON lines in the data folder, readable lines on the terminal.

Both come from the standard ``logging`` module, so Django, Celery, uvicorn and our own ``structlog`` loggers
end in the same places. Files turn over at 10 MB and three are kept; one file per process kind, because
several processes must not turn over the same file.

No line holds a secret, whoever wrote it: tracebacks have no local variables, whatever happens to be
installed, and every text goes through ``masking``. Errors that nobody catches are logged as well.
"""

import logging
import logging.config
import os
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import structlog
from structlog.tracebacks import ExceptionDictTransformer

from dashboard.masking import masked_value

FILE_BYTES = 10 * 1024 * 1024
FILES_KEPT = 3
FRAMES_KEPT = 50

SHARED_PROCESSORS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def is_for_people(record: logging.LogRecord) -> bool:
    """Whether the record belongs on the terminal: Celery's account of each task is for the file only."""
    return record.levelno >= logging.WARNING or not record.name.startswith("celery")


def mask_secrets(_logger: Any, _method: str, event: Mapping[str, Any]) -> dict[str, Any]:
    """A processor: takes the secrets out of an event, which has only plain values afterwards."""
    return dict(masked_value(dict(event)))


def configure(folder: Path, level: str) -> None:
    """Send every logger's records to ``folder`` as JSON and to the terminal as text."""
    folder.mkdir(mode=0o700, exist_ok=True)
    part = os.environ.get("SANDTABLE_PART", "command")
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "json": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "foreign_pre_chain": SHARED_PROCESSORS,
                    "processors": [
                        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                        structlog.processors.ExceptionRenderer(
                            ExceptionDictTransformer(show_locals=False, max_frames=FRAMES_KEPT)
                        ),
                        mask_secrets,
                        structlog.processors.JSONRenderer(),
                    ],
                },
                "terminal": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "foreign_pre_chain": SHARED_PROCESSORS,
                    "processors": [
                        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                        structlog.processors.format_exc_info,
                        mask_secrets,
                        structlog.dev.ConsoleRenderer(
                            colors=os.isatty(2),
                            pad_event_to=0,
                            exception_formatter=structlog.dev.plain_traceback,
                        ),
                    ],
                },
            },
            "handlers": {
                "terminal": {
                    "class": "logging.StreamHandler",
                    "formatter": "terminal",
                    "filters": [is_for_people],
                },
                "file": {
                    "class": "logging.handlers.RotatingFileHandler",
                    "filename": str(folder / f"{part}.jsonl"),
                    "maxBytes": FILE_BYTES,
                    "backupCount": FILES_KEPT,
                    "delay": True,
                    "formatter": "json",
                },
            },
            "root": {"handlers": ["terminal", "file"], "level": level.upper()},
            "loggers": {
                "uvicorn": {"handlers": [], "propagate": True, "level": "WARNING"},
                "uvicorn.access": {"handlers": [], "propagate": True, "level": "WARNING"},
                "authlib": {"level": "WARNING"},  # below it are the verifiers of sign-ins
                "axes": {"level": "WARNING"},
                "django.db.backends": {"level": "INFO"},  # below it are the keys of sessions
                "kombu": {"level": "WARNING"},
            },
        }
    )
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED_PROCESSORS,
            structlog.processors.StackInfoRenderer(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    sys.excepthook = log_uncaught
    threading.excepthook = log_uncaught_in_thread


def log_uncaught(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None, part: str = "the process"
) -> None:
    """Log what ends the process, instead of printing it as it is; Ctrl-C is no error."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    else:
        logging.getLogger(__name__).critical("%s failed", part, exc_info=(kind, error, trace))


def log_uncaught_in_thread(arguments: threading.ExceptHookArgs) -> None:
    """Log what ends a thread."""
    name = arguments.thread.name if arguments.thread else "a thread"
    error = arguments.exc_value or arguments.exc_type()
    log_uncaught(arguments.exc_type, error, arguments.exc_traceback, name)
