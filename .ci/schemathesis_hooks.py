"""Hooks that direct generated requests at existing resources, and prevent requests that would leave nothing to test."""

import itertools
import os
import re
import uuid

import schemathesis
from schemathesis.core.failures import Failure
from schemathesis.core.parameters import ParameterLocation
from schemathesis.engine import observations

# It searches responses for paths, and fails on an address such as http://[, which a link may have.
same_origin_path = observations._same_origin_path


def path_or_none(value, origin):
    try:
        return same_origin_path(value, origin)
    except ValueError:
        return None


observations._same_origin_path = path_or_none

KEY = re.compile(r"[!-~]{1,255}")
TWO_IDS = re.compile(r"/v1/\w+/\{id\}/\w+/\{(\w+)\}")
OF_BOOKS = re.compile(r"/v1/clubs/\{id\}/(milestones|standings|meetings|runs)(/\{\w+\})?")
READINGS = {("POST", "/v1/readings"), ("PUT", "/v1/readings/{id}")}
NOTES = {("POST", "/v1/notes"), ("PUT", "/v1/notes/{id}")}
JOINS = {("POST", "/v1/memberships"), ("POST", "/v1/links/preview")}
READERS = {("POST", "/v1/readers")}
# The paths under client-made ids, which are generated and stay.
OWN = re.compile(r"/v1/\w+/\{id\}(/\w+/\{(?!bookId)\w+Id\})?")
GUARDED = {
    ("DELETE", "/v1/tokens/{id}"),
    ("PATCH", "/v1/readers/{id}"),
    ("DELETE", "/v1/readers/{id}"),
}

# The paths of all resources that this run has created and not deleted, the latest last.
left = open(os.environ["CONTRACT_MADE"]).read().split() if "CONTRACT_MADE" in os.environ else []
made = set(left)
count = itertools.count()
# The codes of invitations, which no path contains.
codes = []
# The caller's id, and the names of the readers whose guardian the caller is.
own = os.environ.get("CONTRACT_OWN")
wards = {}


@schemathesis.hook
def before_call(context, case, kwargs):
    if is_valid(case, ParameterLocation.PATH) and "{id}" in case.path:
        aim(case)
    # The caller must not delete itself, which the example of a name could confirm.
    if (case.method, case.path) == ("DELETE", "/v1/readers/{id}") and case.query and "confirm" in case.query:
        case.query["confirm"] = "Nobody of that name"
    if is_valid(case, ParameterLocation.HEADER):
        headers = case.headers or {}
        # A key belongs to one request: sent again with another body it would always be refused.
        if KEY.fullmatch(str(headers.get("Idempotency-Key", ""))):
            headers["Idempotency-Key"] = str(uuid.uuid4())
        # With If-Match a PUT never creates anything.
        if case.method == "PUT" and "If-Match" in headers and path_of(case) not in left:
            del headers["If-Match"]
    if is_valid(case, ParameterLocation.BODY) and (case.method, case.path) in READINGS and isinstance(case.body, dict):
        point(case.body, "book", "books")
    if is_valid(case, ParameterLocation.BODY) and (case.method, case.path) in NOTES and isinstance(case.body, dict):
        if case.body.get("replyTo"):
            point(case.body, "replyTo", "notes")
            for member in ("book", "club", "run", "audience", "about", "entry"):
                case.body.pop(member, None)
        elif not case.body.get("entry"):
            point(case.body, "book", "books")
        if case.body.get("club"):
            point(case.body, "club", "clubs")
    if is_valid(case, ParameterLocation.BODY) and (case.method, case.path) in JOINS and codes and isinstance(case.body, dict) and "invitation" in case.body:
        case.body["invitation"] = codes[-1]
    if is_valid(case, ParameterLocation.BODY) and (case.method, case.path) in READERS and own and isinstance(case.body, dict):
        if case.body.get("guardian"):
            case.body["guardian"] = own
    # Each managed reader is deleted once, with a confirmation of the name.
    if (case.method, case.path) == ("DELETE", "/v1/readers/{id}") and case.query and "confirm" in case.query and next(count) % 2:
        case.query["confirm"] = wards.get(path_of(case), case.query["confirm"])

    if is_valid(case, ParameterLocation.BODY) and case.method in ("POST", "PUT") and OF_BOOKS.fullmatch(case.path) and isinstance(case.body, dict):
        listed = last("/".join(path_of(case).split("/")[:4]) + "/books/[^/]+")
        run = last("/".join(path_of(case).split("/")[:4]) + "/runs/[^/]+")
        if case.body.get("run") and run:
            case.body["run"] = run.split("/")[5]
        if case.body.get("book") and listed and "meetings" not in case.path and "runs" not in case.path:
            case.body["book"] = listed.split("/")[5]
        elif case.body.get("book"):
            point(case.body, "book", "books")
        if case.body.get("reading"):
            point(case.body, "reading", "readings")


