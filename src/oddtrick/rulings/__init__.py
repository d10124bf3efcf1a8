"""What a code gives for an irregularity, and how it is told.

`answer` settles a dispute from the facts on which the law turns, as an `Answer`; `catalogue` has
the irregularities that can be asked about. `rulings.words` tells an answer as a director would.
`find` has the irregularities that a player's own words may mean.
"""

from oddtrick.rulings.engine import Answer, UnknownFact, answer, catalogue
from oddtrick.rulings.finder import find

__all__ = ["Answer", "UnknownFact", "answer", "catalogue", "find"]
