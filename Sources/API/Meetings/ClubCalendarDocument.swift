import Model

/// A club's meetings and milestones as an iCalendar object (RFC 5545). All times are in UTC, which needs no time zone
/// definitions. Programs show them in their own time zone.
struct ClubCalendarDocument {
    private(set) var bytes: [UInt8] = []

    /// The maximum number of characters of an agenda. The meeting itself has all of it.
    private static let agendaMax = 500
    /// The maximum number of bytes in a line before it is folded (3.1).
    private static let lineBytesMax = 75

    init(_ club: Club, _ meetings: [Meeting], _ milestones: [Milestone], titles: [ResourceID: String]) {
        line("BEGIN", "VCALENDAR")
        line("VERSION", "2.0")
        line("PRODID", "-//Lectern//Lectern//EN")
        line("CALSCALE", "GREGORIAN")
        line("X-WR-CALNAME", Self.text(club.name))
        for meeting in meetings { event(meeting, club, titles) }
        for milestone in milestones { event(milestone, club, titles) }
        line("END", "VCALENDAR")
    }

    private mutating func event(_ meeting: Meeting, _ club: Club, _ titles: [ResourceID: String]) {
        let book = meeting.book.flatMap { titles[$0] }
        begin(meeting.id, meeting.updatedAt, meeting.startsAt)
        if let minutes = meeting.minutes { line("DURATION", "PT\(minutes)M") }
        line("SUMMARY", Self.text("\(club.name): \(meeting.title ?? book ?? "meeting")"))
        if let place = meeting.place { line("LOCATION", Self.text(place)) }
        if let link = meeting.link { line("URL", link) }
        var description = String((meeting.agenda ?? "").unicodeScalars.prefix(Self.agendaMax))
        if let book, meeting.progress != nil {
            let aim = "Read \(book) up to \(MeetingNotes.place(meeting.progress, meeting.page))."
            description = description.isEmpty ? aim : "\(aim)\n\n\(description)"
        }
        if !description.isEmpty { line("DESCRIPTION", Self.text(description)) }
        line("END", "VEVENT")
    }

    private mutating func event(_ milestone: Milestone, _ club: Club, _ titles: [ResourceID: String]) {
        let aim = milestone.name ?? MeetingNotes.place(milestone.progress, milestone.page)
        begin(milestone.id, milestone.updatedAt, milestone.dueAt)
        line("SUMMARY", Self.text("\(club.name): \(titles[milestone.book] ?? "") to \(aim)"))
        line("TRANSP", "TRANSPARENT")
        line("END", "VEVENT")
    }

    private mutating func begin(_ id: ResourceID, _ changedAt: Instant?, _ startsAt: Instant) {
        line("BEGIN", "VEVENT")
        line("UID", "\(id)@lectern")
        line("DTSTAMP", Self.time(changedAt ?? startsAt))
        line("DTSTART", Self.time(startsAt))
    }

    /// Appends a content line, folded between characters.
    private mutating func line(_ name: StaticString, _ value: String) {
        var room = Self.lineBytesMax
        for character in "\(name):\(value)".unicodeScalars {
            let encoded = UTF8.encode(character) ?? UTF8.encodedReplacementCharacter
            if encoded.count > room {
                bytes += [0x0D, 0x0A, 0x20]
                room = Self.lineBytesMax - 1
            }
            bytes += encoded
            room -= encoded.count
        }
        bytes += [0x0D, 0x0A]
    }

    /// Returns a TEXT value (3.3.11). Escapes prevent that text from ending the line or the value.
    private static func text(_ value: String) -> String {
        var escaped = ""
        for character in value.unicodeScalars {
            switch character {
            case "\\", ";", ",": escaped += "\\\(character)"
            case "\n": escaped += "\\n"
            case _ where character.value < 0x20 || character.value == 0x7F: escaped += " "
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    /// Returns a DATE-TIME in UTC (3.3.5), such as 20261121T093000Z.
    private static func time(_ instant: Instant) -> String {
        let text = instant.description
        return text.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }
}
