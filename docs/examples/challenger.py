# SPDX-License-Identifier: MIT
import asyncio
import os
import random

from bots import Bot
from bots.client import Client


class Challenger(Bot):
    games = ["tictactoe"]

    def __init__(self):
        self.results = asyncio.Queue()

    async def move(self, turn):
        return random.choice(turn.legal_moves)

    async def match_over(self, over):
        await self.results.put(over)


async def main():
    bot = Challenger()
    async with Client(bot, url=os.environ["ARENA_URL"], token=os.environ["ARENA_TOKEN"], ladder=False) as client:
        for match in await client.challenge(os.environ["OPPONENT"], "tictactoe", time_control="5+0.1"):
            over = await bot.results.get()
            print(f"match {match}: {over.result}, {over.termination}")


asyncio.run(main())
