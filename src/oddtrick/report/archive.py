"""Archives: many records judged and told, in this process or by the workers of an executor.

`archive` hands files out in pieces to any executor of `concurrent.futures` (threads, processes, a
Dask cluster's `client.get_executor()`) and gives what they tell in the order of the files. A worker
gets raw text and gives back words and counts, so that neither end keeps records, and memory does
not grow with the archive. The same bytes come out however many work.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from oddtrick.judge import PHASES, as_json, check_document
from oddtrick.judge.answers import Answer
from oddtrick.record.pieces import Piece, pieces
from oddtrick.record.sources import RecordFile, read_paths
from oddtrick.report.forms import as_csv, as_lines, as_sarif, csv_told, line_told, sarif_told
from oddtrick.report.tally import (
    Said,
    Tally,
    as_json_stream,
    as_text_stream,
    json_told,
    short_told,
    whole_told,
)
from oddtrick.terminal import Style

T = TypeVar("T")
Heard = tuple[Sequence[str], Answer]

FORMS = ("text", "json", "jsonl", "sarif", "csv")
"""How an archive is told."""

BATCH = 100
"""So many records are handed out together: judged in a fraction of a second, sent in less."""

TRIES = 3
"""So often workers may be killed before anything more is judged."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of every record, and how it is told: all that a worker needs to know.

    `code` and `options` as `check_document` takes them, `form` one of `FORMS`. With `full` every
    record is told in full, with `account_only` by its account, with `counted` nothing but counted.
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
"""Everything judged, told as text in short."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a worker gives back for a batch: the results as told, the counts of them.

    `seen` says of each piece whether it began a file, whether something in it could not be read,
    whether it had a record.
    """

    said: tuple[Said, ...]
    tally: Tally
    seen: tuple[tuple[bool, bool, bool], ...]


class WorkersKilled(Exception):
    """Workers were killed again and again; the message says at which file."""


Step = Callable[[RecordFile | None], None]
"""Called as work goes on: with each file that is opened here, with `None` behind its results."""


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
    """What a check of files comes to, in pieces of text as `asked`, in the order of the files.

    `files` are paths of files and folders, or the files as `read_paths` gives them. The workers of
    an `executor` read and judge the records behind the first `few`; `ahead` is how many batches
    (about a hundred records each) are with them at once: by default four to a core of this machine,
    for a cluster give two to a core of it. `tally` counts what goes by.

    Raises what the executor raises where a worker is lost for good. `Workers` begins again where
    one was killed, and so does a Dask cluster: `WorkersKilled` where that does not help.
    """
    tally = Tally() if tally is None else tally
    opened = _opened(files, step)
    if executor is None:
        return told(_here(opened, asked, tally, step), asked, tally)
    ahead = ahead or 4 * (os.cpu_count() or 1)
    return told(_handed_out(opened, asked, tally, executor, ahead, few, step), asked, tally)


def _opened(files: Iterable[str] | Iterable[RecordFile], step: Step) -> Iterator[RecordFile]:
    for named in files:
        for file in [named] if isinstance(named, RecordFile) else read_paths([named]):
            step(file)
            yield file


def told(heard: Iterator[Heard | Said], asked: Asked, tally: Tally) -> Iterator[str]:
    """The results in the form that is asked for, in pieces; nothing of what is only counted."""
    if asked.counted:
        return ("" for _ in heard)
    if asked.form == "text":
        return as_text_stream(heard, tally, asked.style, asked.full, asked.account_only)
    said = (h if isinstance(h, Said) else tell(*h, asked) for h in heard)
    if asked.form == "csv":
        return as_csv(said)
    return {"json": as_json_stream, "jsonl": as_lines, "sarif": as_sarif}[asked.form](said, tally)


def tell(lines: Sequence[str], result: Answer, asked: Asked) -> Said:
    """One result in the form that is asked for; as text in short or in full."""
    if asked.form != "text":
        return TELLERS[asked.form](result)
    if asked.full:
        return Said("text", whole_told(lines, result, asked.style, asked.account_only))
    return Said("text", short_told(lines, result, asked.style))


TELLERS = {"json": json_told, "jsonl": line_told, "sarif": sarif_told, "csv": csv_told}


# --- who judges -----------------------------------------------------------------------------------


def _here(files: Iterable[RecordFile], asked: Asked, tally: Tally, step: Step) -> Iterator[Heard]:
    """Every result with the lines of its file, judged in this process."""
    for file in files:
        for result in tally.of_file(_judged(file, asked, tally)):
            step(None)
            yield file.lines, result


def _judged(of: RecordFile | Piece, asked: Asked, tally: Tally | None = None) -> Iterator[Answer]:
    """The answers, in brief unless they are told in full, as a record that is alone is."""
    for result in check_document(of.items, asked.code, asked.options, asked.only):
        alone = asked.form == "text" and tally is not None and not tally.records
        whole = alone or asked.full or asked.form in ("json", "jsonl")
        yield as_json(result, "whole" if whole else "brief")


def _handed_out(
    files: Iterable[RecordFile],
    asked: Asked,
    tally: Tally,
    executor: Executor,
    ahead: int,
    few: int,
    step: Step,
) -> Iterator[Heard | Said]:
    """The first results as they are judged here, then those that the workers told.

    Two at least are judged here: whether one is alone, and told in full, only the second shows.
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
        yield from answer.said


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
    """What a worker does: pieces read, judged, counted and told."""
    tally, said, seen = Tally(), list[Said](), list[tuple[bool, bool, bool]]()
    for piece in batch:
        for result in tally.of_piece(_judged(piece, asked), True):
            if not asked.counted:
                said.append(tell(piece.lines, result, asked))
        seen.append((piece.first, tally.unread, tally.recorded))
    return Judged(tuple(s for s in said if s.text), tally, tuple(seen))


# --- work spread over an executor -----------------------------------------------------------------


@dataclass(slots=True)
class _Sent(Generic[T]):
    """Work that was handed out, and how often its worker was killed."""

    work: tuple[object, ...]
    future: Future[T]
    killed: int = 0


def spread(
    do: Callable[..., T], works: Iterable[tuple[object, ...]], executor: Executor, ahead: int
) -> Iterator[T]:
    """What `do` gives for each work (its arguments), in their order, `ahead` of them at once.

    Where the executor broke, what was with it is given to it again, `TRIES` times: one that cannot
    begin again raises then what it raises. What is not wanted any more is taken back.
    """
    sent: deque[_Sent[T]] = deque()
    try:
        for work in works:
            sent.append(_Sent(work, executor.submit(do, *work)))
            while sent and (len(sent) >= ahead or sent[0].future.done()):
                yield _first(do, sent, executor)
        while sent:
            yield _first(do, sent, executor)
    finally:
        for one in sent:
            one.future.cancel()


def _first(do: Callable[..., T], sent: deque[_Sent[T]], executor: Executor) -> T:
    """What the first work gives, done again where its worker was killed."""
    one = sent[0]
    while True:
        try:
            given = one.future.result()
        except BrokenExecutor as error:
            one.killed += 1
            if one.killed >= TRIES:
                said = f"a worker was killed {one.killed} times at the same records"
                raise WorkersKilled(f"{said}; --jobs 1 judges without workers") from error
            one.future = executor.submit(do, *one.work)
        else:
            sent.popleft()
            return given
