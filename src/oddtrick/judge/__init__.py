"""The judge: a record held against the law."""
