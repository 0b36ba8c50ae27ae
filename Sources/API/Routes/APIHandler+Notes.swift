import HTTPServer
import JSON
import Model
import ObservableModels
import Store

extension APIHandler {
    func listClubNotes(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let query = try Query(request, known: ["book", "thread", "q", "limit", "cursor"] + Query.ofStreams)
        let filter = try query.noteFilter()
        let limit = try query.limit()
        _ = try query.fields(of: .note)
        let club = try club(id, viewer, .see)
        let page = { [reads, epoch] () throws(LecternError) in
            let notes = try reads.notes(
                of: club.key, seenBy: viewer.readerKey, filter, after: query.text("cursor"), limit: limit)
            let ahead =
                club.countsAhead
                ? try reads.notesAhead(of: viewer.readerKey, in: club.key, book: filter.book) : nil
            return notes.encoded(
                epoch, seq: try reads.lastSeq(ofClub: club.key, seenBy: viewer.readerKey),
                extra: ahead.map { ("ahead", $0) })
        }
        guard watches(request) else { return try answer(list: page, request, &response) }
        guard filter.search == nil, filter.thread == nil else {
            throw query.refusal(
                filter.search == nil ? "thread" : "q", "is not for streams; watch the club's notes, or a book's")
        }
        let watch = Watch(
            topics: [
                .list(.note, .club(key: club.key)), .list(.note, .club(key: club.key, only: viewer.readerKey)),
            ], kind: .note, filter: filter.book.map { .having("book", $0) } ?? .all, club: club.key)
        return try stream(watch, query, viewer, request, &response, snapshot: page)
    }

    /// The viewer's own notes, private or shared.
    func listNotes(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let query = try Query(request, known: ["book", "q", "limit", "cursor"])
        let filter = try query.noteFilter()
        let limit = try query.limit()
        return try answer(
            list: { () throws(LecternError) in
                try self.reads.notes(
                    of: nil, seenBy: viewer.readerKey, filter, after: query.text("cursor"), limit: limit
                ).encoded(epoch, seq: self.reads.lastSeq(of: viewer.scope))
            }, request, &response)
    }

    func getNote(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let load = { [reads] () throws(LecternError) in
            guard let note = try reads.note(id, seenBy: viewer.readerKey) else { throw LecternError.notFound }
            return note
        }
        let note = try load()
        if watches(request) { try demandMembership(for: note, viewer) }
        return try answer(one: Note.self, id, of: note.clubKey, request, viewer, &response, load: load)
    }

    /// Refuses who has gone from the club of a note of theirs: what becomes of it is the club's.
    func demandMembership(for note: Note, _ viewer: Viewer) throws(LecternError) {
        guard let club = note.club else { return }
        guard try reads.club(club, of: viewer.readerKey) != nil else { throw .formerMember }
    }

    func createNote(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let draft = try NoteDraft(Body.json(request))
        let now = Instant.now
        return try commit(
            WriteNote(id: ResourceID(madeAt: now), draft: draft, viewer: viewer, now: now), request, viewer, &response)
    }

    func createReply(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let body = try NoteBody(Body.json(request), form: .whole).text ?? ""
        let now = Instant.now
        return try commit(
            WriteReply(id: ResourceID(madeAt: now), to: id, body: body, viewer: viewer, now: now), request, viewer,
            &response, location: "/v1/notes")
    }

    func patchNote(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let body = try NoteBody(Body.json(request, mergePatch: true), form: .patch).text
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            PatchNote(id: id, body: body, precondition: precondition, viewer: viewer), request, viewer, &response)
    }

    func deleteNote(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            DeleteNote(id: id, precondition: precondition, viewer: viewer), request, viewer, &response)
    }
}
