import JSON
import Model
import Store

extension StoreFixture {
    /// Creates a book with a body.
    func addBook(_ body: String = #"{"title": "Emma", "pageCount": 100}"#) throws -> ResourceID {
        let id = ResourceID(madeAt: .now)
        try run(Command.createBook(.whole(body)).by(administrator, id: id))
        return id
    }

    func updateBook(_ id: ResourceID, _ body: String, _ precondition: Precondition = Precondition()) throws
        -> CommandOutcome
    {
        let patch = try BookPatch(json(body), form: .patch)
        return try run(
            Command.updateBook(id, patch).by(administrator, if: precondition))
    }

    /// Creates a reader with a token.
    func addReader(_ name: String) throws -> Viewer {
        let id = ResourceID(madeAt: .now)
        let patch = try ReaderPatch(json("{\"name\": \"\(name)\"}"), form: .whole, roleMayChange: true)
        try run(Command.createReader(patch).by(administrator, id: id))
        let draft = try TokenDraft(json("{\"name\": \"t\", \"reader\": \"\(id)\"}"), now: .now)
        let digest = SHA256.digest(of: Array(name.utf8))
        try run(
            Command.createToken(draft, digest).by(administrator))
        guard let known = try reads().viewer(tokenDigest: digest) else { throw Missing() }
        return known.viewer
    }

    /// Creates a club of a reader.
    func addClub(_ viewer: Viewer) throws -> ResourceID {
        let id = ResourceID(madeAt: .now)
        let patch = try ClubPatch(json(#"{"name": "C"}"#), form: .whole)
        try run(Command.createClub(patch).by(viewer, id: id))
        return id
    }

    /// Creates a note on the book as a whole, visible to everyone in a club, or private.
    func addNote(_ book: ResourceID, _ club: ResourceID?, _ body: String, _ viewer: Viewer) throws {
        let club = club.map { ", \"club\": \"\($0)\"" } ?? ""
        let text = "{\"book\": \"\(book)\", \"body\": \"\(body)\", \"threshold\": \"everyone\"\(club)}"
        let draft = try NoteDraft(json(text))
        try run(Command.createNote(draft).by(viewer))
    }

    func createReading(_ book: ResourceID, _ viewer: Viewer) throws -> ResourceID {
        let id = ResourceID(madeAt: .now)
        try run(
            Command.createReading(ReadingDraft(json("{\"book\": \"\(book)\", \"isReread\": true}"))).by(viewer, id: id))
        return id
    }

    func updateReading(_ id: ResourceID, _ body: String, _ viewer: Viewer) throws -> CommandOutcome {
        let patch = try ReadingPatch(json(body))
        return try run(Command.updateReading(id, patch).by(viewer))
    }

    func record(
        _ body: String, _ reading: ResourceID, _ viewer: Viewer, key: IdempotencyKey? = nil
    ) throws -> CommandOutcome {
        try run(entry(body, reading, viewer), key: key)
    }

    func entry(_ body: String, _ reading: ResourceID, _ viewer: Viewer) throws -> ActorCommand {
        let now = Instant.now
        let draft = try EntryDraft(json(body), now: now)
        return Command.createEntry(of: reading, draft).by(viewer, at: now)
    }

    func deleteEntry(_ id: ResourceID, _ reading: ResourceID, _ viewer: Viewer) throws -> CommandOutcome {
        try run(
            Command.deleteEntry(id, of: reading).by(viewer))
    }
}

extension BookPatch {
    static func whole(_ body: String) throws -> BookPatch { try BookPatch(json(body), form: .whole) }
}

extension Change {
    /// The change in a few words: `reading updated progress,page`.
    var summary: String {
        let names = changed.indices.map { kind.fieldNames[$0].description }
        return (["\(kind.name)", "\(operation.name)"] + (names.isEmpty ? [] : [names.joined(separator: ",")]))
            .joined(separator: " ")
    }
}
