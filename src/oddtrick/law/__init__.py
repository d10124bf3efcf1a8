"""The law: from YAML to one typed book, and the law in force under a code with its options."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from oddtrick.law.compile import Lint


def lint(laws: "Path | None" = None) -> "Lint":
    """Everything that is wrong in a folder of law data (by default the shipped one), and its codes.

    Each problem has its file, from the folder's own name on, its line and what to do. Raises
    nothing for what stands in the files.
    """
    # PyYAML and jsonschema, which are 0.1 s and not in a browser, are needed for this alone.
    from oddtrick.law.compile import lint as lint_

    return lint_(laws)
