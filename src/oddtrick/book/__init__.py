"""Working with the laws: citing, searching, comparing, attaching copies, exporting."""
