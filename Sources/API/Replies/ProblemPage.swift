import HTTPServer
import Model

extension ProblemKind {
    /// The `type` of its problem details: the path of the page that explains it.
    var type: String { "/problems/\(rawValue)" }

    /// The status, title and advice. A test checks all kinds.
    var page: ProblemPage { Self.pages[self] ?? ProblemPage(500, "Something went wrong", "") }

    private static let pages: [ProblemKind: ProblemPage] = [
        .malformedQuery: .init(400, "Malformed query", "Send percent-encoded UTF-8, and each parameter at most once."),
        .unknownParameter: .init(
            400, "Unknown query parameter", "Remove it. The detail lists the parameters of this path."),
        .invalidParameter: .init(400, "Invalid query parameter", "The detail lists the values that it takes."),
        .bodyMissing: .init(400, "Body missing", "Send a JSON object."),
        .malformedJSON: .init(
            400, "The body is not JSON", "The detail names the byte, counted from 0, at which the error is."),
        .malformedIdempotencyKey: .init(
            400, "Malformed Idempotency-Key", "Send 1 to 255 visible ASCII characters without spaces."),
        .unknownReaction: .init(400, "Unknown reaction", "The detail lists the known reactions."),
        .invalidName: .init(400, "Invalid name", "The detail says which names are valid. Send another one."),
        .confirmationMissing: .init(
            400, "Confirmation missing", "This cannot be undone. The detail says what to send to confirm it."),
        .repeatedField: .init(400, "Repeated header field", "Send the field only once. The detail names it."),
        .tokenMissing: .init(401, "Token missing", "Send the header field Authorization: Bearer TOKEN."),
        .malformedAuthorization: .init(
            401, "Malformed Authorization field", "Its form is: Bearer, a space, and a token."),
        .tokenUnknown: .init(
            401, "Unknown token", "The token was never issued, or it was revoked. Create another one."),
        .tokenExpired: .init(401, "Token expired", "Create another token, or sign in again."),
        .signInRefused: .init(
            401, "Sign-in failed",
            "The name or the password is wrong, or the account does not exist. For a new password, ask an administrator for a link."
        ),
        .streamUnknown: .init(
            404, "Stream not found",
            "The stream was deleted, its lease expired, or it never existed. Create one with POST /v1/streams."
        ),
        .identityRefused: .init(
            403, "Identity provider's response not valid",
            "The detail says why. Start again, in one browser, and finish within ten minutes."),
        .identityUnknown: .init(
            403, "Unknown identity",
            "Open an invitation link, or sign in another way and connect this identity."),
        .noProvider: .init(404, "No identity provider", "The operator sets one with --oidc-issuer."),
        .lastWayIn: .init(
            409, "Last way to sign in", "Set a password first, or connect another identity."),
        .providerUnreachable: .init(
            503, "Identity provider not available",
            "Try again soon. The server's log has the reason."),
        .administratorsOnly: .init(403, "Administrators only", "Ask an administrator."),
        .localOnly: .init(
            403, "Only on the server's machine",
            "This reads private data, or acts for other readers. The user who runs the server does it there, with the command that the detail "
                + "names; it uses the Unix socket in the data directory. To export your own account, use GET /v1/me/export."
        ),
        .librariansOnly: .init(
            403, "Librarians only",
            "Readers change and delete only the books that they added, and only while nobody else uses them."),
        .readOnlyToken: .init(403, "Read-only token", "Use a token with the scope write."),
        .tokenEnds: .init(
            403, "Expiring token not allowed",
            "A token that expires cannot give access that does not. Sign in, or use a token that does not expire."),
        .sessionTooOld: .init(
            403, "Sign-in too old",
            "This adds a way to sign in, and you have no password to confirm it with. Sign in again, and repeat it within ten minutes."
        ),
        .registrationClosed: .init(
            403, "Registration closed", "Ask an administrator for an account."),
        .foreignPage: .init(
            403, "Cookie not accepted",
            "Open the address in --public-url: the cookie works only for its pages, and Origin or Sec-Fetch-Site must name them. Programs send a token."
        ),
        .roleMissing: .init(403, "Role in the club not sufficient", "The detail names the roles that may do this."),
        .authorsOnly: .init(403, "Authors only", "You can reply to other readers' notes, but not change them."),
        .memberOnly: .init(403, "Member only", "Only the member can decide this. Ask them."),
        .removedFromClub: .init(
            403, "Removed from the club",
            "Invitation codes do not work for you here. Ask a moderator to let you back in."),
        .formerMember: .init(
            403, "Former member", "You left the note's club. You can still read and delete your own notes there."),
        .readerSuspended: .init(
            403, "Account suspended", "An administrator suspended the account. Ask an administrator."),
        .notFound: .init(
            404, "Not found", "It does not exist, or you have no access to it. Check the id and the token."),
        .noSuchRoute: .init(404, "Unknown path", "All paths are in the contract: /openapi.yaml."),
        .methodNotAllowed: .init(405, "Method not allowed", "The header field Allow lists the methods of this path."),
        .notAcceptable: .init(406, "Not acceptable", "The detail lists the media types that this path can send."),
        .limitReached: .init(
            409, "Limit reached", "The member limit has the limit's name and value."),
        .readingFinished: .init(
            409, "Reading finished",
            "It takes only entries with a happenedAt no later than its finishedAt. PATCH it with {\"isFinished\": false} to "
                + "reopen it, or start another reading."),
        .readingOpen: .init(
            409, "Reading already open",
            "The member current has the open reading. Add entries to it, or use PUT /v1/books/{id}/entries/{entryId}. "
                + "To start another reading, send {\"isReread\": true}. To reopen an older one, finish or abandon the open one first."
        ),
        .entryNoted: .init(
            409, "Entry already has a note", "The detail names the note. PATCH it, or DELETE it and create another one."
        ),
        .bookInUse: .init(
            409, "Book in use",
            "A book can be deleted when no reading, knowledge, note, shelf or club refers to it."),
        .editionInUse: .init(
            409, "Edition in use",
            "A reading or a club's run uses this edition. Change them to another edition, or to none, first."
        ),
        .clubArchived: .init(
            409, "Club archived",
            "An archived club can be read, left and managed. To write, plan, answer or join, "
                + "wait until an owner reopens it with {\"isArchived\": false}."),
        .noCurrentBook: .init(409, "No current book", "Name the book, or make one of the club's books current."),
        .lastOwner: .init(409, "Last owner", "Make another member an owner first."),
        .lastAdministrator: .init(409, "Last administrator", "Make another reader an administrator first."),
        .hasManagedAccounts: .init(
            409, "Guardian of other readers",
            "GET /v1/readers?guardian=ID lists them. An administrator must give each another guardian, or none, first."),
        .alreadyMember: .init(409, "Already a member", "You are a member of the club. No request is needed."),
        .requestAnswered: .init(
            409, "Request already answered", "An answer cannot be changed. The reader can send another request."),
        .reportClosed: .init(
            409, "Report already closed", "A closed report cannot be changed. The member current has its outcome."),
        .shelfStays: .init(
            409, "Shelf cannot be deleted", "Every reader has the shelf Want to read. Remove its books instead."),
        .nameTaken: .init(409, "Name taken", "Choose another name."),
        .identityTaken: .init(409, "Identity taken", "It is connected to an account. Sign in with it instead."),
        .idTaken: .init(
            409, "Id taken",
            "The member current has the existing resource, if you may see it. Use another id for a new one."),
        .gone: .init(
            410, "Gone",
            "You created something with this id. It was deleted, or you lost access to it. Use a new id."),
        .presenceOff: .init(
            409, "Presence off", "Turn on your setting presence with PATCH /v1/settings."),
        .importDiffers: .init(
            409, "Already exists",
            "The stored value differs from the line of the import. Import the line with replace to overwrite it, where that is possible."
        ),
        .importForeign: .init(
            409, "Not part of an account",
            "Only lines of the reader's own account can be imported. Remove this line."),
        .foreignCursor: .init(409, "Cursor of another list", "Read the list from its start, without a cursor."),
        .cursorNotServed: .init(
            409, "Cursor not valid any more", "It is from another log, or older than the log. Read the lists again."),
        .preconditionFailed: .init(
            412, "Precondition failed",
            "The resource has changed. The field ETag has its present version, and the JSON member current its representation."
        ),
        .versionRequired: .init(
            412, "Different resource at this address",
            """
            Another body was sent before, or the resource has changed since. The member current has it. To replace it, send its ETag as \
            If-Match; where that is not possible, PATCH it, or choose another id.
            """),
        .tooLarge: .init(413, "Too large", "The member limit has the limit's name and value."),
        .unsupportedMediaType: .init(
            415, "Unsupported media type", "The header field Accept lists the media types that this path takes."),
        .invalid: .init(
            422, "Invalid body", "The member violations lists each place and its rule."),
        .notInBatch: .init(
            422, "Not allowed in a batch",
            "Send reads, batches, streams, tokens, and requests that show a secret on their own."),
        .idempotencyKeyReused: .init(
            422, "Idempotency-Key reused", "Send a new key with each new request."),
        .tooManyRequests: .init(
            429, "Too many open requests",
            "The member limit has the limit's name and value. End one, or wait for the seconds in Retry-After."),
        .tooOften: .init(
            429, "Too many requests",
            "Wait for the seconds in Retry-After. The member limit has the limit's name and value: requests a second, or passwords that may be tried at once."
        ),
        .methodUnknown: .init(501, "Unknown method", "Use GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS."),
        .internalError: .init(500, "Internal error", "The server's log has the reason, under the requestId."),
        .readTooLong: .init(503, "Read timed out", "Use a narrower filter, or a smaller page."),
        .tooManyWrites: .init(503, "Too many writes waiting", "Nothing was written. Try again soon."),
        .notReady: .init(
            503, "Server not ready", "It has just started, or another task must end first. Try again soon."),
        .databaseLocked: .init(
            503, "Database locked",
            "Nothing was done. Try again soon. Operators: look for an open SQLite shell or a backup."),
        .diskUnreadable: .init(
            503, "Disk read failed",
            "Nothing was done. Try again soon. Operators: check the disk if this continues."),
        .outOfSpace: .init(
            507, "Disk full", "Nothing was written. Reads continue, and writes work again when there is space."),
    ]
}

/// The text that all problems of a kind share.
struct ProblemPage {
    let status: Int
    let title: String
    /// The next step for the client.
    let advice: String

    init(_ status: Int, _ title: String, _ advice: String) {
        self.status = status
        self.title = title
        self.advice = advice
    }

    /// Creates the page of a kind of problem by its name, including refusals by the HTTP server. Returns `nil` for an
    /// unknown name.
    init?(named name: String) {
        if let page = ProblemKind(rawValue: name)?.page {
            self = page
        } else if let refusal = RequestRefusalKind(rawValue: name) {
            self.init(refusal.status, "\(refusal.title)", "\(refusal.detail)")
        } else {
            return nil
        }
    }

    var text: String { "\(title) (\(status))\n\n\(advice)\n" }
}
