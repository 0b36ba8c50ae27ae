import JSON
import Model
import Testing

@testable import Store

/// What its readers do.
extension GateHouse {
    private static let notesMax = 60

    mutating func step() throws {
        let reader = Int.random(in: 0..<Self.readers, using: &random)
        // Old ones have been seen by all.
        if notes.count > Self.notesMax { try deleteNote() }
        switch Int.random(in: 0..<107, using: &random) {
        case ..<30: try read(reader)
        case ..<38: try undo(reader)
        case ..<42: try toggleFinished(reader)
        case ..<58: try write(reader)
        case ..<66: try reply(reader)
        case ..<71: try raise(reader)
        case ..<74: try edit()
        case ..<78: try deleteNote()
        case ..<83: try comeOrGo(reader)
        case ..<86: try putChapters()
        case ..<92: try putAnchors()
        case ..<94: try deleteAnchors()
        case ..<97: try startAnew(reader)
        case ..<100: try switchEdition(reader)
        case ..<104: try know(reader)
        case ..<106: try forget(reader)
        default: try changeHindsight()
        }
        look()
    }

    /// A place in the book as that reader says it, and what that is.
    mutating func say(_ reader: Int) -> (json: String, said: StoryRules.Said) {
        let hundredths = Int.random(in: 0...100, using: &random)
        let way = Int.random(in: 0..<3, using: &random)
        if way == 0 {
            let json = "\"progress\":\(Double(hundredths) / 100)"
            // Percents of an edition are what its device shows.
            let isPercent = edition[reader] == 1
            return (
                json, isPercent ? .amount(hundredths * 1000, in: 1) : .share(hundredths * 10_000, in: edition[reader])
            )
        }
        if way == 1, !rules.begins.isEmpty {
            let chapter = rules.begins.indices.randomElement(using: &random) ?? 0
            let json = "\"at\":{\"chapter\":\(chapter + 1),\"fraction\":\(Double(hundredths) / 100)}"
            return (json, .chapter(chapter, hundredths * 10_000))
        }
        let index = Int.random(in: 0..<editions.count, using: &random)
        let edition = StoryRules.editions[index]
        let amount = Int.random(in: 0...edition.length / 1000, using: &random)
        let number = index == 1 ? "\(Double(amount) / 100)" : "\(amount)"
        return (
            "\"at\":{\"\(edition.member)\":\(number),\"edition\":\"\(editions[index])\"}",
            .amount(amount * 1000, in: index)
        )
    }

    private mutating func read(_ reader: Int) throws {
        guard !isFinished[reader] else { return }
        let place = say(reader)
        let entry = try shop.record("{\(place.json)}", readings[reader], viewers[reader])
        entries[reader].append(Entry(id: entry.id, spot: rules.spot(place.said)))
        rules.believe(place.said)
    }

    private mutating func undo(_ reader: Int) throws {
        guard let index = entries[reader].indices.randomElement(using: &random) else { return }
        _ = try shop.deleteEntry(entries[reader].remove(at: index).id, readings[reader], viewers[reader])
    }

    private mutating func toggleFinished(_ reader: Int) throws {
        isFinished[reader].toggle()
        _ = try shop.patchReading(readings[reader], "{\"isFinished\":\(isFinished[reader])}", viewers[reader])
    }

    private mutating func switchEdition(_ reader: Int) throws {
        edition[reader] = Bool.random(using: &random) ? nil : Int.random(in: 0..<editions.count, using: &random)
        let id = edition[reader].map { "\"\(editions[$0])\"" } ?? "null"
        _ = try shop.patchReading(readings[reader], "{\"edition\":\(id)}", viewers[reader])
    }

    /// Has read nothing of it.
    private mutating func startAnew(_ reader: Int) throws {
        try shop.run(Command.deleteReading(readings[reader]).by(viewers[reader]))
        readings[reader] = try shop.startReading(book, viewers[reader])
        (entries[reader], isFinished[reader], edition[reader]) = ([], false, nil)
    }

