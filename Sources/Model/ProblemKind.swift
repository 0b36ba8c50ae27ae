/// What can be wrong with a request, each with a name of its own: what a program may tell apart. The raw value is the end of
/// the problem's `type`, `/problems/reading-finished`: part of what clients hold, so never change one.
///
/// A new one is a line here, a line in the API's `ProblemKind.pages`, and a line in the contract; a test walks them all.
public enum ProblemKind: String, CaseIterable, Sendable {
    case malformedQuery = "malformed-query"
    case unknownParameter = "unknown-parameter"
    case invalidParameter = "invalid-parameter"
    case bodyMissing = "body-missing"
    case malformedJSON = "malformed-json"
    case malformedIdempotencyKey = "malformed-idempotency-key"
    case unknownReaction = "unknown-reaction"
    case invalidName = "invalid-name"

    case repeatedField = "repeated-field"

    case tokenMissing = "token-missing"
    case malformedAuthorization = "malformed-authorization"
    case tokenUnknown = "token-unknown"
    case tokenExpired = "token-expired"
    case ticketUnknown = "ticket-unknown"

    case administratorsOnly = "administrators-only"
    case librariansOnly = "librarians-only"
    case readOnlyToken = "read-only-token"
    case roleMissing = "role-missing"
    case authorsOnly = "authors-only"
    case memberOnly = "member-only"
    case removedFromClub = "removed-from-club"
    case formerMember = "former-member"

    case notFound = "not-found"
    case noSuchRoute = "no-such-route"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"

    case limitReached = "limit-reached"
    case readingFinished = "reading-finished"
    case readingOpen = "reading-open"
    case bookInUse = "book-in-use"
    case clubArchived = "club-archived"
    case noCurrentBook = "no-current-book"
    case lastOwner = "last-owner"
    case lastAdministrator = "last-administrator"
    case alreadyMember = "already-member"
    case requestAnswered = "request-answered"
    case shelfStays = "shelf-stays"
    case foreignCursor = "foreign-cursor"
    case cursorNotServed = "cursor-not-served"

    case preconditionFailed = "precondition-failed"
    case tooLarge = "too-large"
    case unsupportedMediaType = "unsupported-media-type"
    case invalid = "invalid"
    case idempotencyKeyReused = "idempotency-key-reused"
    case tooManyRequests = "too-many-requests"

    case methodUnknown = "method-unknown"
    case internalError = "internal-error"
    case readTooLong = "read-too-long"
    case searchRenewing = "search-renewing"
    case tooManyWrites = "too-many-writes"
    case notReady = "not-ready"
    case databaseLocked = "database-locked"
    case diskUnreadable = "disk-unreadable"
    case outOfSpace = "out-of-space"
}
