"""Answers of a fixed shape that services make as plain dictionaries, for the OpenAPI document.

What they mean stands in docs/rest.md. A test holds real answers to them; nothing is made of them.
"""
