"""The judge: a record held against the law.

`check` judges one record under a code and answers a `Check`: the final declaration, the play as
it was followed, the account, and every `Finding` with its laws; `CHECKS` are what it asks, in
order. `check_document` judges whole files, rubbers and matches (`GroupCheck`) among them. What is
wrong in a record is a finding, never an exception. `as_json` makes of an answer the JSON
of `answers`, which is all that reports, pages and tests read.
"""

from oddtrick.judge.answers import Answer
from oddtrick.judge.check import CHECKS, PHASES, Check, check
from oddtrick.judge.finding import Entry, Finding, Severity, Verdict, verdict_of
from oddtrick.judge.procedures import Declared, Final
from oddtrick.judge.rubber import GroupCheck, as_json, check_document, exit_status

__all__ = [
    "CHECKS",
    "PHASES",
    "Answer",
    "Check",
    "Declared",
    "Entry",
    "Final",
    "Finding",
    "GroupCheck",
    "Severity",
    "Verdict",
    "as_json",
    "check",
    "check_document",
    "exit_status",
    "verdict_of",
]
