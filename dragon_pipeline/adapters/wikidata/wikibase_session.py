"""The HTTP session that pywikibot is lent: every answer is judged here, before pywikibot can take it for something else."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import requests

from dragon_pipeline.adapters.wikidata.wikibase_site import Fault

BUSY = frozenset({"maxlag", "ratelimited", "readonly", "cirrussearch-too-busy-error", "cirrussearch-backend-error"})
"""error codes that pass"""
BUSY_PREFIX = "internal_api_error_"
MAXLAG_WAIT = 5.0
"""seconds, when the server does not say (mediawiki.org, Manual:Maxlag parameter: pause for at least five)"""
NUMBER = re.compile(r"\d{1,9}(\.\d+)?")
SHOWN = 80
"""characters of an answer that is no JSON"""


class JudgingSession(requests.Session):
    """Gives answers that are a JSON object without an error, and raises Fault for everything else."""

    def request(self, *args: Any, **kwargs: Any) -> requests.Response:
        try:
            response = super().request(*args, **kwargs)
        except requests.Timeout:
            raise Fault("it does not answer in time") from None
        except requests.ConnectionError as error:
            raise Fault(f"it cannot be reached ({_reason(error)})") from None
        except requests.RequestException as error:
            raise Fault(f"its answer broke off ({_reason(error)})") from None
        wait = told_wait(response.headers)
        response.headers.pop("Retry-After", None)  # pywikibot reads it as a number, which it need not be
        if response.status_code != requests.codes.ok:
            passing = response.status_code == requests.codes.too_many_requests or response.status_code >= 500
            raise Fault(f"it answers {response.status_code} {response.reason}", passing, wait)
        _judge(_parse(response), wait)
        return response


def told_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds of Retry-After, which holds a number or a date; None when it is not there or cannot be read."""
    told = headers.get("Retry-After", "").strip()
    if NUMBER.fullmatch(told):
        return float(told)
    try:
        until = parsedate_to_datetime(told)
    except ValueError:
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


def _parse(response: requests.Response) -> dict:
    try:
        answer = response.json()
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        kind = response.headers.get("Content-Type", "text").partition(";")[0]
        raise Fault(f"it answers with {kind} that is no JSON object: {' '.join(response.text[:SHOWN].split())!r}")
    return answer


def _judge(answer: Mapping[str, Any], wait: float | None) -> None:
    error = answer.get("error")
    if error is None:
        return
    told: dict = error if isinstance(error, dict) else {"info": error}
    code = str(told.get("code", "unknown"))
    if code == "maxlag" and not wait:
        wait = MAXLAG_WAIT
    passing = code in BUSY or code.startswith(BUSY_PREFIX)
    raise Fault(f"it answers with the error {code}: {told.get('info', '')}", passing, wait, code)


def _reason(error: BaseException) -> str:
    """The innermost cause, in its own words."""
    while error.__cause__ or error.__context__ or (error.args and isinstance(error.args[0], BaseException)):
        inner = error.args[0] if error.args and isinstance(error.args[0], BaseException) else None
        error = inner or error.__cause__ or error.__context__ or error
    return f"{type(error).__name__}: {error}"
