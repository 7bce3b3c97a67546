"""Answers as data (sentence.py, answer.py), which pages, REST and terminals print alike (printers/)."""
