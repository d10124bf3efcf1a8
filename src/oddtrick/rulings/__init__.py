"""Finds the ruling of a code on an irregularity (`engine`) and puts it into words (`words`)."""

from oddtrick.rulings.engine import Answer, UnknownFact, answer, catalogue

__all__ = ["Answer", "UnknownFact", "answer", "catalogue"]
