# SPDX-License-Identifier: GPL-3.0-or-later
"""An arena to be killed: ``python -m tests.arena.killed URL GAME`` plays rated matches and prints each move whose
acceptance a bot has received.
"""

import asyncio
import sys

from arena.application import Arena
from arena.connections.admission import hash_token
from arena.settings import Settings
from arena.store import Store
from tests.arena.conftest import CONTROL, QUICK
from tests.arena.peers import Peer, first_move, ready

BOTS = ("one", "other", "third", "fourth")


async def play(peer: Peer) -> None:
    """Play for ever and print acknowledged moves; think a little, so that there is always a match going on."""
    chosen: dict[tuple[int, int], str] = {}
    while True:
        message = await peer.next("turn", "accepted", "over")
        if message["type"] == "turn":
            await asyncio.sleep(0.005)
            move = first_move(message)
            chosen[message["match"], message["ply"]] = move
            peer.send(type="move", match=message["match"], ply=message["ply"], move=move)
        elif message["type"] == "accepted":
            print("accepted", message["match"], message["ply"], chosen[message["match"], message["ply"]], flush=True)
        else:
            print("over", message["match"], message["result"], flush=True)


async def main(url: str, game: str) -> None:
    """Run the arena and its bots."""
    store = await Store.open(url)
    offered = {"games": game, "time_controls": f"{game}={CONTROL}"}
    arena = Arena(Settings(**(QUICK | offered | {"ladder": True, "log_level": "error"})), store)
    await arena.start()
    await ready(arena)
    peers = []
    for name in BOTS:
        await store.bots.add(name, hash_token(f"token of {name}"))
        peer = Peer(arena)
        await peer.hello(f"token of {name}", [game])
        peers.append(peer)
    await asyncio.gather(*(play(peer) for peer in peers))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
