"""The JSON of an answer, with its wording."""

from __future__ import annotations

from oddtrick.judge import Check, Finding, GroupCheck
from oddtrick.judge.answers import Depth, Json
from oddtrick.report.messages import Wording


def as_json(result: Check | GroupCheck | Finding, depth: Depth = "full") -> Json:
    """The JSON of the answer to a record or group, or of a single finding."""
    if isinstance(result, Finding):
        return result.as_json(Wording(None).say)
    say = Wording(result.law).say
    return result.as_json(say, depth) if isinstance(result, Check) else result.as_json(say)
