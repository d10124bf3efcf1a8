"""Finding one's way in the laws: citing, searching, comparing, attaching, exporting.

- `read_citation`: the address that somebody means; `write_citation`: an address in one of `STYLES`
- `search`: the laws that answer a question; `disputes`: what a player's words may mean, both by
  `index`
- `silences`: what a code has not, and why
- `compare`: a topic or a law in several codes, two codes as a whole; as text by `columns`
- `export`: the whole lawbook as JSON
- `own_copies`: the laws in a user's own copy of a book, found and stored

The modules are imported one by one: a command that shows a law needs few of them.
"""
