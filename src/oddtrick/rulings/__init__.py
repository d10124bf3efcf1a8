"""What a code gives for an irregularity, and how it is told.

`answer` settles a dispute from the facts on which the law turns, as an `Answer`; `catalogue` has
the irregularities that can be asked about. `rulings.words` tells an answer as a director would.
"""

from oddtrick.rulings.engine import Answer, UnknownFact, answer, catalogue

__all__ = ["Answer", "UnknownFact", "answer", "catalogue"]