def point(body, member, list):
    """Replaces a generated id in a body by that of an existing resource; known ids stay."""
    there = last(f"/v1/{list}/[^/]+")
    if there and f"/v1/{list}/{body.get(member)}" not in made:
        body[member] = there.split("/")[3]


def aim(case):
    """Replaces generated ids by those of existing resources, four times of five; known ids stay."""
    path = case.path.replace("/cards/", "/readings/")
    two = TWO_IDS.match(path)
    one = "/".join(path.split("/")[:4])
    if "/".join(path_of(case).replace("/cards/", "/readings/").split("/")[: 6 if two else 4]) in made:
        return
    if case.method == "PUT" and OWN.fullmatch(case.path):
        there = two and last(re.sub(r"\{\w+\}", "[^/]+", one))
        if there and next(count) % 5:
            case.path_parameters["id"] = there.split("/")[3]
        return
    there = (two and last(re.sub(r"\{\w+\}", "[^/]+", two[0]))) or last(re.sub(r"\{\w+\}", "[^/]+", one))
    if there and (next(count) % 5 or (case.method, case.path) in GUARDED):
        ids = there.split("/")
        case.path_parameters["id"] = ids[3]
        if len(ids) > 5:
            case.path_parameters[two[1]] = ids[5]
        # A book is added to a club's list under its own id.
        book = last("/v1/books/[^/]+")
        if case.method == "PUT" and "{bookId}" in case.path and book:
            case.path_parameters["bookId"] = book.split("/")[3]
    elif (case.method, case.path) in GUARDED:
        # The run's own token and administrator must survive it.
        case.path_parameters["id"] = str(uuid.uuid4())


@schemathesis.hook
def after_call(context, case, response):
    locations = list(response.headers.get("location", []))
    # A calendar's response has no Location of its own.
    if case.path == "/v1/clubs/{id}/calendars" and response.status_code == 201 and response.content:
        locations.append(f"{path_of(case)}/{response.json()['id']}")
    if (case.method, case.path) in READERS and response.status_code == 201 and response.content:
        reader = response.json()
        if reader.get("guardian") == own:
            wards[f"/v1/readers/{reader['id']}"] = reader["name"]
            locations.append(f"/v1/readers/{reader['id']}")
    # A club's founder is a member.
    if case.path in ("/v1/clubs", "/v1/clubs/{id}") and response.status_code == 201 and response.content:
        locations.append(f"/v1/clubs/{response.json()['id']}/members/{own}")
    for location in locations:
        made.add(location)
        left.append(location)
    # A repeated response has no code.
    if case.path.endswith("/invitations") and response.status_code == 201 and "code" in response.json():
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


# The header fields of the `default` response that one of its statuses needs.
FIELDS = {401: "www-authenticate", 405: "allow", 429: "retry-after", 503: "retry-after"}


@schemathesis.check
def common_errors(ctx, response, case):
    """Checks that the `default` response occurs only with the statuses that its description lists. Each has its header field, and its
    problem repeats the status."""
    responses = case.operation.definition.raw["responses"]
    # Every path answers OPTIONS, which the contract does not describe.
    if case.method == "OPTIONS" or str(response.status_code) in responses:
        return
    common = set(re.findall(r"(?:\* |, )`(\d{3})`", case.operation.schema.raw_schema["components"]["responses"]["Problem"]["description"]))
    if str(response.status_code) not in common:
        raise Failure(operation=case.operation.label, title="Neither a common nor a listed status", message=str(response.status_code))
    field = FIELDS.get(response.status_code)
    if field and field not in response.headers:
        raise Failure(operation=case.operation.label, title="A header field of the status is missing", message=field)
    if case.method != "HEAD" and response.json()["status"] != response.status_code:
        raise Failure(operation=case.operation.label, title="A problem has another status", message=response.text)
