"""Structured logs: JSON lines in the data folder, readable lines on the terminal.

Both come from the standard ``logging`` module, so Django, Celery, uvicorn and our own ``structlog`` loggers
end in the same places. Files turn over at 10 MB and three are kept; one file per process kind, because
several processes must not turn over the same file.
"""

import logging
import logging.config
import os
from pathlib import Path

import structlog

FILE_BYTES = 10 * 1024 * 1024
FILES_KEPT = 3

SHARED_PROCESSORS = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def is_for_people(record: logging.LogRecord) -> bool:
    """Whether the record belongs on the terminal: Celery's account of each task is for the file only."""
    return record.levelno >= logging.WARNING or not record.name.startswith("celery")


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
                        structlog.processors.dict_tracebacks,
                        structlog.processors.JSONRenderer(default=str),
                    ],
                },
                "terminal": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "foreign_pre_chain": SHARED_PROCESSORS,
                    "processors": [
                        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                        structlog.dev.ConsoleRenderer(colors=os.isatty(2), pad_event_to=0),
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
                "axes": {"level": "WARNING"},
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