    /// What is said of where a note is, and opens.
    private mutating func sayOpening(
        _ reader: Int
    ) -> (json: String, opening: StoryRules.Opening?, said: StoryRules.Said?) {
        let place = Int.random(in: 0..<4, using: &random) > 0 ? say(reader) : nil
        let json = place.map { ",\($0.json)" } ?? ""
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return (json + ",\"opens\":\"everyone\"", .everyone, place?.said)
        case 1: return (json + ",\"opens\":\"finished\"", .finished, place?.said)
        default: return (json, place.map { rules.opening(rules.spot($0.said)) }, place?.said)
        }
    }

    private mutating func write(_ reader: Int) throws {
        guard isMember[reader] else { return }
        let id = ResourceID(madeAt: .now)
        let said = sayOpening(reader)
        let body = try json("{\"book\":\"\(book)\",\"club\":\"\(club)\",\"body\":\"n\"\(said.json)}")
        try shop.run(Command.writeNote(NoteDraft(body)).by(viewers[reader], id: id))
        notes[id] = Note(author: reader, opening: inHindsight(said.opening ?? .finished, of: reader))
        rules.believe(said.said)
    }

    private mutating func reply(_ reader: Int) throws {
        guard isMember[reader], let other = pick() else { return }
        let (id, said) = (ResourceID(madeAt: .now), sayOpening(reader))
        let draft = try ReplyDraft(json("{\"body\":\"r\"\(said.json)}"))
        let command = Command.writeReply(to: other.id, draft).by(viewers[reader], id: id)
        guard sees(reader, other.id, other.note) else {
            #expect(throws: LecternError.notFound) { try shop.run(command) }
            return
        }
        try shop.run(command)
        answered[id] = other.id
        let own = said.opening ?? other.note.opening
        let opening = StoryRules.reply(own, to: other.note.opening)
        notes[id] = Note(author: reader, opening: inHindsight(opening, of: reader))
        rules.believe(said.said)
    }

    private mutating func pick() -> (id: ResourceID, note: Note)? {
        notes.sorted { $0.key.description < $1.key.description }.randomElement(using: &random).map {
            ($0.key, $0.value)
        }
    }

    private mutating func raise(_ reader: Int) throws {
        guard isMember[reader], let (id, note) = pick(), sees(reader, id, note) else { return }
        let share = Int.random(in: 1...100, using: &random) * 10_000
        guard share > note.opening.share else { return }
        let patch = try NotePatch(json("{\"opensAt\":\(Double(share) / 1_000_000)}"))
        let command = Command.patchNote(id, patch).by(viewers[reader])
        guard note.author == reader || reader == 0 else {
            #expect(throws: LecternError.self) { try shop.run(command) }
            return
        }
        try shop.run(command)
        var raised: Set = [id]
        while let more = answered.first(where: { !raised.contains($0.key) && raised.contains($0.value) }) {
            raised.insert(more.key)
        }
        for id in raised {
            guard var note = notes[id] else { continue }
            note.opening.raise(to: share)
            notes[id] = note
        }
    }

    private mutating func edit() throws {
        guard let (id, note) = pick() else { return }
        let patch = try NotePatch(json("{\"body\":\"\(Int.random(in: 0..<100, using: &random))\"}"))
        let command = Command.patchNote(id, patch).by(viewers[note.author])
        guard isMember[note.author] else {
            #expect(throws: LecternError.formerMember) { try shop.run(command) }
            return
        }
        try shop.run(command)
    }

    private mutating func deleteNote() throws {
        guard let (id, note) = pick() else { return }
        try shop.run(Command.deleteNote(id).by(viewers[note.author]))
        notes[id] = nil
    }

    private mutating func comeOrGo(_ reader: Int) throws {
        guard reader > 0 else { return }
        isMember[reader].toggle()
        guard isMember[reader] else {
            try shop.run(
                Command.deleteMember(viewers[reader].reader, of: club, isBanned: false).by(viewers[reader]))
            return
        }
        try shop.run(Command.joinClub(code: "come").by(viewers[reader]))
        cursors[reader] = try reads.head()
        told[reader] = try list(reader)
    }

    // MARK: What becomes known

    private mutating func putChapters() throws {
        let more = [70_000, 220_000, 430_000, 660_000, 900_000].randomElement(using: &random) ?? 0
        let begins =
            rules.begins.isEmpty ? [0, 130_000, 310_000, 550_000, 800_000] : Set(rules.begins + [more]).sorted()
        guard rules.begins.isEmpty ? Int.random(in: 0..<5, using: &random) == 0 : begins != rules.begins else { return }
        let chapters = begins.map { "{\"share\":\(Double($0) / 1_000_000)}" }.joined(separator: ",")
        let draft = try ChaptersDraft(json("{\"chapters\":[\(chapters)]}"))
        try shop.run(Command.putChapters(of: book, draft).by(shop.administrator))
        (rules.begins, rules.anchors) = (begins, [:])
    }

    private mutating func putAnchors() throws {
        guard !rules.begins.isEmpty else { return }
        let index = Int.random(in: 0..<editions.count, using: &random)
        let edition = StoryRules.editions[index]
        let places = stride(from: edition.start, to: edition.end, by: 1000).shuffled(using: &random)
        let anchors = places.prefix(rules.begins.count).sorted()
        let said = anchors.map { "\($0 / 1000)" }.joined(separator: ",")
        let draft = try AnchorsDraft(json("{\"begins\":[\(said)]}"))
        try shop.run(Command.putAnchors(of: editions[index], draft).by(shop.administrator))
        rules.anchors[index] = anchors
    }

    private mutating func deleteAnchors() throws {
        guard let index = rules.anchors.keys.sorted().randomElement(using: &random) else { return }
        try shop.run(Command.deleteAnchors(of: editions[index]).by(shop.administrator))
        rules.anchors[index] = nil
    }
}
