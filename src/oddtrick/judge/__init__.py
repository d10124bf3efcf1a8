"""The judge: a record checked against the law.

`check` judges one record under a code and returns a `Check`: the final declaration, the play as it
was followed, the account, and every `Finding` with its laws. `CHECKS` lists the checks in the order
in which they run. `check_document` judges a file, with the rubbers and matches in it
(`GroupCheck`). A fault in a record is a finding, never an exception. The output consists of ids and
data, each a `Message`; `report.answers` puts them into words and builds the JSON that reports and
pages read.
"""

from oddtrick.judge.check import CHECKS, PHASES, Check, check, phases_asked
from oddtrick.judge.events import CallName
from oddtrick.judge.finding import (
    Caller,
    Entry,
    Finding,
    Json,
    Message,
    Missing,
    Severity,
    Verdict,
    verdict_of,
)
from oddtrick.judge.procedures import Declared, Final
from oddtrick.judge.rubber import GroupCheck, check_document

__all__ = [
    "CHECKS",
    "PHASES",
    "CallName",
    "Caller",
    "Check",
    "Declared",
    "Entry",
    "Final",
    "Finding",
    "GroupCheck",
    "Json",
    "Message",
    "Missing",
    "Severity",
    "Verdict",
    "check",
    "check_document",
    "phases_asked",
    "verdict_of",
]
