"""Runs other libraries on archives: endplay writes them, endplay or bridgebots parses them.

    BENCH/bin/python benchmarks/archive_theirs.py write FOLDER [GAMES [SEED]]
    BENCH/bin/python benchmarks/archive_theirs.py LIBRARY FILE

It runs in an environment with both libraries and does not import oddtrick. `write` creates
`clean.pbn` and `clean.lin` with random legal games of duplicate, half of which end with a claim. For
a library, it prints the number of records parsed, the number that failed, and the processor
seconds. A file that cannot be parsed as one piece is parsed game by game.
"""

from __future__ import annotations

import contextlib
import io
import logging
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import bridgebots
from bridgebots.lin import parse_lin_str
from endplay.dealer import generate_deal
from endplay.parsers import lin, pbn
from endplay.types import Board, Contract, ContractBid, Denom, Penalty, PenaltyBid, Player, Vul

Parse = Callable[[str], int]
DENOMINATIONS = (Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt)


def auction(random: Random, dealer: Player) -> tuple[list, Contract | None]:
    """Random legal calls starting with the dealer, and the resulting contract."""
    calls: list = []
    rank, bidder, doubled, passes = -1, dealer, Penalty.passed, 0
    first: dict = {}
    while passes < (4 if rank < 0 else 3):
        seat = Player((dealer + len(calls)) % 4)
        other = (seat - bidder) % 2 == 1
        if rank < 34 and random.random() < (0.25 if rank < 0 else 0.45):
            rank = min(34, rank + random.choice((1, 1, 2, 2, 3, 4, 5, 6)))
            bidder, doubled, passes = seat, Penalty.passed, 0
            first.setdefault((seat % 2, rank % 5), seat)
            calls.append(ContractBid(rank // 5 + 1, DENOMINATIONS[rank % 5]))
        elif rank >= 0 and doubled == Penalty.passed and other and random.random() < 0.2:
            doubled, passes = Penalty.doubled, 0
            calls.append(PenaltyBid(Penalty.doubled))
        elif rank >= 0 and doubled == Penalty.doubled and not other and random.random() < 0.2:
            doubled, passes = Penalty.redoubled, 0
            calls.append(PenaltyBid(Penalty.redoubled))
        else:
            passes += 1
            calls.append(PenaltyBid(Penalty.passed))
    if rank < 0:
        return calls, None
    declarer = first[bidder % 2, rank % 5]
    return calls, Contract(
        level=rank // 5 + 1,
        denom=DENOMINATIONS[rank % 5],
        declarer=declarer,
        penalty=doubled,
        result=0,
    )


def played(random: Random, board: Board, contract: Contract) -> int:
    """Play random legal cards, on half the boards to the end; return the tricks of declarer."""
    deal = board.deal.copy()
    deal.first, deal.trump = contract.declarer.lho, contract.denom
    cards = 52 if random.random() < 0.5 else random.randrange(4, 52)
    won = 0
    for number in range(cards):
        card = random.choice(list(deal.legal_moves()))
        board.play.append(card)
        deal.play(card)
        if number % 4 == 3:
            won += (deal.first - contract.declarer) % 2 == 0
    board.claimed = cards < 52
    return won + (random.randint(0, 13 - cards // 4) if board.claimed else 0)


def game(random: Random, number: int) -> Board:
    """A random board of duplicate, bid and played."""
    dealer, vulnerable = Player.from_board(number % 16 + 1), Vul.from_board(number % 16 + 1)
    board = Board(
        generate_deal(seed=random.randrange(1 << 30)),
        board_num=number + 1,
        dealer=dealer,
        vul=vulnerable,
        Event="Club night",
        Site="Here",
        Date=f"{2000 + number % 26}.{number % 12 + 1:02}.{number % 28 + 1:02}",
        West=f"West {number}",
        North=f"North {number}",
        East=f"East {number}",
        South=f"South {number}",
        Scoring="MP",
    )
    board.auction, contract = auction(random, dealer)
    if contract is None:
        board.contract = Contract("Pass")
    else:
        board.contract = contract
        contract.result = played(random, board, contract) - contract.level - 6
    return board


def write(folder: Path, count: int = 5000, seed: int = 1927) -> None:
    """Write `clean.pbn` and `clean.lin`."""
    random = Random(seed)
    boards = [game(random, number) for number in range(count)]
    for name, parser in (("clean.pbn", pbn), ("clean.lin", lin)):
        with (folder / name).open("w", encoding="utf-8") as file:
            parser.dump(boards, file)


def of_bridgebots(end: str) -> Parse:
    """A function that counts the records bridgebots parses from a text.

    Its PBN parser takes a file, and its LIN parser the text of one board.
    """
    if end == ".lin":
        return lambda text: sum(
            len(d.board_records) for line in text.splitlines() for d in parse_lin_str(line)
        )

    def parsed(text: str) -> int:
        with tempfile.NamedTemporaryFile("w", suffix=end, encoding="utf-8") as file:
            file.write(text)
            file.flush()
            return sum(len(d.board_records) for d in bridgebots.parse_pbn(Path(file.name)))

    return parsed


def of_endplay(end: str) -> Parse:
    """A function that counts the records endplay parses from a text."""
    loads = {".pbn": pbn.loads, ".lin": lin.loads}[end]
    return lambda text: len(loads(text))


def main() -> None:
    """Write the archives, or parse a file with a library and print the figures."""
    if sys.argv[1] == "write":
        write(Path(sys.argv[2]), *map(int, sys.argv[3:]))
        return
    logging.disable()
    path = Path(sys.argv[2])
    text = path.read_text(encoding="latin-1")
    parse = {"endplay": of_endplay, "bridgebots": of_bridgebots}[sys.argv[1]](path.suffix)
    start = time.process_time()
    failed = 0
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            records = parse(text)
        except Exception:
            start, records = time.process_time(), 0
            for one in text.split("\n\n" if path.suffix == ".pbn" else "\n"):
                try:
                    records += parse(one + "\n")
                except Exception:
                    failed += 1
    print(records, failed, time.process_time() - start)


if __name__ == "__main__":
    main()
