#!/usr/bin/env python
"""Runs Django's management commands with Sandtable's settings."""

import sys

from dashboard.command_line.administration import administer

if __name__ == "__main__":
    administer(sys.argv)
