"""Access to the laws: citing, searching, comparing, attaching copies, exporting."""
