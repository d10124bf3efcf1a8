"""The JSON of an answer, with its wording."""

from __future__ import annotations

from typing import overload

from oddtrick.judge import Answer, Check, Finding, GroupCheck
from oddtrick.judge.answers import Depth, FindingJson, GroupJson, RecordJson
from oddtrick.report.messages import Wording


@overload
def as_json(result: Check, depth: Depth = "full") -> RecordJson: ...
@overload
def as_json(result: GroupCheck, depth: Depth = "full") -> GroupJson: ...
@overload
def as_json(result: Finding, depth: Depth = "full") -> FindingJson: ...
@overload
def as_json(result: Check | GroupCheck | Finding, depth: Depth = "full") -> Answer: ...
def as_json(result: Check | GroupCheck | Finding, depth: Depth = "full") -> Answer:
    """The JSON of the answer to a record or group, or of a single finding."""
    if isinstance(result, Finding):
        return result.as_json(Wording(None).say)
    say = Wording(result.law).say
    return result.as_json(say, depth) if isinstance(result, Check) else result.as_json(say)
