import HTTPServer
import Model

extension ProblemKind {
    /// Where it is explained: the `type` of its problem details.
    var type: String { "/problems/\(rawValue)" }

    /// What a kind of problem is to a client. A test walks all kinds.
    var page: ProblemPage { Self.pages[self] ?? ProblemPage(500, "Something went wrong", "") }

    private static let pages: [ProblemKind: ProblemPage] = [
        .malformedQuery: .init(400, "The query cannot be read", "Send percent-encoded UTF-8, each parameter once."),
        .unknownParameter: .init(
            400, "The query parameter is not known", "Leave it away; the detail says which ones are known."),
        .invalidParameter: .init(400, "The query parameter has no such value", "The detail says which it takes."),
        .bodyMissing: .init(400, "The request needs a body", "Send a JSON object."),
        .malformedJSON: .init(
            400, "The body is not JSON", "The detail says at which byte, counted from 0, it ceases to be."),
        .malformedIdempotencyKey: .init(
            400, "The Idempotency-Key is malformed", "It is 1 to 255 visible ASCII characters without spaces."),
        .unknownReaction: .init(400, "There is no such reaction", "The detail lists the reactions there are."),
        .invalidName: .init(400, "Nothing can be called so", "The detail says what names there are. Send another."),
        .confirmationMissing: .init(
            400, "This must be confirmed", "What it does cannot be undone. The detail says what to send."),
        .repeatedField: .init(400, "A field is there more than once", "The detail says which one. Send it once."),
        .tokenMissing: .init(401, "A token is needed", "Send the field Authorization: Bearer TOKEN."),
        .malformedAuthorization: .init(
            401, "The Authorization field cannot be read", "It says: Bearer, a space, and a token."),
        .tokenUnknown: .init(401, "The token is not known", "It was never issued, or has been revoked."),
        .tokenExpired: .init(401, "The token has expired", "Ask for another one."),
        .signInRefused: .init(
            401, "The sign-in is refused",
            "The name or the password is wrong, or there is no such account: the three look alike on purpose. An administrator makes a link for a new password."
        ),
        .streamUnknown: .init(
            404, "There is no such stream",
            "It was deleted, nobody came back to it for longer than its lease, or it never was: POST /v1/streams makes one."
        ),
        .identityRefused: .init(
            403, "What the identity provider sent is not believed",
            "The detail says why. Begin again, in one browser, and within ten minutes."),
        .identityUnknown: .init(
            403, "Nobody here is known by this identity",
            "Open the link of an invitation; or sign in otherwise, and connect the identity."),
        .noProvider: .init(404, "There is no identity provider", "The operator names one with --oidc-issuer."),
        .lastWayIn: .init(
            409, "It is the only way in that you have", "Choose a password first, or connect another identity."),
        .providerUnreachable: .init(
            503, "The identity provider does not answer as it should",
            "Try again soon. The log of the service says more."),
        .administratorsOnly: .init(403, "Only an administrator may do this", "Ask one."),
        .localOnly: .init(
            403, "Only on the server's machine",
            "It shows what readers keep private, or acts as them. The user who runs the server does it there with the command that the detail "
                + "names, which speaks over the Unix socket in the data directory. A reader exports their own account with GET /v1/me/export."
        ),
        .librariansOnly: .init(
            403, "Only librarians may do this",
            "Of the catalogue readers change and delete what they added, as long as it is theirs alone."),
        .readOnlyToken: .init(403, "The token may only read", "This needs a token with the scope write."),
        .tokenEnds: .init(
            403, "The token ends, and what it would give does not", "Sign in, or take a token without an end."),
        .sessionTooOld: .init(
            403, "The sign-in is too long ago",
            "This gives a lasting way in, and there is no password to ask for: sign in anew, and ask within ten minutes."
        ),
        .registrationClosed: .init(
            403, "Nobody becomes a reader by themselves", "Ask an administrator, who makes you one."),
        .foreignPage: .init(
            403, "Browsers cannot sign in at this address",
            "Use the address in --public-url: the cookie works for its pages only, which Origin or Sec-Fetch-Site must name. Programs send a token."
        ),
        .roleMissing: .init(403, "Your role in the club does not allow this", "The detail says whose does."),
        .authorsOnly: .init(403, "Only its author may do this", "What others wrote can be answered, not changed."),
        .memberOnly: .init(403, "Only the member may do this", "Nobody else decides it for them."),
        .removedFromClub: .init(
            403, "You were taken out of the club", "No code lets you back in, but its moderators may."),
        .formerMember: .init(
            403, "You have gone from the note's club", "You may read what you wrote there, and delete it: no more."),
        .readerSuspended: .init(403, "You may not come in for now", "An administrator suspended you; ask one."),
        .notFound: .init(
            404, "There is no such thing", "There is none, or none that you may see: the two look alike on purpose."),
        .noSuchRoute: .init(404, "There is no such path", "For nobody: the contract at /openapi.yaml lists all paths."),
        .methodNotAllowed: .init(405, "The path has no such method", "The field Allow lists those that it has."),
        .notAcceptable: .init(406, "Nothing that you accept can be sent", "The detail says what can be."),
        .limitReached: .init(
            409, "As many as are allowed are there", "The member limit has the limit's name and value."),
        .readingFinished: .init(
            409, "The reading is finished",
            "It takes only entries with a happenedAt no later than its finishedAt. PATCH it with {\"isFinished\": false} to "
                + "reopen it, or begin another reading."),
        .readingOpen: .init(
            409, "You are reading this book",
            "The member current has the reading that is open: record entries in it, or with PUT /v1/books/{id}/entries/{entryId}. "
                + "Begin another one with {\"isReread\": true}; before you reopen the first, finish or abandon that one."
        ),
        .entryNoted: .init(
            409, "The entry has a note", "The detail names it: PATCH it, or DELETE it and write another one."),
        .bookInUse: .init(
            409, "The book is in use",
            "A book goes only when no reading, no knowledge, no note, no shelf and no club is left that has it."),
        .editionInUse: .init(
            409, "The edition is in use",
            "A reading or a club's run is in this edition. It can be deleted when these are in another edition, or in none."
        ),
        .clubArchived: .init(
            409, "The club is archived",
            "It can be read, left and managed; nothing is written, planned or answered in it, and nobody comes to it, "
                + "until an owner reopens it with {\"isArchived\": false}."),
        .noCurrentBook: .init(409, "The club has no current book", "Say which book it is about, or make one current."),
        .lastOwner: .init(409, "The club would be without an owner", "Make another member an owner first."),
        .lastAdministrator: .init(409, "This is the last administrator", "Make another reader one first."),
        .hasWards: .init(
            409, "This is somebody's guardian",
            "GET /v1/readers?guardian=ID has the readers; an administrator gives each another guardian first, or none."),
        .alreadyMember: .init(409, "You are in the club", "There is nothing to ask for."),
        .requestAnswered: .init(409, "The request has been answered", "An answer is final."),
        .reportClosed: .init(
            409, "The report has been decided on", "That is final: the member current has what became of it."),
        .shelfStays: .init(409, "The shelf stays", "Every reader has one of what they want to read."),
        .nameTaken: .init(409, "Somebody signs in by that name", "Choose another one."),
        .identityTaken: .init(409, "That identity is a reader's", "Sign in by it instead."),
        .idTaken: .init(
            409, "The id is taken",
            "The member current has what is there, where you may see it. For something else choose another id."),
        .gone: .init(
            410, "It was made, and is gone",
            "You made it under this id; since then it was deleted, or is no longer yours to see. It is not made again."),
        .presenceOff: .init(
            409, "Nobody is told that you read", "Your setting presence is off: PATCH /v1/settings turns it on."),
        .importDiffers: .init(
            409, "This is there already, and another",
            "What an import says of it is not what the house has. Say replace to write over it, where that can be done."
        ),
        .importForeign: .init(
            409, "This is in no reader's account",
            "A reader's own export has what is theirs, and nothing else is taken in."),
        .foreignCursor: .init(409, "The cursor is of another list", "Begin the list again without a cursor."),
        .cursorNotServed: .init(
            409, "The log cannot go on from there", "It is another log, or no longer goes back so far: begin again."),
        .preconditionFailed: .init(
            412, "The resource is in another state",
            "The field ETag has the one it is in, and the member current its representation, if there is one."),
        .versionRequired: .init(
            412, "Something else is at this address",
            """
            Another body was sent before, or the resource has changed since: the member current has it. To replace it, send its ETag as \
            If-Match; where that is not possible, PATCH it, or choose another id.
            """),
        .tooLarge: .init(413, "This is larger than the limit", "The member limit has the limit's name and value."),
        .unsupportedMediaType: .init(
            415, "The body is of another media type", "The field Accept says which are taken."),
        .invalid: .init(
            422, "The body breaks rules", "The member violations points at each place, and says which rule."),
        .notInBatch: .init(
            422, "This is no line of a batch",
            "Batches, streams, tokens, and whatever shows a secret are requests of their own."),
        .idempotencyKeyReused: .init(
            422, "The Idempotency-Key was used for another request", "A new request needs a new key."),
        .tooManyRequests: .init(
            429, "As many as one may hold are open",
            "The member limit has the limit's name and value. End one, or wait as long as the field Retry-After says."),
        .tooOften: .init(
            429, "Requests come too fast",
            "Wait as long as the field Retry-After says. The member limit has the limit's name and value: requests in a second, or passwords that may be tried at once."
        ),
        .methodUnknown: .init(501, "The method is not known", "GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS are."),
        .internalError: .init(500, "A fault of the server", "Its log says more."),
        .readTooLong: .init(503, "The read took too long", "Ask for less: a narrower filter, or a smaller page."),
        .searchRenewing: .init(
            503, "The search index is being renewed",
            "It is after an upgrade, and takes seconds to minutes: the detail says how far it is. All else is served meanwhile."
        ),
        .tooManyWrites: .init(503, "Too many writes are waiting", "Try again soon: nothing was written."),
        .notReady: .init(
            503, "The service is not ready", "It has just been started, or something has to end first: try again soon."),
        .databaseLocked: .init(
            503, "Another program has locked the database",
            "Try again soon: nothing was done. The operator may look for an open shell or a backup."),
        .diskUnreadable: .init(
            503, "The disk could not be read",
            "Try again soon: nothing was done. The operator should look at the disk if it goes on."),
        .outOfSpace: .init(
            507, "The disk is full", "Nothing was written. Reading goes on, and writing will once there is room."),
    ]
}

/// What is said of every problem of a kind.
struct ProblemPage {
    let status: Int
    let title: String
    /// How one gets on.
    let advice: String

    init(_ status: Int, _ title: String, _ advice: String) {
        self.status = status
        self.title = title
        self.advice = advice
    }

    /// The page of a kind of problem by its name, of those that no handler saw, too; nil when there is none.
    init?(named name: String) {
        if let page = ProblemKind(rawValue: name)?.page {
            self = page
        } else if let refusal = RefusalKind(rawValue: name) {
            self.init(refusal.status, "\(refusal.title)", "\(refusal.detail)")
        } else {
            return nil
        }
    }

    var text: String { "\(title) (\(status))\n\n\(advice)\n" }
}
