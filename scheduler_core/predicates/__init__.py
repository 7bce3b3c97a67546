"""Rules that several schedulers share, without anybody's words."""
