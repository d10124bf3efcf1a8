"""Results as text, JSON and sheets.

- `archive`: many files judged and reported as text, JSON, JSON lines, SARIF or CSV (`Asked`), here
  or by the workers of any executor; processes of this machine are in `report.workers`
- `text`: a check of many records in pieces, as people read it; `as_json`: the same for programs
- `sheet`: the score sheet of a rubber or the card of a match, as text or SVG
- `Tally` counts what goes by
"""

from oddtrick.report.archive import Asked, archive
from oddtrick.report.sheet import sheet
from oddtrick.report.tally import Tally
from oddtrick.report.tally import as_json_stream as as_json
from oddtrick.report.tally import as_text_stream as text

__all__ = ["Asked", "Tally", "archive", "as_json", "sheet", "text"]
