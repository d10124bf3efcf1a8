"""Finding one's way in the laws: citing, searching, comparing, attaching, exporting."""
