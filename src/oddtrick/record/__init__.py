"""The record: a deal as it is written, in every notation."""
