"""Aims generated requests at things that are there, and keeps them from doing what would leave nothing to test."""

import itertools
import re
import uuid

import schemathesis
from schemathesis.core.parameters import ParameterLocation

KEY = re.compile(r"[!-~]{1,255}")
GUARDED = {("DELETE", "/v1/tokens/{id}"), ("PATCH", "/v1/readers/{id}")}

# The paths of all that this run has made, and of what is left of it; the last made comes last.
made = set()
left = []
count = itertools.count()
# The codes of invitations, which no answer's place tells.
codes = []


@schemathesis.hook
def before_call(context, case, kwargs):
    if is_valid(case, ParameterLocation.PATH) and "{id}" in case.path:
        aim(case)
    if is_valid(case, ParameterLocation.HEADER):
        headers = case.headers or {}
        # A key names one request: sent again with another body it would always be refused.
        if KEY.fullmatch(str(headers.get("Idempotency-Key", ""))):
            headers["Idempotency-Key"] = str(uuid.uuid4())
        # With If-Match a PUT never makes anything.
        if case.method == "PUT" and "If-Match" in headers and path_of(case) not in left:
            del headers["If-Match"]
    if is_valid(case, ParameterLocation.BODY) and (case.method, case.path) == ("POST", "/v1/readings") and isinstance(case.body, dict):
        point(case.body, "book", "books")
    if is_valid(case, ParameterLocation.BODY) and (case.method, case.path) == ("POST", "/v1/notes") and isinstance(case.body, dict):
        point(case.body, "book", "books")
        if case.body.get("club"):
            point(case.body, "club", "clubs")
    if is_valid(case, ParameterLocation.BODY) and (case.method, case.path) == ("POST", "/v1/memberships") and codes:
        case.body["invitation"] = codes[-1]


def point(body, member, list):
    """Replaces an invented id in a body by that of something there; known ids stay."""
    there = last(f"/v1/{list}/[^/]+")
    if there and f"/v1/{list}/{body.get(member)}" not in made:
        body[member] = there.split("/")[3]


def aim(case):
    """Replaces an invented id by one of something there, four times of five; known ids stay."""
    target = path_of(case).replace("/cards/", "/readings/")
    if is_known(target, case):
        return
    parts = case.path.replace("/cards/", "/readings/").split("/")
    resource = "/".join(parts[:4]) if "{entryId}" not in case.path else case.path
    there = last(re.sub(r"\{\w+\}", "[^/]+", resource))
    if there and (next(count) % 5 or (case.method, case.path) in GUARDED) and case.method != "PUT":
        ids = there.split("/")
        case.path_parameters["id"] = ids[3]
        if "{entryId}" in case.path:
            case.path_parameters["entryId"] = ids[5]
    elif (case.method, case.path) in GUARDED:
        # The run's own token and administrator must survive it.
        case.path_parameters["id"] = str(uuid.uuid4())


def is_known(target, case):
    end = 4 if "{entryId}" not in case.path else 6
    return "/".join(target.split("/")[:end]) in made


@schemathesis.hook
def after_call(context, case, response):
    for location in response.headers.get("location", []):
        made.add(location)
        left.append(location)
    if case.path.endswith("/invitations") and response.status_code == 201 and response.content:
        codes.append(response.json()["code"])
    if case.method == "DELETE" and response.status_code == 204:
        gone = path_of(case)
        left[:] = [path for path in left if path != gone and not path.startswith(gone + "/")]


def is_valid(case, location):
    return not (case.meta and case.meta.is_negative_at(location))


def path_of(case):
    parameters = {name: str(value).lower() for name, value in (case.path_parameters or {}).items()}
    return re.sub(r"\{(\w+)\}", lambda match: parameters.get(match[1], ""), case.path)


def last(pattern):
    return next((path for path in reversed(left) if re.fullmatch(pattern, path)), None)
