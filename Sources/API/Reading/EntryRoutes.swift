import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of entries, which record a reading's progress.
extension Route {
    static let entries: [Route] = [
        Route(
            .get, "/v1/readings/{id}/entries", "listEntries", parameters: paged(), watching: .whole
        ) { call throws(RequestError) in
            let (id, viewer) = (try call.id(0), call.viewer)
            if call.isWatched, try call.reads.reading(id, of: viewer) == nil { throw .notFound }
            return try call.list(
                in: viewer.scope, filter: .having("reading", id),
                order: ListOrder(by: .instant("happenedAt"), isDescending: true), whole: .resource(.reading, id)
            ) { reads, paging, known throws(RequestError) in
                guard let reading = try reads.reading(id, of: viewer) else { throw .notFound }
                return try reads.entries(of: reading.key, after: paging.cursor, limit: paging.limit, known: known)
            }
        },
        Route(
            .get, "/v1/readings/{id}/entries/{entryId}", "getEntry", watching: .whole
        ) { call throws(RequestError) in
            let (reading, id, viewer) = (try call.id(0), try call.id(1), call.viewer)
            return try call.one(id, whole: .resource(.reading, reading)) { reads throws(RequestError) in
                try reads.read { () throws(RequestError) -> Entry? in
                    guard let reading = try reads.reading(reading, of: viewer), let entry = try reads.entry(id),
                        entry.readingKey == reading.key
                    else { return nil }
                    return entry
                }
            }
        },
        Route(.put, "/v1/books/{id}/entries/{entryId}", "putBookEntry", inBatches: true) {
            call throws(RequestError) in
            let body = try call.json()
            let draft = try EntryDraft(body, now: call.now)
            return .commit(
                .createEntry(ofBook: try call.id(0), draft).claiming(try call.claim(1, of: body), .entry),
                location: .inReading)
        },
        Route(
            .delete, "/v1/readings/{id}/entries/{entryId}", "deleteEntry", inBatches: true, parameters: ["note"]
        ) { call throws(RequestError) in
            let end: DeletedEntryNotePolicy? = try call.query.choice("note")
            return .commit(.deleteEntry(try call.id(1), of: try call.id(0), keepingNote: end == .keep))
        },
    ]

    static let entryCreation: [Route] = creating(
        .entry, "/v1/readings/{id}/entries", "createEntry", "/v1/readings/{id}/entries/{entryId}", "putEntry"
    ) { ids, body, now throws(RequestError) in
        .createEntry(of: ids[0], try EntryDraft(body, now: now))
    }
}

/// The treatment of the note of a deleted entry.
private enum DeletedEntryNotePolicy: String, CaseIterable {
    case delete, keep
}
