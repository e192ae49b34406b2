# SPDX-License-Identifier: GPL-3.0-or-later
"""An SMTP server on a socket, which keeps the mails that it takes."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default


class Mailbox:
    """The mails, in the order in which they came."""

    def __init__(self) -> None:
        self.port = 25
        self.mails: asyncio.Queue[EmailMessage] = asyncio.Queue()
        self.recipients: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Talk to one client, by RFC 5321."""
        writer.write(b"220 mailbox\r\n")
        while line := await reader.readline():
            word = line[:4].upper()
            if word == b"DATA":
                writer.write(b"354 go on\r\n")
                body = (await reader.readuntil(b"\r\n.\r\n")).removesuffix(b".\r\n")
                mail = message_from_bytes(body, policy=default)
                assert isinstance(mail, EmailMessage)
                self.mails.put_nowait(mail)
            elif word == b"RCPT":
                self.recipients.append(line.decode().partition(":")[2].strip())
            writer.write(b"221 bye\r\n" if word == b"QUIT" else b"250 ok\r\n")
            await writer.drain()
            if word == b"QUIT":
                break
        writer.close()

    async def link(self) -> str:
        """Wait for the next mail with a link that has a code; return the code."""
        found = None
        while found is None:
            found = re.search(r"\?code=(\S+)", (await self.mails.get()).get_content())
        return found[1]


@asynccontextmanager
async def mailbox() -> AsyncIterator[Mailbox]:
    """Serve a mailbox on a port of this machine."""
    box = Mailbox()
    server = await asyncio.start_server(box.serve, "127.0.0.1", 0)
    box.port = server.sockets[0].getsockname()[1]
    async with server:
        yield box
