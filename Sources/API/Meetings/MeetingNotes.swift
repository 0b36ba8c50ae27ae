import JSON
import Model
import Store

/// The notes to discuss at a club's meeting, as one reader sees them, grouped by thread.
struct MeetingNotes {
    /// A note and the replies to it. The note itself may have been deleted.
    struct Thread {
        let id: ResourceID
        var notes: [Note]
    }

    /// The maximum number of bytes in the bodies shown, because other connections wait meanwhile.
    private static let bytesMax = 1 << 20

    let meeting: Meeting
    let club: Club
    let bookTitle: String?
    let threads: [Thread]
    /// The authors' names.
    let names: [ResourceID: String]
    /// A Boolean value indicating whether there may be more notes than are shown.
    let isCut: Bool

    init(_ meeting: Meeting, _ club: Club, _ viewer: Viewer, _ reads: ReadConnection) throws(RequestError) {
        self.meeting = meeting
        self.club = club
        bookTitle = try meeting.book.flatMap { id throws(RequestError) in try reads.book(id)?.title }
        let (found, isCut) = try reads.notes(for: meeting, seenBy: viewer.readerKey)
        var bytes = 0
        let notes = found.prefix(ReadConnection.notesOfMeetingMax).prefix { note in
            bytes += note.body.utf8.count
            return bytes <= Self.bytesMax
        }
        self.isCut = isCut || found.count > notes.count
        var threads: [Thread] = []
        var places: [ResourceID: Int] = [:]
        for note in notes {
            let id = note.thread ?? note.id
            if let place = places[id] {
                threads[place].notes.append(note)
            } else {
                places[id] = threads.count
                threads.append(Thread(id: id, notes: [note]))
            }
        }
        self.threads = threads
        var names: [ResourceID: String] = [:]
        for note in notes where !note.isNameless && names[note.author] == nil {
            names[note.author] = try reads.name(ofAuthor: note) ?? "A former member"
        }
        self.names = names
    }

    /// Returns the JSON `{"meeting": {…}, "threads": [{"thread": …, "notes": […]}], "isCut": …}`.
    func encoded() -> [UInt8] {
        JSONWriter.object(capacity: 1024) { json in
            json.name("meeting")
            meeting.write(to: &json)
            json.array("threads", threads) { thread, json in
                json.object { json in
                    json.member("thread", thread.id)
                    json.array("notes", thread.notes) { $0.write(to: &$1) }
                }
            }
            json.member("isCut", isCut)
        }
    }

    /// Returns a place such as "43 %" or "43.5 %, page 172".
    static func place(_ progress: Progress?, _ page: Int32?) -> String {
        let thousandths = ((progress ?? .none).millionths + 500) / 1000
        let percent = thousandths % 10 == 0 ? "\(thousandths / 10)" : "\(thousandths / 10).\(thousandths % 10)"
        return "\(percent) %" + (page.map { ", page \($0)" } ?? "")
    }
}
