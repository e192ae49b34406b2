# SPDX-License-Identifier: GPL-3.0-or-later
"""Refusals: what handlers raise, and how it is answered: JSON under /api, a page elsewhere, never a traceback."""

from collections.abc import Callable, Mapping
from http import HTTPStatus

import msgspec
import structlog
from aiohttp import ClientConnectionResetError, web
from aiohttp.typedefs import Handler, Middleware

from arena.store.errors import BadCursor, StoreError, Superseded, Unknown
from arena.store.errors import Refused as StoreRefused

CODES = {404: "not-found", 405: "method-not-allowed", 413: "too-large"}
"""Codes of the errors that aiohttp finds by itself."""

log = structlog.get_logger(__name__)


class Refused(Exception):
    """A request that cannot be answered; ``code`` is for programs, ``message`` for people."""

    def __init__(self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers or {}


ErrorPage = Callable[[web.Request, Refused], web.Response]


class NotFound(Refused):
    """Nothing is called that."""

    def __init__(self, message: str) -> None:
        super().__init__(404, "not-found", message)


class BadRequest(Refused):
    """A parameter is missing, unknown or wrong."""

    def __init__(self, message: str) -> None:
        super().__init__(400, "bad-request", message)


class InternalError(Refused):
    """The arena itself failed."""

    def __init__(self) -> None:
        super().__init__(500, "internal-error", "the arena could not answer; its log says why")


class ErrorBody(msgspec.Struct, frozen=True):
    """What went wrong."""

    code: str
    """For programs."""
    message: str
    """For people."""


class ErrorAnswer(msgspec.Struct, frozen=True):
    """The answer of every request under /api that fails."""

    error: ErrorBody


def middleware(error_page: ErrorPage) -> Middleware:
    """Return the middleware that turns whatever a handler raises into an answer; ``error_page`` draws it for people.

    What the store does not know, and a cursor that is none of its own, are refused as it says.
    """

    @web.middleware
    async def answer_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except Refused as error:
            refused = error
        except BadCursor as error:
            refused = BadRequest(str(error))
        except Unknown as error:
            refused = NotFound(str(error))
        except StoreError as error:
            if isinstance(error, StoreRefused) and not isinstance(error, Superseded):
                log.exception("request failed", method=request.method, path=request.path)
                refused = InternalError()
            else:
                log.error("the database failed", method=request.method, path=request.path, why=str(error))
                refused = Refused(HTTPStatus.SERVICE_UNAVAILABLE, "database-failed", str(error))
        except web.HTTPException as error:
            if error.status < HTTPStatus.BAD_REQUEST:
                raise
            kept = {name: error.headers[name] for name in ("Allow",) if name in error.headers}
            refused = Refused(error.status, CODES.get(error.status, "refused"), _words(request, error), kept)
        except ClientConnectionResetError:
            log.info("nobody waits for the answer any more", path=request.path, remote=request.remote)
            return web.Response()
        except Exception:
            log.exception("request failed", method=request.method, path=request.path)
            refused = InternalError()
        return json_answer(refused) if request.path.startswith("/api/") else error_page(request, refused)

    return answer_errors


def _words(request: web.Request, error: web.HTTPException) -> str:
    match error.status:
        case HTTPStatus.NOT_FOUND:
            return f"there is nothing at {request.path[:100]}"
        case HTTPStatus.METHOD_NOT_ALLOWED:
            allowed = error.headers.get("Allow", "GET").replace(",", ", ")
            return f"{request.path[:100]} takes {allowed}, not {request.method}"
    return error.reason


def json_answer(refused: Refused) -> web.Response:
    """Return the answer for programs."""
    body = msgspec.json.encode(ErrorAnswer(ErrorBody(refused.code, refused.message)))
    return web.Response(body=body, status=refused.status, headers=refused.headers, content_type="application/json")
