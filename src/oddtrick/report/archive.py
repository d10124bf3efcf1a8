"""Archives: many records judged and reported, in this process or by the workers of an executor.

`archive` hands files out in pieces to any executor of `concurrent.futures` (threads, processes, a
Dask cluster's `client.get_executor()`) and gives their reports in the order of the files. A worker
gets raw text and gives back words and counts, so that neither end keeps records, and memory does
not grow with the archive. The same bytes come out however many work.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, field
from typing import TypeVar

from oddtrick.judge import PHASES, check_document
from oddtrick.judge.answers import Answer
from oddtrick.record.pieces import Piece, pieces
from oddtrick.record.sources import RecordFile, read_paths
from oddtrick.report.answers import as_json
from oddtrick.report.forms import as_csv, as_lines, as_sarif, render_csv, render_line, render_sarif
from oddtrick.report.tally import (
    Rendered,
    Tally,
    as_json_stream,
    as_text_stream,
    render_json,
    render_text,
)
from oddtrick.terminal import Style

T = TypeVar("T")
WithLines = tuple[Sequence[str], Answer]

FORMS = ("text", "json", "jsonl", "sarif", "csv")
"""The forms of a report."""

BATCH = 100
"""The number of records in a batch: judged in a fraction of a second, sent in less."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The request for every record: how it is judged and reported, all that a worker needs.

    `code` and `options` as `check_document` takes them, `form` one of `FORMS`. With `full` every
    record is reported in full, with `account_only` by its account; with `counted` it is only
    counted.
    """

    code: str | None = None
    options: tuple[str, ...] | None = None
    only: tuple[str, ...] = PHASES
    form: str = "text"
    full: bool = False
    account_only: bool = False
    counted: bool = False
    style: Style = field(default_factory=Style)


EVERYTHING = Asked()
"""Judge everything, and report in brief as text."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The result of a batch from a worker: the rendered results and their counts.

    `seen` says of each piece whether it began a file, whether something in it could not be read,
    whether it had a record.
    """

    rendered: tuple[Rendered, ...]
    tally: Tally
    seen: tuple[tuple[bool, bool, bool], ...]


class WorkersKilled(Exception):
    """A worker was killed; the message says what to do."""


Step = Callable[[RecordFile | None], None]
"""Progress callback: called with each file that is opened here, with `None` after its results."""


def archive(
    files: Iterable[str] | Iterable[RecordFile],
    asked: Asked = EVERYTHING,
    executor: Executor | None = None,
    *,
    tally: Tally | None = None,
    ahead: int | None = None,
    few: int = 0,
    step: Step = lambda _: None,
) -> Iterator[str]:
    """The report on a check of files, in pieces of text as `asked`, in the order of the files.

    `files` are paths of files and folders, or the files as `read_paths` gives them. The workers of
    an `executor` read and judge the records after the first `few`; `ahead` is how many batches
    (about a hundred records each) are with them at once: by default four to a core of this machine,
    for a cluster give two to a core of it. `tally` counts the results.

    Raises `WorkersKilled` where a process of `Workers` was killed; a Dask cluster begins again.
    """
    tally = Tally() if tally is None else tally
    opened = _opened(files, step)
    if executor is None:
        return report(_here(opened, asked, tally, step), asked, tally)
    ahead = ahead or 4 * (os.cpu_count() or 1)
    return report(_handed_out(opened, asked, tally, executor, ahead, few, step), asked, tally)


def _opened(files: Iterable[str] | Iterable[RecordFile], step: Step) -> Iterator[RecordFile]:
    for named in files:
        for file in [named] if isinstance(named, RecordFile) else read_paths([named]):
            step(file)
            yield file


def report(judged: Iterator[WithLines | Rendered], asked: Asked, tally: Tally) -> Iterator[str]:
    """The results in the requested form, in pieces; nothing for results that are only counted."""
    if asked.counted:
        return ("" for _ in judged)
    if asked.form == "text":
        return as_text_stream(judged, tally, asked.style, asked.full, asked.account_only)
    rendered = (j if isinstance(j, Rendered) else render(*j, asked) for j in judged)
    if asked.form == "csv":
        return as_csv(rendered)
    stream = {"json": as_json_stream, "jsonl": as_lines, "sarif": as_sarif}[asked.form]
    return stream(rendered, tally)


def render(lines: Sequence[str], result: Answer, asked: Asked) -> Rendered:
    """One result in the requested form; as text in brief or in full."""
    if asked.form != "text":
        return RENDERERS[asked.form](result)
    text = render_text(lines, result, asked.style, asked.full, asked.account_only)
    return Rendered("text", text)


RENDERERS = {"json": render_json, "jsonl": render_line, "sarif": render_sarif, "csv": render_csv}


# --- who judges -----------------------------------------------------------------------------------


def _here(
    files: Iterable[RecordFile], asked: Asked, tally: Tally, step: Step
) -> Iterator[WithLines]:
    """Every result with the lines of its file, judged in this process."""
    for file in files:
        for result in tally.of_file(_judged(file, asked, tally)):
            step(None)
            yield file.lines, result


def _judged(of: RecordFile | Piece, asked: Asked, tally: Tally | None = None) -> Iterator[Answer]:
    """The answers, in brief unless they are reported in full, as a record that is alone is."""
    for result in check_document(of.items, asked.code, asked.options, asked.only):
        alone = asked.form == "text" and tally is not None and not tally.records
        in_full = alone or asked.full or asked.form in ("json", "jsonl")
        yield as_json(result, "full" if in_full else "brief")


def _handed_out(
    files: Iterable[RecordFile],
    asked: Asked,
    tally: Tally,
    executor: Executor,
    ahead: int,
    few: int,
    step: Step,
) -> Iterator[WithLines | Rendered]:
    """The first results as they are judged here, then those that the workers rendered.

    Two at least are judged here: whether one is alone, and reported in full, only the second shows.
    """
    few = max(few, 2)
    cut = pieces(files)
    for piece in cut:
        for result in tally.of_piece(_judged(piece, asked, tally), piece.first):
            step(None)
            yield piece.lines, result
        if tally.records >= few:
            break
    batches = ((batch, asked) for batch in _batches(cut))
    for answer in spread(judge_batch, batches, executor, ahead):
        tally.add(answer.tally)
        for seen in answer.seen:
            tally.seen(*seen)
        step(None)
        yield from answer.rendered


def _batches(cut: Iterable[Piece]) -> Iterator[tuple[Piece, ...]]:
    """Pieces put together, so that many small files are handed out at once."""
    batch, weight = list[Piece](), 0
    for piece in cut:
        batch.append(piece)
        weight += piece.weight
        if weight >= BATCH:
            yield tuple(batch)
            batch, weight = [], 0
    if batch:
        yield tuple(batch)


def judge_batch(batch: Sequence[Piece], asked: Asked) -> Judged:
    """The work of a worker: read, judge, count and render pieces."""
    tally, rendered, seen = Tally(), list[Rendered](), list[tuple[bool, bool, bool]]()
    for piece in batch:
        for result in tally.of_piece(_judged(piece, asked), True):
            if not asked.counted:
                rendered.append(render(piece.lines, result, asked))
        seen.append((piece.first, tally.unread, tally.recorded))
    return Judged(tuple(s for s in rendered if s.text), tally, tuple(seen))


# --- work spread over an executor -----------------------------------------------------------------


def spread(
    do: Callable[..., T], works: Iterable[tuple[object, ...]], executor: Executor, ahead: int
) -> Iterator[T]:
    """The results of `do` for each tuple of arguments, in order, with `ahead` of them in progress
    at once.

    Raises `WorkersKilled` where the executor broke.
    """
    sent: deque[Future[T]] = deque()
    try:
        for work in works:
            sent.append(executor.submit(do, *work))
            while sent and (len(sent) >= ahead or sent[0].done()):
                yield sent.popleft().result()
        while sent:
            yield sent.popleft().result()
    except BrokenExecutor as error:
        why = "a worker was killed, perhaps because memory is short"
        raise WorkersKilled(f"{why}; --jobs 1 judges without workers") from error
    finally:
        for future in sent:
            future.cancel()
