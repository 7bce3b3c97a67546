"""What services and reads answer, field by field: one module for each answer.

Pages and REST are made of these answers; the OpenAPI document is derived from them
(`api/answer_schemas.py`). What a run or a snapshot stores of them may be of an earlier version: what that
lacks is `NotRequired`. What they mean to users stands in docs/rest.md.
"""
