"""Volcano's cron jobs: Jobs that are made by the clock."""
