"""How fast a file of complete records is read in our own notation, beside PBN of the same records;
and judged too.

.venv/bin/python benchmarks/hand_speed.py [RECORDS]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from random import Random

from oddtrick.judge.check import check as check_record
from oddtrick.judge.random_deals import legal_game
from oddtrick.law.book import book
from oddtrick.record.deal import Deal
from oddtrick.record.hand.read import read_hand
from oddtrick.record.hand.write import write_hand
from oddtrick.record.pbn.read import read_pbn
from oddtrick.record.pbn.write import write_pbn

CODES = ("bridge-elwell", "auction-1912", "contract-1927", "royalton-1915")
DIFFERENT, TIMES = 50, 5
"""Different games of each code, over and over; how often each file is read."""


def files(count: int) -> tuple[bytes, bytes]:
    """The same random legal games in our own notation and in PBN."""
    games = [
        legal_game(Random(seed), book().rules(code), seed)
        for seed in range(DIFFERENT)
        for code in CODES
    ]
    own = [write_hand([game]) for game in games]
    pbn = ["".join(write_pbn([game])).rstrip("\n") + "\n\n" for game in games]
    chosen = [index % len(games) for index in range(count)]
    return "\n".join(own[i] for i in chosen).encode(), "".join(pbn[i] for i in chosen).encode()


def own_records(data: bytes) -> Iterable[Deal]:
    return (item for item in read_hand([data]) if isinstance(item, Deal))


def pbn_records(data: bytes) -> Iterable[Deal]:
    return (
        item
        for item in read_pbn(iter(data.splitlines(keepends=True)), "-")
        if isinstance(item, Deal)
    )


def timed(read: Callable[[bytes], Iterable[Deal]], data: bytes, judge: bool) -> tuple[int, float]:
    """Records read (and judged for declaration and play), and seconds of the processor."""
    start, count = time.process_time(), 0
    for record in read(data):
        count += 1
        if judge:
            check_record(record, only=("declaring", "play"))
    return count, time.process_time() - start


def main() -> None:
    """Print the figures, the best of several, by the time of the processor; the two notations take
    turns.
    """
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    kinds = dict(
        zip(
            (".hand", ".pbn"),
            zip((own_records, pbn_records), files(count), strict=True),
            strict=True,
        )
    )
    for judge in (False, True):
        best: dict[str, float] = {}
        for _ in range(TIMES):
            for kind, (read, data) in kinds.items():
                done, seconds = timed(read, data, judge)
                if done != count:
                    raise SystemExit(f"{kind}: {done} of {count} records were read")
                best[kind] = min(seconds, best.get(kind, seconds))
        for kind, seconds in best.items():
            size = len(kinds[kind][1]) / 1e6
            print(
                f"{kind:<6} {'read and judged' if judge else 'read':<16} {count / seconds:6.0f} records a second ({size:.1f} MB)"
            )


if __name__ == "__main__":
    main()
