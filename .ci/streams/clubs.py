"""Actions that join and leave clubs, and change roles and sharing."""

from . import words
from .changelog import listed


class Club:
    def __init__(self, id, owner):
        self.id, self.roles = id, {owner.id: "owner"}
        # The run of each book.
        self.books = {}
        self.milestones, self.meetings, self.follows, self.removed = set(), set(), {}, set()
        self.is_archived, self.sees_ahead = False, False


class Clubs:
    def found_club(self):
        reader = self.someone()
        answer = self.send(reader, "POST", "/v1/clubs", {"name": words.phrase(self.random), "visibility": self.random.choice(["private", "listed"])})
        if answer.ok:
            self.clubs[answer.json["id"]] = Club(answer.json["id"], reader)

    def change_club(self, reader=None, club=None):
        r = self.random
        if not club:
            reader, club = self.chair()
        if not club:
            return
        body = r.choice([
            {"name": words.phrase(r)}, {"description": words.phrase(r)}, {"visibility": r.choice(["private", "listed"])},
            {"moderatorsSeeAhead": r.random() < 0.5}, {"countsAhead": r.random() < 0.5}, {"isArchived": True} if r.random() < 0.2 else {"isArchived": False},
        ])
        if body.get("moderatorsSeeAhead"):
            club.sees_ahead = True
            self.note_ahead(club)
        answer = self.send(reader, "PATCH", f"/v1/clubs/{club.id}", body)
        if answer.ok:
            club.sees_ahead = answer.json["moderatorsSeeAhead"]

    def note_ahead(self, club):
        """Records what moderators saw ahead. They may keep it, so it is not certainly hidden from them."""
        if club.sees_ahead:
            self.sees_ahead.update((id, club.id) for id, role in club.roles.items() if role != "member")

    def delete_club(self):
        club = self.any_of(self.clubs.values())
        for reader in self.readers:
            reader.log.poll()
        if len(self.clubs) > 2 and self.send(self.reader(self.owner(club)), "DELETE", f"/v1/clubs/{club.id}").ok:
            self.gone(club)

    def owner(self, club):
        return next(id for id, role in club.roles.items() if role == "owner")

    def gone(self, club):
        del self.clubs[club.id]
        for id in [id for id, note in self.notes.items() if note["club"] == club.id]:
            del self.notes[id]
        for id in club.roles:
            self.left(self.reader(id), club)

    def join(self, reader=None, club=None):
        """Joins by an invitation, or by a request if the club is listed."""
        reader = reader or self.someone()
        club = club or self.any_of(club for club in self.clubs.values() if reader.id not in club.roles)
        if not club or reader.id in club.roles:
            return False
        host = self.reader(self.owner(club))
        since = self.absent.pop((reader.id, club.id), None)
        answer = None
        if reader.id in club.removed and self.random.random() < 0.7:
            self.lift_removal(host, club, reader)
        if self.random.random() < 0.7:
            invitation = self.send(host, "POST", f"/v1/clubs/{club.id}/invitations", {"usesMax": self.random.randint(1, 3)})
            if invitation.ok:
                answer = self.send(reader, "POST", "/v1/memberships", {"invitation": invitation.json["code"]})
        if not answer or not answer.ok:
            asked = self.send(reader, "POST", "/v1/requests", {"club": club.id, "message": words.phrase(self.random)})
            if asked.ok:
                answer = self.send(host, "PATCH", f"/v1/requests/{asked.json['id']}", {"state": "accepted"})
        if answer and answer.ok:
            club.roles[reader.id] = "member"
            return True
        if since is not None:
            self.absent[reader.id, club.id] = since
        return False

    def lift_removal(self, host, club, reader):
        for removal in (listed(self.send, host, f"/v1/clubs/{club.id}/removals") or {}).values():
            if removal["reader"] == reader.id:
                self.send(host, "DELETE", f"/v1/clubs/{club.id}/removals/{removal['id']}")

    def leave_club(self, reader=None, club=None):
        """Leaves, or is removed; all of the reader's streams of the club end at once."""
        if not club:
            reader, club = self.place()
        if not club:
            return
        for one in self.readers:
            one.log.poll()
        by = reader if self.random.random() < 0.7 else self.reader(self.owner(club))
        query = {"ban": "true"} if by is not reader and self.random.random() < 0.3 else None
        if self.send(by, "DELETE", f"/v1/clubs/{club.id}/members/{reader.id}", query=query).ok:
            if by is not reader:
                club.removed.add(reader.id)
            self.left(reader, club)
            del club.roles[reader.id]
            self.expect_end(lambda watch: watch.reader is reader and f"/clubs/{club.id}" in watch.path, f"{reader.name} left the club")

    def left(self, reader, club):
        reader.log.poll()
        ends = [item.seq for item in reader.log.items if item.resource == "membership" and item.id == club.id and item.change == "deleted"]
        self.absent[reader.id, club.id] = max([reader.log.head] if not reader.log.is_whole(0, reader.log.head) else ends or [reader.log.head])
        club.follows = {key: reading for key, reading in club.follows.items() if key[0] != reader.id}

    def change_role(self, club=None, reader=None):
        club = club or self.any_of(self.clubs.values())
        if not club:
            return
        reader = reader or self.reader(self.any_of(club.roles))
        role = self.random.choice(["member", "moderator", "moderator", "owner"])
        before = dict(club.roles)
        club.roles[reader.id] = role
        self.note_ahead(club)
        club.roles = before
        if self.send(self.reader(self.owner(club)), "PATCH", f"/v1/clubs/{club.id}/members/{reader.id}", {"role": role}).ok:
            club.roles[reader.id] = role

    def change_shares(self):
        reader, club = self.place()
        if club:
            r, levels = self.random, ["exact", "exact", "milestones", "finished", "nothing"]
            both = {"shares": r.choice(levels), "sharesWithModerators": r.choice([*levels, None])}
            body = r.choice([both, {"shares": both["shares"]}, {"sharesWithModerators": both["sharesWithModerators"]}])
            self.send(reader, "PATCH", f"/v1/clubs/{club.id}/members/{reader.id}", body)
