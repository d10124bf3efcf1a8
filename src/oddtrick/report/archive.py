"""Archives: many records judged and reported, in this process or by the workers of an executor.

`archive` distributes pieces of the files over any executor of `concurrent.futures` (threads,
processes, a Dask cluster's `client.get_executor()`) and yields their reports in the order of the
files. A worker receives raw text and returns rendered text and counts, so that neither end stores
records and memory does not grow with the archive. The output is the same for any number of workers.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, field
from typing import TypeVar

from oddtrick.judge import PHASES, Json, check_document, phases_asked
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

FORMS = ("text", "json", "jsonl", "sarif", "csv")
"""The forms of a report."""

BATCH = 100
"""The number of records in a batch. Judging it takes a fraction of a second, sending it less."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The settings for every record: how it is judged and reported. A worker needs no others.

    `code` and `options` are as for `check_document`; `form` is one of `FORMS`. With `full`, every
    record is reported in full; with `account_only`, only its account is reported; with `counted`,
    it is only counted.
    """

    code: str | None = None
    options: tuple[str, ...] | None = None
    only: tuple[str, ...] = PHASES
    form: str = "text"
    full: bool = False
    account_only: bool = False
    counted: bool = False
    style: Style = field(default_factory=Style)

    def __post_init__(self) -> None:
        phases_asked(self.only)
        if self.form not in FORMS:
            raise ValueError(f"form takes {', '.join(FORMS)}; `{self.form}` is not one of them")


EVERYTHING = Asked()
"""Judge everything, and report in brief as text."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A worker's result for a batch: the rendered results and their counts.

    `seen` says for each piece whether it began a file, whether part of it could not be read, and
    whether it had a record.
    """

    rendered: tuple[Rendered, ...]
    tally: Tally
    seen: tuple[tuple[bool, bool, bool], ...]


class WorkersKilled(Exception):
    """A worker was killed; the message says what to do."""


Step = Callable[[RecordFile | None], None]
"""Progress callback: called with each file opened here, and with `None` after its results."""


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

    `files` are paths of files and folders, or files as `read_paths` yields them. The workers of
    an `executor` read and judge the records after the first `few`. `ahead` is how many batches
    (about a hundred records each) they may hold at once: by default four for each core of this
    machine; for a cluster, pass two for each of its cores. `tally` counts the results.

    Raises `WorkersKilled` if a process of `Workers` was killed; a Dask cluster runs the batch again
    by itself.
    """
    tally = Tally() if tally is None else tally
    pieces = (piece for file in _opened(files, step) for piece in file.pieces())
    judged = _judged(pieces, asked, tally, executor, ahead, few, step)
    return report(judged, asked, tally)


def _opened(files: Iterable[str] | Iterable[RecordFile], step: Step) -> Iterator[RecordFile]:
    for named in files:
        for file in [named] if isinstance(named, RecordFile) else read_paths([named]):
            step(file)
            yield file


def report(judged: Iterator[Json | Rendered], asked: Asked, tally: Tally) -> Iterator[str]:
    """The results in the requested form, in pieces; empty pieces if they are only counted."""
    if asked.counted:
        return ("" for _ in judged)
    if asked.form == "text":
        return as_text_stream(judged, tally, asked.style, asked.full, asked.account_only)
    rendered = (j if isinstance(j, Rendered) else render(j, asked) for j in judged)
    if asked.form == "csv":
        return as_csv(rendered)
    stream = {"json": as_json_stream, "jsonl": as_lines, "sarif": as_sarif}[asked.form]
    return stream(rendered, tally)


def render(result: Json, asked: Asked) -> Rendered:
    """One result in the requested form; text is in brief or in full."""
    if asked.form != "text":
        return RENDERERS[asked.form](result)
    text = render_text(result, asked.style, asked.full, asked.account_only)
    return Rendered("text", text)


RENDERERS = {"json": render_json, "jsonl": render_line, "sarif": render_sarif, "csv": render_csv}


# --- judging here or in workers -------------------------------------------------------------------


def _judged(
    cut: Iterator[RecordFile],
    asked: Asked,
    tally: Tally,
    executor: Executor | None,
    ahead: int | None,
    few: int,
    step: Step,
) -> Iterator[Json | Rendered]:
    """The results: the first `few` judged in this process, the rest judged and rendered by workers.

    At least two records are judged here: a single record is reported in full, and only the second
    shows whether there is just one.
    """
    for piece in cut:
        for result in tally.of_file(_answers(piece, asked, tally), piece.first):
            step(None)
            yield result
        if executor and tally.records >= max(few, 2):
            break
    if executor is None:
        return
    batches = ((batch, asked) for batch in _batches(cut))
    for answer in spread(judge_batch, batches, executor, ahead or 4 * (os.cpu_count() or 1)):
        tally.add(answer.tally)
        for seen in answer.seen:
            tally.seen(*seen)
        step(None)
        yield from answer.rendered


def _answers(piece: RecordFile, asked: Asked, tally: Tally | None = None) -> Iterator[Json]:
    """The answers: complete if they may have to be reported in full, otherwise in brief."""
    for result in check_document(piece.items, asked.code, asked.options, asked.only):
        alone = asked.form == "text" and tally is not None and not tally.records
        in_full = alone or asked.full or asked.form in ("json", "jsonl")
        yield as_json(result, "full" if in_full else "brief")


def _batches(cut: Iterable[RecordFile]) -> Iterator[tuple[RecordFile, ...]]:
    """Pieces combined into batches, so that many small files are sent together."""
    batch, weight = list[RecordFile](), 0
    for piece in cut:
        batch.append(piece)
        weight += piece.weight
        if weight >= BATCH:
            yield tuple(batch)
            batch, weight = [], 0
    if batch:
        yield tuple(batch)


def judge_batch(batch: Sequence[RecordFile], asked: Asked) -> Judged:
    """The job of a worker: read, judge, count and render pieces."""
    tally, rendered, seen = Tally(), list[Rendered](), list[tuple[bool, bool, bool]]()
    for piece in batch:
        for result in tally.of_file(_answers(piece, asked)):
            if not asked.counted:
                rendered.append(render(result, asked))
        seen.append((piece.first, tally.unread, tally.recorded))
    return Judged(tuple(s for s in rendered if s.text), tally, tuple(seen))


# --- work spread over an executor -----------------------------------------------------------------


def spread(
    do: Callable[..., T], works: Iterable[tuple[object, ...]], executor: Executor, ahead: int
) -> Iterator[T]:
    """Yield the results of `do` for each tuple of arguments, in order.

    Up to `ahead` calls are in progress at once. Raises `WorkersKilled` if the executor breaks.
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
        why = "a worker was killed, perhaps because memory ran out"
        raise WorkersKilled(f"{why}; --jobs 1 judges without workers") from error
    finally:
        for future in sent:
            future.cancel()
