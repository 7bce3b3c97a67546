"""Volcano's job flows: Jobs that are made of templates, one after another."""
