"""Checks of an import: is this a cluster that the engine can work on?"""
