"""What a code gives for an irregularity (`engine`), and how it is worded (`words`)."""

from oddtrick.rulings.engine import Answer, UnknownFact, answer, catalogue

__all__ = ["Answer", "UnknownFact", "answer", "catalogue"]
