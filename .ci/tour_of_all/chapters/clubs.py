"""A club, its members, and their invitation codes."""

from .people import MINIMAL


def moderated(tour):
    """Returns the paths that only moderators and owners of the club can read."""
    return f"{tour.at.club}/invitations", f"/v1/requests?club={tour.at.club_id}", f"{tour.at.club}/removals"


def found(tour):
    at = tour.at
    for name in ("ada", "dora"):
        tour.watch(name, "/v1/listings")
    tour.watch("dora", "/v1/listings?fields=description")
    for _ in range(2):
        club = tour.post("ada", "/v1/clubs", {"name": "Tuesdays", "description": "We read.\nSlowly."}, {"Idempotency-Key": "club"})
    at.club = f"/v1/clubs/{club.id}"
    at.club_id = club.id
    tour.watch("ada", at.club)
    tour.watch("ada", f"{at.club}?fields=name")
    for part in ("members", "runs", "milestones", "standings", "meetings", "notes", "invitations", "invitations?limit=1", "removals", "meetings/next/notes"):
        tour.watch("ada", f"{at.club}/{part}")
    tour.watch("ada", f"/v1/requests?club={at.club_id}")
    tour.get("ada", at.club, {"If-None-Match": club.etag})
    tour.get("dora", at.club)
    tour.patch("ada", at.club, {"visibility": "listed"}, {"If-Match": club.etag})
    tour.patch("ada", at.club, {"visibility": "listed"}, {"If-Match": club.etag})
    tour.patch("ada", at.club, {"visibility": "listed"})
    tour.patch("ada", at.club, {"countsAhead": True}, MINIMAL)
    tour.patch("ada", at.club, {"countsAhead": False, "name": "Wednesdays"})
    tour.post("ada", "/v1/clubs", {"name": "Second", "visibility": "listed", "moderatorsSeeAhead": True}, MINIMAL)
    tour.post("dora", "/v1/clubs", {"name": "Dora's"})
    at.listing = f"/v1/listings?club={club.id}"
    tour.watch("dora", at.listing)
    tour.watch("dora", f"{at.listing}&fields=name")
    listed = tour.get("dora", at.listing)
    tour.get("dora", at.listing, {"If-None-Match": listed.etag})
    tour.pages("dora", "/v1/listings")
    tour.pages("ada", "/v1/clubs")
    tour.patch("ada", at.club, {"description": None})
    tour.patch("ada", at.club, {"name": "Tuesdays", "visibility": "private"})
    tour.get("dora", at.listing)
    tour.patch("ada", at.club, {"visibility": "listed"})


def join(tour):
    at, path = tour.at, f"{tour.at.club}/invitations"
    code = tour.post("ada", path, {"usesMax": 2, "expiresAt": "2999-01-01T00:00:00Z"}, {"Idempotency-Key": "code"}).json["code"]
    tour.post("ada", path, {"usesMax": 2, "expiresAt": "2999-01-01T00:00:00Z"}, {"Idempotency-Key": "code"})
    at.invitation = tour.post("ada", path, {}).id
    tour.post("ada", path, {}, MINIMAL)
    tour.pages("ada", path)
    for name in ("ben", "cleo"):
        tour.post(name, "/v1/memberships", {"invitation": code}, {"Idempotency-Key": "join"})
        tour.post(name, "/v1/memberships", {"invitation": code}, {"Idempotency-Key": "join"})
        tour.post(name, "/v1/memberships", {"invitation": code})
        tour.post(name, "/v1/memberships", {"invitation": code}, MINIMAL)
    tour.post("dora", "/v1/memberships", {"invitation": code})
    tour.post("dora", "/v1/memberships", {"invitation": "none-such"})
    members(tour)
    at.revoked = tour.post("ben", path, {}).id
    tour.delete("cleo", f"{path}/{at.revoked}")
    tour.delete("ada", f"{path}/{at.revoked}", {"Idempotency-Key": "revoke"})
    tour.delete("ada", f"{path}/{at.revoked}", {"Idempotency-Key": "revoke"})
    tour.delete("ada", f"{path}/{at.revoked}")


def members(tour):
    at, path = tour.at, f"{tour.at.club}/members"
    for name in ("ben", "cleo"):
        tour.watch(name, at.club)
        for part in ("invitations", "calendars", "meetings/next/notes"):
            tour.watch(name, f"{at.club}/{part}")
        for part in ("members", "members?fields=role", "runs", "runs?fields=state", "milestones", "milestones?fields=isDue", "standings", "standings?fields=progress",
                     "meetings", "meetings?fields=hasBegun,place", "notes", "notes?fields=reactions"):
            tour.watch(name, f"{at.club}/{part}")
    ben = f"{path}/{at.ids['ben']}"
    one = tour.patch("ada", ben, {"role": "moderator"})
    watched = [tour.watch("ben", path) for path in moderated(tour)]
    tour.patch("ada", ben, {"role": "member"})
    for stream in watched:
        tour.await_end(stream)
    one = tour.patch("ada", ben, {"role": "moderator"})
    for target in moderated(tour):
        tour.watch("ben", target)
    tour.patch("ada", ben, {"role": "member"}, {"If-Match": '"x"'})
    tour.patch("ada", ben, {"role": "owner"}, {"If-Match": one.etag})
    tour.patch("ada", ben, {"role": "moderator"}, MINIMAL)
    tour.patch("ada", ben, {"role": "moderator"})
    tour.patch("ada", ben, {"shares": "exact"})
    tour.patch("cleo", ben, {"role": "member"})
    tour.patch("ada", f"{path}/{at.ids['ada']}", {"role": "member"})
    tour.delete("ada", f"{path}/{at.ids['ada']}")
    tour.delete("ben", f"{path}/{at.ids['ada']}")
    tour.pages("cleo", path)
    tour.patch("ben", "/v1/me", {"name": "Ben B."})
    tour.get("cleo", path)
