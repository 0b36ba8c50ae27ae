"""Tests the generated client for .ci/client. Usage: python3 client.py LECTERN FOLDER, where FOLDER contains the package `generated`."""

import hashlib
import importlib
import json
import os
import pathlib
import pkgutil
import sys
import uuid

lectern, folder = sys.argv[1:3]
sys.path[:0] = [folder, os.path.dirname(os.path.abspath(__file__))]
import ruamel.yaml

from streams.server import Server

contract = ruamel.yaml.YAML(typ="safe").load(pathlib.Path("openapi.yaml"))
if json.loads(pathlib.Path("Sources/CContract/openapi.json").read_text()) != contract | {"x-sha256-of-yaml": hashlib.sha256(pathlib.Path("openapi.yaml").read_bytes()).hexdigest()}:
    sys.exit("client: openapi.json is not openapi.yaml; run .ci/openapi_json")


def modules():
    """Imports every module of the package, and returns them by name."""
    package = importlib.import_module("generated")
    names = [module.name for module in pkgutil.walk_packages(package.__path__, "generated.")]
    return {name.rpartition(".")[2]: importlib.import_module(name) for name in names}


def demand(is_so, what):
    if not is_so:
        sys.exit(f"client: {what}")


def resolved(schema):
    """Returns a schema without references."""
    while "$ref" in schema:
        schema = contract["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def allows_null(schema):
    schema = resolved(schema)
    if "anyOf" in schema or "oneOf" in schema:
        return any(allows_null(part) for part in schema.get("anyOf", []) + schema.get("oneOf", []))
    kinds = schema.get("type", "object")
    return "null" in (kinds if isinstance(kinds, list) else [kinds])


def members(schema):
    """Returns the members of an object of the schema, each with whether it may be null in every form of the object."""
    schema = resolved(schema)
    forms = schema.get("anyOf", []) + schema.get("oneOf", []) or [schema]
    forms = [resolved(form).get("properties", {}) for form in forms]
    for name in {name for form in forms for name in form}:
        yield name, all(allows_null(form[name]) for form in forms if name in form)


def demand_nulls(http):
    """Sends null for each nullable member: the server must not refuse it for being null."""
    count = 0
    for path, methods in contract["paths"].items():
        for method, operation in methods.items():
            if method not in ("post", "put", "patch") or "requestBody" not in operation:
                continue
            schema = next(iter(operation["requestBody"]["content"].values()))["schema"]
            nullable = [name for name, isNullable in members(schema) if isNullable]
            url = path.replace("{reaction}", "love").replace("{device}", "phone").replace("{name}", "desk")
            for name in nullable:
                target = "".join(str(uuid.uuid4()) if part.startswith("{") else part for part in _parts(url))
                answer = http.request(method, target, json={name: None})
                refused = answer.json().get("violations", []) if answer.status_code == 422 else []
                said = [violation["detail"] for violation in refused if violation["pointer"] == f"/{name}" and "null" in violation["detail"]]
                demand(not said, f"{method.upper()} {path} lets {name} be null by the contract, and the server does not: {said}")
                count += 1
    return count


def _parts(path):
    while "{" in path:
        before, _, rest = path.partition("{")
        name, _, path = rest.partition("}")
        yield from (before, "{" + name)
    yield path


def demand_calls(found, client):
    """Makes some calls, as another program would."""
    calls = 0

    def call(operation, status, *arguments, **more):
        nonlocal calls
        calls += 1
        answer = found[operation].sync_detailed(*arguments, client=client, **more)
        demand(answer.status_code == status, f"{operation} is {answer.status_code} and not {status}: {answer.content[:500]}")
        demand(answer.parsed is not None or status == 204, f"{operation}: the answer was not decoded")
        if place := answer.headers.get("location"):
            found_there = client.get_httpx_client().get(place)
            demand(found_there.status_code == 200, f"{operation} says {place}, which is {found_there.status_code}")
        return answer

    def made(model, **members):
        return getattr(found[model], "".join(word.capitalize() for word in model.split("_"))).from_dict(members)

    demand(call("get_health", 200).parsed.version, "the service does not say its version")
    book = call("create_book", 201, body=made("book_draft", title="Dawn", pageCount=248))
    demand(book.parsed.page_count == 248 and book.headers["location"] == f"/v1/books/{book.parsed.id}", "a book is not what was sent")
    demand(call("list_books", 200, q="dawn").parsed.items[0].id == book.parsed.id, "a search does not find the book")
    reading = call("create_reading", 201, body=made("reading_draft", book=str(book.parsed.id)))
    entry = call("create_entry", 201, reading.parsed.id, body=made("entry_draft", page=62))
    demand(entry.parsed.progress == 0.25, "an entry has another progress")
    demand(len(call("list_entries", 200, reading.parsed.id).parsed.items) == 1, "the reading has not one entry")
    demand(call("get_card", 200, reading.parsed.id).parsed.progress == 0.25, "a card has another progress")
    missing = call("get_book", 404, uuid.uuid4())
    demand(str(missing.parsed.type_) == "/problems/not-found", f"a 404 is no problem: {missing.content}")
    patch = made("book_patch", pageCount=250)
    call("update_book", 200, book.parsed.id, body=patch, if_match=book.headers["etag"])
    call("update_book", 412, book.parsed.id, body=patch, if_match=book.headers["etag"])
    line = {"method": "PATCH", "path": f"/v1/books/{book.parsed.id}", "body": {"pageCount": 250}}
    answers = call("post_batch", 200, body=made("post_batch_body", atomic=True, requests=[line])).parsed.answers
    demand(answers[0].unchanged is True, "a line of a batch that changes nothing is not decoded so")
    club = call("create_club", 201, body=made("club_draft", name="Tuesdays")).parsed
    run = call("create_run", 201, club.id, body=made("run_draft", book=str(book.parsed.id), state="current")).parsed
    call("create_milestone", 201, club.id, body=made("milestone_draft", run=str(run.id), position={"progress": 0.5}, dueAt="2090-01-01T00:00:00Z"))
    note = call("create_note", 201, body=made("note_draft", book=str(book.parsed.id), club=str(club.id), body="Oh.")).parsed
    demand(call("list_club_notes", 200, club.id).parsed.items[0].id == note.id, "the club's list has not its note")
    reply = call("create_note", 201, body=made("note_draft", replyTo=str(note.id), body="Ah.")).parsed
    demand(call("list_club_notes", 200, club.id, thread=str(note.id)).parsed.items[0].id == reply.id, "a thread has not its reply")
    call("delete_note", 204, note.id)
    return calls


def demand_own_key_and_place():
    """Clients that copy the contract's examples must not send every write with one key, nor to one machine."""
    key = contract["components"]["parameters"]["IdempotencyKey"]
    demand("example" not in key and "examples" not in key["schema"], "Idempotency-Key has an example, which clients send with every write")
    demand([server["url"] for server in contract["servers"]] == ["/"], "the contract names one machine as the server")


def main():
    demand_own_key_and_place()
    found = modules()
    server = Server(lectern, folder, 100_000, ["--reader-rate-per-second", "0", "--token-rate-per-second", "0", "--address-rate-per-second", "0"])
    try:
        server.start()
        client = found["client"].AuthenticatedClient(base_url=f"http://127.0.0.1:{server.port}", token=server.token("client"))
        calls = demand_calls(found, client)
        nulls = demand_nulls(client.get_httpx_client())
    finally:
        server.close()
    print(f"client: ok, {len(found)} modules, {calls} calls, {nulls} members that may be null")


main()
