# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors that handlers raise, and their answers: JSON under /api, an HTML page elsewhere, never a traceback."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from math import ceil

import msgspec
import structlog
from aiohttp import ClientConnectionResetError, web
from aiohttp.typedefs import Handler, Middleware

from arena.store.errors import BadCursor, StoreError, StoreRejected, Superseded, Unknown

SCHEME = "Bearer"
"""The scheme of the header Authorization."""

CODES = {404: "not-found", 405: "method-not-allowed", 413: "too-large"}
"""Error codes for HTTP errors that aiohttp raises."""

log = structlog.get_logger(__name__)


class RequestError(Exception):
    """An error answer to a request; ``code`` is for programs, ``message`` for people."""

    field: str | None = None
    """The path of the invalid field in the body, such as "format.rounds"; None if no single field is invalid."""

    def __init__(self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers or {}


ErrorPage = Callable[[web.Request, RequestError], web.Response]


class NotFound(RequestError):
    """The requested thing does not exist."""

    def __init__(self, message: str) -> None:
        super().__init__(404, "not-found", message)


class BadRequest(RequestError):
    """A parameter is missing, unknown or invalid."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(400, "bad-request", message)
        self.field = field


class NotAllowed(RequestError):
    """The request has no valid token."""

    def __init__(self, message: str) -> None:
        super().__init__(401, "not-allowed", message, {"WWW-Authenticate": SCHEME})


class Forbidden(RequestError):
    """The sender of the request is known, and may not do this."""

    def __init__(self, message: str) -> None:
        super().__init__(403, "forbidden", message)


class TooManyRequests(RequestError):
    """The sender has reached a limit; ``retry_after`` in seconds."""

    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(429, "too-many-requests", message, {"Retry-After": str(max(1, ceil(retry_after)))})


class Conflicting(RequestError):
    """The request conflicts with the current state."""

    def __init__(self, message: str) -> None:
        super().__init__(409, "conflict", message)


class InternalError(RequestError):
    """The server failed."""

    def __init__(self) -> None:
        super().__init__(500, "internal-error", "internal error; see the server's log")


class ErrorBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """An error."""

    code: str
    """Error code for programs."""
    message: str
    """Message for people."""
    field: str | None = None
    """The path of the invalid field in the body, such as `format.rounds`; absent if no single field is invalid."""


class ErrorAnswer(msgspec.Struct, frozen=True):
    """The answer to a failed request under /api."""

    error: ErrorBody
    """What is wrong, and where."""


def middleware(error_page: ErrorPage) -> Middleware:
    """Return the middleware that converts exceptions of handlers to answers; ``error_page`` renders the HTML page.

    Store errors for unknown numbers become 404, invalid cursors 400.
    """

    @web.middleware
    async def answer_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except RequestError as error:
            refused = error
        except BadCursor as error:
            refused = BadRequest(str(error))
        except Unknown as error:
            refused = NotFound(str(error))
        except StoreError as error:
            if isinstance(error, StoreRejected) and not isinstance(error, Superseded):
                log.exception("request failed", method=request.method, path=request.path)
                refused = InternalError()
            else:
                log.error("database error", method=request.method, path=request.path, why=str(error))
                refused = RequestError(HTTPStatus.SERVICE_UNAVAILABLE, "database-failed", str(error))
        except web.HTTPException as error:
            if error.status < HTTPStatus.BAD_REQUEST:
                raise
            kept = {name: error.headers[name] for name in ("Allow",) if name in error.headers}
            refused = RequestError(error.status, CODES.get(error.status, "refused"), _words(request, error), kept)
        except ClientConnectionResetError:
            log.info("client disconnected before the answer", path=request.path, remote=request.remote)
            return web.Response()
        except Exception:
            log.exception("request failed", method=request.method, path=request.path)
            refused = InternalError()
        answer = json_answer(refused) if request.path.startswith("/api/") else error_page(request, refused)
        # another sender may get another answer, and caches may keep 404 without a word about it
        answer.headers.setdefault("Cache-Control", "no-store")
        return answer

    return answer_errors


def _words(request: web.Request, error: web.HTTPException) -> str:
    match error.status:
        case HTTPStatus.NOT_FOUND:
            return f"there is nothing at {request.path[:100]}"
        case HTTPStatus.METHOD_NOT_ALLOWED:
            allowed = error.headers.get("Allow", "GET").replace(",", ", ")
            return f"{request.path[:100]} takes {allowed}, not {request.method}"
    return error.reason


def json_answer(refused: RequestError) -> web.Response:
    """Return an error answer as JSON."""
    body = msgspec.json.encode(ErrorAnswer(ErrorBody(refused.code, refused.message, refused.field)))
    return web.Response(body=body, status=refused.status, headers=refused.headers, content_type="application/json")
