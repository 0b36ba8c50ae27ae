import JSON
import Model
import Store

/// The notes of a club that a meeting is about, as far as one reader sees them, thread by thread.
struct MeetingNotes {
    /// A note and the replies to it. The note itself may be gone.
    struct Thread {
        let id: ResourceID
        var notes: [Note]
    }

    /// Bytes of bodies that are shown at most: a view is made while others wait.
    private static let bytesMax = 1 << 20

    let meeting: Meeting
    let club: Club
    let bookTitle: String?
    let threads: [Thread]
    /// What the authors are called.
    let names: [ResourceID: String]
    /// Whether there are more notes than are shown.
    let isCut: Bool

    init(_ meeting: Meeting, _ club: Club, _ viewer: Viewer, _ reads: ReadConnection) throws(LecternError) {
        self.meeting = meeting
        self.club = club
        bookTitle = try meeting.book.flatMap { id throws(LecternError) in try reads.book(id)?.title }
        let found = try reads.notes(for: meeting, seenBy: viewer.readerKey)
        var bytes = 0
        let notes = found.prefix(ReadConnection.notesOfMeetingMax).prefix { note in
            bytes += note.body.utf8.count
            return bytes <= Self.bytesMax
        }
        isCut = found.count > notes.count
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

    /// `{"meeting": {…}, "threads": [{"thread": …, "notes": […]}], "isCut": …}`
    func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        json.name("meeting")
        meeting.write(to: &json)
        json.name("threads")
        json.beginArray()
        for thread in threads {
            json.beginObject()
            json.name("thread")
            json.id(thread.id)
            json.name("notes")
            json.beginArray()
            for note in thread.notes { note.write(to: &json) }
            json.endArray()
            json.endObject()
        }
        json.endArray()
        json.name("isCut")
        json.bool(isCut)
        json.endObject()
        return json.bytes
    }

    /// The same to print and to read from. What somebody wrote is quoted, line by line, and what is not quoted nobody wrote:
    /// so no note can look like another's, or like another part of the page.
    func markdown() -> [UInt8] {
        var text = "# \(Self.line(club.name)): \(Self.line(meeting.title ?? "meeting"))\n\n\(meeting.startsAt)"
        if let bookTitle { text += ", *\(Self.line(bookTitle))*" }
        if meeting.progress != nil { text += ", up to \(Self.place(meeting.progress, meeting.page))" }
        text += "\n"
        if let agenda = meeting.agenda { text += "\n" + Self.quoted(agenda) }
        for thread in threads {
            guard let first = thread.notes.first else { continue }
            text += "\n## \(first.progress == nil ? "On the book" : "At \(Self.place(first.progress, first.page))")\n"
            for note in thread.notes {
                let reply = note.thread == nil ? "" : ", in reply"
                let name = note.isNameless ? "Somebody" : names[note.author] ?? ""
                text += "\n**\(Self.line(name))**\(reply)\n\n" + Self.quoted(note.body)
            }
        }
        if isCut { text += "\n*There are more notes.*\n" }
        return Array(text.utf8)
    }

    /// Markdown that somebody wrote, as a quotation that it cannot end: each of its lines begins with the mark. HTML in it is
    /// shown, not obeyed, and it defines no links, which would hold in all of the page.
    static func quoted(_ text: String) -> String {
        var quoted = "> "
        var last: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A...0x0D, 0x85, 0x2028, 0x2029: quoted += "\n> "
            case 0x3C: quoted += "\\<"
            case 0x3A where last == "]": quoted += "\\:"
            default: quoted.unicodeScalars.append(scalar)
            }
            last = scalar
        }
        return quoted + "\n"
    }

    /// A name, with what would be Markdown in it escaped.
    private static func line(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars {
            if "\\`*_[]<>#".unicodeScalars.contains(scalar) { line += "\\" }
            line.unicodeScalars.append(scalar)
        }
        return line
    }

    /// "43 %", "43.5 %, page 172".
    static func place(_ progress: Progress?, _ page: Int32?) -> String {
        let thousandths = ((progress ?? .none).millionths + 500) / 1000
        let percent = thousandths % 10 == 0 ? "\(thousandths / 10)" : "\(thousandths / 10).\(thousandths % 10)"
        return "\(percent) %" + (page.map { ", page \($0)" } ?? "")
    }
}
