"""Results as text, JSON and sheets.

- `archive`: judge many files and report them as text, JSON, JSON lines, SARIF or CSV (`Asked`), in
  this process or by the workers of any executor; `report.workers` starts processes on this machine
- `text`: the check of many records as readable text, in pieces; `as_json`: the same for programs
- `sheet`: the score sheet of a rubber or the card of a match, as text or SVG
- `Tally`: counts of the results
"""

from oddtrick.report.archive import Asked, archive
from oddtrick.report.sheet import sheet
from oddtrick.report.tally import Tally
from oddtrick.report.tally import as_json_stream as as_json
from oddtrick.report.tally import as_text_stream as text

__all__ = ["Asked", "Tally", "archive", "as_json", "sheet", "text"]
