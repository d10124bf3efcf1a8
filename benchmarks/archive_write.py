"""Random legal games of duplicate bridge written in PBN and LIN by endplay, a library of others.

BENCH/bin/python benchmarks/archive_write.py FOLDER [GAMES [SEED]]

For an environment with endplay alone; nothing of oddtrick is used, so that what it says of these
files is said of what another program writes. The calls are made by chance among those that modern
bridge allows, the cards among those that endplay says can be played. Half of the games end in a claim.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from endplay.dealer import generate_deal
from endplay.parsers import lin, pbn
from endplay.types import Board, Contract, ContractBid, Denom, Penalty, PenaltyBid, Player, Vul

DENOMINATIONS = (Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt)


def auction(random: Random, dealer: Player) -> tuple[list, Contract | None]:
    """Random calls from the dealer on, and the contract that they come to."""
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
    """Play cards at random, half the boards to the end; the tricks of the declarer."""
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
    """One board of duplicate, bid and played."""
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


def main() -> None:
    """Write `clean.pbn` and `clean.lin`."""
    folder = Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    random = Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1927)
    boards = [game(random, number) for number in range(count)]
    with (folder / "clean.pbn").open("w", encoding="utf-8") as file:
        pbn.dump(boards, file)
    with (folder / "clean.lin").open("w", encoding="utf-8") as file:
        lin.dump(boards, file)


if __name__ == "__main__":
    main()
