import HTTPServer
import JSON
import Model
import ObservableModels
import Store

/// The optional members of notes in a response.
private enum NoteIncludeOptions: String, CaseIterable {
    /// The position at which each note became visible to the viewer, and the time of that.
    case opened
}

extension RouteCall {
    /// Returns the encoder of notes for `include=opened`, or `nil` without it. Streams do not include that member,
    /// because it changes without an event.
    func encodingOpened() throws(RequestError) -> ItemEncoder<Note>? {
        let include: NoteIncludeOptions? = try query.choice("include")
        guard include != nil else { return nil }
        guard !isWatched else {
            throw query.refusal("include", "does not apply to streams: their notes have no member opened")
        }
        let viewer = viewer
        return { reads, notes throws(RequestError) in
            zip(notes, try reads.visibilities(of: notes, for: viewer)).map { $0.encoded(with: $1) }
        }
    }

    /// Returns the reply with one note. A deleted note of a club is replayed from the log to the members who saw it.
    func one(note id: ResourceID) throws(RequestError) -> RouteReply {
        let viewer = viewer
        guard let encode = try encodingOpened() else {
            let club = isWatched ? try reads.clubOfNote(id, watchedBy: viewer) : nil
            return try one(id, of: club) { reads throws(RequestError) in try reads.note(id, for: viewer) }
        }
        _ = try query.fields(of: .note)
        let reads = reads
        return .list(.view(of: [.resource(.note, id)])) { () throws(RequestError) in
            EncodedListPage(body: try encode(reads, [try reads.note(id, for: viewer)])[0])
        }
    }
}

extension Note {
    /// Returns the representation with the member `opened`.
    fileprivate func encoded(with opened: NoteVisibility) -> [UInt8] {
        let json = JSONWriter.object(capacity: 128) { json in
            json.object("opened") { json in
                if let position = opened.position {
                    json.name("position")
                    position.write(to: &json)
                }
                json.member("at", opened.at)
            }
        }
        return encoded().dropLast() + [UInt8(ascii: ",")] + json.dropFirst()
    }
}
