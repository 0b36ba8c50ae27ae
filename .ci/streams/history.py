"""A random history of actions on a server with readers and watchers, which are compared repeatedly."""

import collections, os, random, select, time, uuid

from . import rules
from .actions import Actions
from .changelog import ChangeLog, Places, listed, place
from .client import Client
from .disturbances import Disturbances
from .judge import Search, difference_from_get, difference_from_log
from .server import Server

PATIENCE = 60
"""The seconds within which acknowledged changes must reach every watcher. It takes long only on a busy machine."""

class Reader:
    def __init__(self, name, id, token):
        self.name, self.id, self.token, self.log = name, id, token, None


class History(Actions, Disturbances):
    def __init__(self, binary, folder, seed, say, only=()):
        self.random = random.Random(seed)
        self.seed, self.say, self.only = seed, say, only
        self.retention = self.random.choice([150, 300, 1_000_000])
        self.server = Server(binary, folder, self.retention)
        self.client = None
        self.readers, self.watches, self.places, self.search = [], [], Places(), Search()
        self.last_actions, self.findings, self.counts = collections.deque(maxlen=int(os.environ.get("ORACLE_ACTIONS", "14"))), [], collections.Counter()
        self.unproven, self.absent, self.sees_ahead = [], {}, set()
        # The possible marks, the certain ones, and all earlier ones, which replays use.
        self.possible, self.sure, self.ever = rules.Marks(), rules.Marks(), rules.Marks()
        self.watch_numbers, self.has_failed, self.until = 0, False, 0
        self.prepare_model()

    # Requests

    def send(self, reader, method, path, body=None, query=None, headers=None):
        answer = self.client.send(reader.token, method, path, body, query, headers)
        if answer.status == 500:
            self.find("an internal error", [f"{method} {path}: {answer.json}"], reader.name)
        if method != "GET":
            self.last_actions.append(f"{reader.name}: {method} {path} {brief(body)} -> {answer.status}")
            self.counts["writes" if answer.ok else "refused"] += 1
            self.counts[f"status {answer.status}"] += 1
            self.acknowledged(reader, method, path, answer)
        return answer

    def acknowledged(self, reader, method, path, answer):
        value = answer.json
        if answer.ok and method != "DELETE" and value and "version" in value and not answer.unchanged and not self.is_not_in_log(path):
            self.unproven.append((reader, value["version"], value["id"], path))

    @staticmethod
    def is_not_in_log(path):
        """Returns whether a path's creator may get no event: readers and tokens, and resources for moderators, who may have lost the role."""
        return path.startswith(("/v1/readers", "/v1/tokens", "/v1/me")) or any(part in path for part in ("/requests", "/invitations", "/removals"))

    def burst(self, lanes, meanwhile=None):
        """Sends `lanes` of (reader, method, path, body), and returns the responses of each."""
        self.last_actions.append(f"a burst of {[len(lane) for lane in lanes]} requests")
        encoded = [[(reader.token, method, path, body) for reader, method, path, body in lane] for lane in lanes]
        answers = self.client.burst(encoded, meanwhile or (lambda _: self.pump(0)))
        for lane, given in zip(lanes, answers):
            for (reader, method, path, _), answer in zip(lane, given):
                self.counts["writes" if answer.ok else "refused"] += 1
                self.acknowledged(reader, method, path, answer)
        return answers

    def uuid(self):
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    # Findings

    def find(self, what, details, who=""):
        text = f"seed {self.seed}: {what}{': ' if who else ''}{who}\n"
        text += "".join(f"    {detail}\n" for detail in details[:6]) + (f"    and {len(details) - 6} more\n" if len(details) > 6 else "")
        text += "  the last actions:\n" + "".join(f"    {action}\n" for action in self.last_actions)
        self.findings.append(what)
        self.say(text)

    def inspect(self, reader, data, who="the log"):
        """Checks that a reader received nothing forbidden, by rules that are independent of the service."""
        value, resource = data.get("value") or {}, data["resource"]
        club = value.get("club") if resource in rules.OF_A_CLUB else data["id"] if resource == "club" else None
        leak = None
        if club and data["seq"] > self.absent.get((reader.id, club), 1 << 62) and not (resource == "joinRequest" and value["reader"] == reader.id):
            leak = f"{resource} {data['seq']} of a club that was left at {self.absent[reader.id, club]}"
        elif resource == "reading" and value and value["reader"] != reader.id or resource == "note" and value and not value["club"] and value["author"] != reader.id:
            leak = f"somebody else's {resource} {data['seq']}"
        elif resource == "note" and club and not self.ever.reveals(reader.id, value) and (reader.id, club) not in self.sees_ahead:
            leak = f"note {data['seq']} at {value['progress']}, where {reader.name} never was"
        if leak:
            self.find("a leak", [leak], f"{reader.name}, {who}")

    # Watchers

    def pump(self, wait):
        """Lets every active watcher receive its events."""
        live = [watch for watch in self.watches if watch.is_live]
        if not live:
            time.sleep(wait)
            return False
        ready, _, _ = select.select([watch.stream for watch in live], [], [], wait)
        ready = set(map(id, ready))
        return any([watch.pump(self.fetch, self.inspect) for watch in live if id(watch.stream) in ready])

    def fetch(self, watch, cursor):
        answer = self.send(watch.reader, "GET", watch.path, query={**watch.filters, "limit": watch.limit, "cursor": cursor})
        return answer.json if answer.status == 200 else None

    def settle(self):
        """Waits until every watcher has the expected state, and reports those that do not get there."""
        self.counts["comparisons"] += 1
        quiet_at = time.monotonic() + 1
        while self.pump(0.04) and time.monotonic() < quiet_at:
            pass
        pending, deadline, latest = list(self.watches), time.monotonic() + PATIENCE, time.monotonic() + 4 * PATIENCE
        while True:
            for reader in self.readers:
                reader.log.poll()
            wrong = {watch: self.differences(watch) for watch in pending}
            pending = [watch for watch in pending if wrong[watch]]
            if not pending or time.monotonic() > deadline:
                break
            until = time.monotonic() + 0.15
            while time.monotonic() < until:
                if self.pump(0.05):
                    # A watcher with a small buffer gets some kilobytes a second.
                    deadline = min(time.monotonic() + PATIENCE, latest)
        for watch in pending:
            self.find("a watcher differs", wrong[watch], str(watch))
            self.replace(watch)
        self.check_faults()
        self.check_rules()

    def differences(self, watch):
        if watch.stream is None:
            return []
        log = watch.reader.log
        is_live = watch.is_live
        upto = log.head if is_live else place(watch.cursor)
        if is_live:
            found = [f"(GET) {text}" for text in difference_from_get(watch, self.send, log, self.search)]
            if found:
                return found
        events, base = difference_from_log(watch, log, self.search, upto)
        if events:
            return [f"(log {watch.start}…{upto}) {text}" for text in events]
        if base is not None:
            if watch.shape == "feed" and watch.start is not None and not log.is_whole(watch.start, upto):
                # Nothing tells whether a feed has all changes of a gap yet.
                upto = max(watch.start, min(watch.last, upto))
            self.counts["events"] += sum(1 for _, data in watch.events if data["seq"] <= upto)
            watch.advance(upto, set(watch.view) if is_live and watch.shape == "list" else base)
        return []

    def check_faults(self):
        for watch in list(self.watches):
            faults, watch.faults = watch.faults, []
            needless = self.needless_reset(watch)
            if needless:
                faults.append(needless)
            if faults:
                self.find("a stream breaks a rule", faults, str(watch))
        for reader in self.readers:
            faults, reader.log.faults = reader.log.faults, []
            if faults:
                self.find("the log breaks a rule", faults, f"of {reader.name}")

    def needless_reset(self, watch):
        """Returns a watcher's cursor that a reset dropped needlessly: it is within the log, and its reader's access has not changed since."""
        cursor, watch.reset_from = getattr(watch, "reset_from", None), None
        if not cursor or watch.resource == "standing" or self.client is None:
            return None
        seq, epoch, log = place(cursor), cursor.split("-")[0], watch.reader.log
        # The reader may also have joined a club in a gap of the log.
        joined = [join for join in log.joins if join > seq] or not log.is_whole(seq, log.head)
        floor = log.floor if log.floor is not None else log.head - self.retention // 2
        if epoch == log.epoch and floor <= seq <= log.head and not joined:
            return f"{cursor} can be served, the log goes from {floor} to {log.head}, and is answered with reset: {watch.reset_reason}"
        return None

    # Rules that the service could follow in each part and still violate as a whole

    def check_rules(self):
        unproven, self.unproven = self.unproven, []
        for reader, version, id, path in unproven:
            log = reader.log
            if log.is_whole(version - 1, version) and not any(item.seq == version and item.id == id for item in reversed(log.items)):
                self.find("an acknowledged write is not in the log", [f"{path} {id}, version {version}"], reader.name)
        reader = self.random.choice(self.readers)
        check = self.random.choice([self.check_mirror, self.check_notes, self.check_standings, self.check_labels, self.check_cards])
        faults = check(reader)
        if faults:
            # The clock alone may have changed something meanwhile.
            self.pump(0.3)
            reader.log.poll()
            faults = check(reader)
        if faults:
            self.find(check.__doc__.rstrip("."), faults, reader.name)
            reader.log.mirror = None

    def check_mirror(self, reader):
        """a mirror kept by polling differs from the lists."""
        log = reader.log
        if log.mirror is None:
            return []
        lists = [("book", "/v1/books", {}), ("reading", "/v1/readings", {})]
        for club, since in log.member_since.items():
            for resource, path in (("run", "runs"), ("milestone", "milestones"), ("meeting", "meetings"), ("member", "members"), ("note", "notes")):
                lists.append((resource, f"/v1/clubs/{club}/{path}", {"club": club}))
            lists.append(("standing", f"/v1/clubs/{club}/standings", {"club": club, "isCurrent": True}))
            if club in self.clubs:
                lists += [("attendance", f"/v1/clubs/{club}/meetings/{meeting}/attendances", {"meeting": meeting}) for meeting in sorted(self.clubs[club].meetings)]
        faults = []
        for resource, path, scope in lists:
            found = listed(self.send, reader, path)
            if found is None:
                continue
            since = log.member_since.get(log.places.clubs.get(("meeting", scope.get("meeting")), scope.get("club")), 0)
            mirror = {id: value for (kind, id), value in log.mirror.items() if kind == resource and all(value[name] == scope[name] for name in scope)}
            for id in found.keys() | mirror.keys():
                if mirror.get(id) != found.get(id) and (id not in found or found[id]["version"] > since):
                    faults.append(f"{resource} {id}: {brief(mirror.get(id))} in the mirror, {brief(found.get(id))} in {path}")
        return faults

    def check_notes(self, reader):
        """a club's notes are not those that its rules reveal."""
        faults = []
        for club in self.clubs_of(reader):
            found = listed(self.send, reader, f"/v1/clubs/{club.id}/notes")
            if found is None:
                continue
            for note in [note for note in self.notes.values() if note["club"] == club.id]:
                if note["id"] not in found and self.sure.reveals(reader.id, note):
                    faults.append(f"note {note['id']} at {note['progress']} is hidden from {reader.name}, who is at {self.sure.of(reader.id, note['book'])}")
                if note["id"] in found and not self.possible.reveals(reader.id, note) and (reader.id, club.id) not in self.sees_ahead:
                    faults.append(f"note {note['id']} at {note['progress']} is shown to {reader.name}, who is at {self.possible.of(reader.id, note['book'])} at most")
        return faults

    def check_standings(self, reader):
        """a standing shows what is not shared, or not what is."""
        faults = []
        for club in self.clubs_of(reader):
            members = listed(self.send, reader, f"/v1/clubs/{club.id}/members")
            standings = listed(self.send, reader, f"/v1/clubs/{club.id}/standings")
            milestones = listed(self.send, reader, f"/v1/clubs/{club.id}/milestones")
            if None in (members, standings, milestones):
                continue
            moderates = any(member["reader"] == reader.id and member["role"] != "member" for member in members.values())
            shares = {member["reader"]: rules.shared(member, moderates) for member in members.values()}
            if len(standings) != len({(standing["run"], standing["reader"]) for standing in standings.values()}):
                faults.append(f"{club.id} has two standings of one member in one run")
            for standing in standings.values():
                owner = self.reader(standing["reader"])
                reading = owner.log.readings.get(club.follows.get((owner.id, standing["book"])))
                if reading and standing["reader"] in shares:
                    marks = {milestone["progress"] for milestone in milestones.values() if milestone["book"] == standing["book"]}
                    told = rules.standing_faults(standing, shares[standing["reader"]], reading, marks, owner is reader)
                    faults += [f"{owner.name} in {standing['book']}: {text}" for text in told]
        return faults

    def check_labels(self, reader):
        """a title or a name in a club is not that of its book or its reader."""
        books, faults = listed(self.send, reader, "/v1/books"), []
        for club in self.clubs_of(reader):
            base = f"/v1/clubs/{club.id}"
            members, runs, meetings, standings = (listed(self.send, reader, f"{base}/{part}") for part in ("members", "runs", "meetings", "standings"))
            if None in (books, members, runs, meetings, standings):
                return []
            titles = [(one, "title") for one in runs.values()] + [(one, "bookTitle") for one in meetings.values()]
            faults += [f"{one['id']} has the {label} {one[label]!r}" for one, label in titles if one[label] != (books[one["book"]]["title"] if one["book"] else None)]
            names = {member["reader"]: member["name"] for member in members.values()}
            for meeting in sorted(meetings)[:3]:
                standings |= listed(self.send, reader, f"{base}/meetings/{meeting}/attendances") or {}
            faults += [f"{one['id']} has the name {one['name']!r}" for one in standings.values() if one["name"] != names.get(one["reader"])]
        return faults

    def check_cards(self, reader):
        """cards are not their readings and books."""
        readings, books, cards = (listed(self.send, reader, path) for path in ("/v1/readings", "/v1/books", "/v1/cards"))
        if None in (readings, books, cards):
            return []
        due = {id: rules.card(reading, books[reading["book"]], 0) for id, reading in readings.items()}
        have = {id: {**card, "version": 0} for id, card in cards.items()}
        return [f"{id}: {brief(have.get(id))} where {brief(due.get(id))} is due" for id in due.keys() | have.keys() if due.get(id) != have.get(id)]

    def reader(self, id):
        return next(reader for reader in self.readers if reader.id == id)

    # The course of a history

    def run(self, seconds):
        try:
            self.server.start()
            self.client = Client(self.server.port)
            self.people()
            self.furnish()
            self.until = time.monotonic() + seconds
            while time.monotonic() < self.until and len(self.findings) < 12:
                for _ in range(self.random.randint(1, 14)):
                    self.step()
                    self.pump(0)
                self.settle()
            if not self.findings:
                while any(backup["state"] not in ("done", "failed") for backup in self.send(self.readers[0], "GET", "/v1/admin/backups").json["items"]):
                    time.sleep(0.1)
                differences = self.server.compare_restored()
                if differences:
                    self.find("a backup with its log of rows is not the database", differences)
        except (RuntimeError, BrokenPipeError) as error:
            self.find("the server is gone", [str(error)])
        finally:
            for watch in self.watches:
                watch.cut()
                self.counts["resets"] += watch.resets
                self.counts["resumes"] += watch.resumes
            if self.client:
                self.client.close()
            self.server.close()

    def people(self):
        token = self.server.token("oracle")
        ada = Reader("Ada", None, token)
        ada.id = self.client.send(token, "GET", "/v1/me").json["id"]
        self.readers.append(ada)
        for name in ("Ben", "Cem", "Dora"):
            id = self.send(ada, "POST", "/v1/readers", {"name": name}).json["id"]
            token = self.server.token(name, id)
            self.readers.append(Reader(name, id, token))
        for reader in self.readers:
            reader.log = ChangeLog(reader, self.send, self.places, self.random)
            reader.log.poll()


def brief(body):
    text = "" if body is None else str(body)
    return text if len(text) <= 160 else text[:160] + "…"
