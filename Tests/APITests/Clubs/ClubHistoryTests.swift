import API
import Foundation
import JSON
import Model
import SharedByTests
import Testing

@testable import Store

/// Random histories of two clubs. Each reader's received events, applied in order, must equal what the reader can
/// fetch, and that must follow the rules. The rules are implemented here a second time, without a database.
@Suite("Histories of clubs")
struct ClubHistoryTests {
    @Test(
        "A stream sends exactly what GET returns, for random histories",
        arguments: TestBudget.seeds(1, long: 5))
    func histories(_ seed: UInt64) throws {
        var history = try ClubHistory(seed: seed)
        for _ in 0..<10 {
            for _ in 0..<200 { try history.step() }
            try history.check()
        }
    }
}

private struct ClubHistory {
    struct Note {
        let club: Int
        let book: Int
        let author: Int
        /// The progress from which on the note is visible, or `nil` for a note for everyone.
        var at: Int?
        /// The share from which on the note is visible to readers who record pages.
        var share: Int

        /// Returns whether this threshold is not above another one.
        func isNoLater(than other: (at: Int?, share: Int)) -> Bool {
            if let at, let later = other.at { return at <= later }
            return share <= other.share
        }
        /// The readers who received the note when it was written.
        var receivedAtOnce: Set<Int> = []
    }

    struct Reading {
        let id: String
        let reader: Int
        let book: Int
        var entries: [(id: String, millionths: Int, isPage: Bool)] = []
        var isFinished = false
        var furthest: Int { isFinished ? 1_000_000 : entries.map(\.millionths).max() ?? 0 }
        var furthestProgress: Int { entries.filter { !$0.isPage }.map(\.millionths).max() ?? 0 }
    }

    struct Milestone {
        let id: String
        let millionths: Int
        let isDue: Bool
    }

    /// One reader's state from received events: the representations of each club by "kind id".
    struct Mirror {
        var clubs: [String: [String: String]] = [:]
        var received = 0
        /// The state that the reader fetched at each joining of a club, in order.
        var loads: [String: [[String: String]]] = [:]
    }

    static let readers = 5
    let service = try! TestService()
    var random: SeededGenerator
    var tokens: [String] = []
    var readerIDs: [String] = []
    var feeds: [Watcher] = []
    var mirrors: [Mirror] = []
    var books: [String] = []
    var clubs: [String] = []
    var codes: [String] = []
    var readings: [Reading] = []
    var notes: [String: Note] = [:]
    var members: [[Int: String]] = [[:], [:]]
    var removed: [Set<Int>] = [[], []]
    var seesAhead = [false, false]
    /// The readings with which members read the club's book, and what they share.
    var along: [[Int: Int]] = [[:], [:]]
    var shares: [[Int: String]] = [[:], [:]]
    var milestones: [[Milestone]] = [[], []]
    /// The note that each reply answers, including deleted ones.
    var answered: [String: String] = [:]
    var marks = 0

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        for number in 0..<Self.readers {
            tokens.append(try service.reader("Reader \(number)"))
            readerIDs.append(try service.send("GET", "/v1/me", token: tokens[number])["id"]?.string ?? "")
            feeds.append(try Watcher(service, "/v1/changes", token: tokens[number]))
            #expect(feeds[number].wait(count: 1))
            mirrors.append(Mirror())
        }
        for title in ["One", "Two"] {
            books.append(try service.make("/v1/books", "{\"title\":\"\(title)\",\"pageCount\":100}"))
        }
        for reader in 0..<Self.readers {
            // Everybody reads both books, and some of them read one twice.
            for book in reader % 2 == 0 ? [0, 1, 0] : [0, 1] {
                let id = try service.make(
                    "/v1/readings", "{\"book\":\"\(books[book])\",\"isReread\":true}", token: tokens[reader])
                readings.append(Reading(id: id, reader: reader, book: book))
            }
        }
        for club in 0..<2 {
            clubs.append(try service.make("/v1/clubs", "{\"name\":\"Club \(club)\"}", token: tokens[club]))
            members[club][club] = "owner"
            shares[club][club] = "milestones"
            let put = try service.send(
                "POST", "/v1/clubs/\(clubs[club])/runs", "{\"book\":\"\(books[club])\",\"state\":\"current\"}",
                token: tokens[club])
            #expect(put.status == 201)
            try load(club, club)
            let invitation = try service.send(
                "POST", "/v1/clubs/\(clubs[club])/invitations", "{\"usesMax\":1000}", token: tokens[club])
            codes.append(invitation["code"]?.string ?? "")
        }
    }

    // MARK: The rules

    /// Returns whether a reader has left the club of their own note.
    func isFormer(_ reader: Int, _ note: Note) -> Bool {
        note.author == reader && members[note.club][reader] == nil
    }

    func isAllowed(_ reader: Int, _ id: String, _ note: Note) -> Bool {
        guard let role = members[note.club][reader] else { return false }
        if note.author == reader || seesAhead[note.club] && role != "member" { return true }
        let own = readings.filter { $0.reader == reader && $0.book == note.book }
        if own.map(\.furthest).max() ?? 0 >= note.share { return true }
        return note.at.map { own.map(\.furthestProgress).max() ?? 0 >= $0 } ?? false
    }

    /// Returns the threshold of a note at a progress.
    static func threshold(_ millionths: Int) -> (at: Int?, share: Int) {
        millionths == 0 ? (nil, 0) : (millionths, min(millionths + 50_000, 1_000_000))
    }

    // MARK: Steps

    mutating func step() throws {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<30: try read()
        case ..<38: try undo()
        case ..<42: try toggleFinished()
        case ..<56: try write()
        case ..<60: try reply()
        case ..<62: try edit()
        case ..<64: try raise()
        case ..<68: try deleteNote()
        case ..<72: try react()
        case ..<78: try join()
        case ..<82: try leave()
        case ..<85: try changeRole()
        case ..<87: try toggleSight()
        case ..<91: try createStanding()
        case ..<95: try share()
        case ..<98: try createMilestone()
        default: try deleteMilestone()
        }
    }

    private mutating func read() throws {
        let place = readings.indices.randomElement(using: &random)!
        let tenths = Int.random(in: 0...100, using: &random)
        // Readings of this book began when it had a hundred pages, and keep that page count.
        let isPage = Bool.random(using: &random)
        let reading = readings[place]
        let answer = try service.send(
            "POST", "/v1/readings/\(reading.id)/entries",
            isPage ? "{\"page\":\(tenths)}" : "{\"progress\":\(Double(tenths) / 100)}", token: tokens[reading.reader])
        #expect(answer.status == (reading.isFinished ? 409 : 201))
        if let id = answer["id"]?.string { readings[place].entries.append((id, tenths * 10_000, isPage)) }
    }

    private mutating func undo() throws {
        let place = readings.indices.randomElement(using: &random)!
        guard let entry = readings[place].entries.indices.randomElement(using: &random) else { return }
        let reading = readings[place]
        let answer = try service.send(
            "DELETE", "/v1/readings/\(reading.id)/entries/\(reading.entries[entry].id)", token: tokens[reading.reader])
        #expect(answer.status == 204)
        readings[place].entries.remove(at: entry)
    }

    private mutating func toggleFinished() throws {
        let place = readings.indices.randomElement(using: &random)!
        let reading = readings[place]
        let answer = try service.send(
            "PATCH", "/v1/readings/\(reading.id)", "{\"isFinished\":\(!reading.isFinished)}",
            token: tokens[reading.reader])
        let all = readings.indices.filter { readings[$0].reader == reading.reader && readings[$0].book == reading.book }
        let isRefused = reading.isFinished && place == all[0] && all.contains { !readings[$0].isFinished }
        #expect(answer.status == (isRefused ? 409 : 200))
        if !isRefused { readings[place].isFinished.toggle() }
    }

    private mutating func write() throws {
        let club = Int.random(in: 0..<2, using: &random)
        guard let author = members[club].keys.sorted().randomElement(using: &random) else { return }
        let book = Int.random(in: 0..<2, using: &random)
        let hundredths = Int.random(in: 0...100, using: &random)
        let id = try service.make(
            "/v1/notes",
            "{\"book\":\"\(books[book])\",\"club\":\"\(clubs[club])\",\"position\":{\"progress\":\(Double(hundredths) / 100)},\"body\":\"b\"}",
            token: tokens[author])
        let (at, share) = Self.threshold(hundredths * 10_000)
        add(id, Note(club: club, book: book, author: author, at: at, share: share))
    }

    private mutating func add(_ id: String, _ note: Note) {
        notes[id] = note
        let received = Set((0..<Self.readers).filter { isAllowed($0, id, note) })
        notes[id]?.receivedAtOnce = received
    }

    /// Returns a random note and reader. The response must be right whether or not the reader may see the note.
    private mutating func pick() -> (reader: Int, id: String, note: Note)? {
        guard let id = notes.keys.sorted().randomElement(using: &random), let note = notes[id] else { return nil }
        return (Int.random(in: 0..<Self.readers, using: &random), id, note)
    }

    private mutating func reply() throws {
        guard let (reader, root, note) = pick() else { return }
        let answer = try service.send(
            "POST", "/v1/notes", "{\"replyTo\":\"\(root)\",\"body\":\"r\"}", token: tokens[reader])
        #expect(answer.status == (isFormer(reader, note) ? 403 : isAllowed(reader, root, note) ? 201 : 404))
        guard let id = answer["id"]?.string else { return }
        answered[id] = root
        add(
            id,
            Note(club: note.club, book: note.book, author: reader, at: note.at, share: note.share))
    }

    private mutating func edit() throws {
        guard let (reader, id, note) = pick() else { return }
        let body = "{\"body\":\"e\(Int.random(in: 0..<1000, using: &random))\"}"
        let answer = try service.send("PATCH", "/v1/notes/\(id)", body, token: tokens[reader])
        let expected =
            isFormer(reader, note) ? 403 : !isAllowed(reader, id, note) ? 404 : note.author == reader ? 200 : 403
        #expect(answer.status == expected)
    }

    private mutating func raise() throws {
        guard let (reader, id, note) = pick() else { return }
        let hundredths = Int.random(in: 0...100, using: &random)
        let answer = try service.send(
            "PATCH", "/v1/notes/\(id)", "{\"opensAt\":{\"progress\":\(Double(hundredths) / 100)}}",
            token: tokens[reader])
        let threshold = Self.threshold(hundredths * 10_000)
        let mayRaise = note.author == reader || (members[note.club][reader] ?? "member") != "member"
        let isHeld = !isFormer(reader, note) && isAllowed(reader, id, note)
        #expect(
            answer.status
                == (isFormer(reader, note)
                    ? 403 : !isHeld ? 404 : !mayRaise ? 403 : !note.isNoLater(than: threshold) ? 422 : 200),
            "\(answer.text)")
        guard answer.status == 200, threshold.share > 0 else { return }
        var raised: Set = [id]
        while let more = answered.first(where: { !raised.contains($0.key) && raised.contains($0.value) }) {
            raised.insert(more.key)
        }
        for id in raised {
            guard var note = notes[id] else { continue }
            (note.at, note.share) = (max(note.at ?? 0, threshold.at ?? 0), max(note.share, threshold.share))
            notes[id] = note
        }
    }

    private mutating func deleteNote() throws {
        guard let (reader, id, note) = pick() else { return }
        let answer = try service.send("DELETE", "/v1/notes/\(id)", token: tokens[reader])
        let mayDelete = note.author == reader || (members[note.club][reader] ?? "member") != "member"
        let sees = isFormer(reader, note) || isAllowed(reader, id, note)
        #expect(answer.status == (!sees ? 404 : mayDelete ? 204 : 403))
        if answer.status == 204 { notes[id] = nil }
    }

    private mutating func join() throws {
        let club = Int.random(in: 0..<2, using: &random)
        let reader = Int.random(in: 0..<Self.readers, using: &random)
        let isNew = members[club][reader] == nil
        let answer = try service.send(
            "POST", "/v1/memberships", "{\"invitation\":\"\(codes[club])\"}", token: tokens[reader])
        guard !removed[club].contains(reader) else {
            #expect(answer.status == 403)
            return try lift(reader, club)
        }
        #expect(answer.status == (isNew ? 201 : 200))
        guard isNew else { return }
        members[club][reader] = "member"
        shares[club][reader] = "milestones"
        try load(reader, club)
    }

    private mutating func lift(_ reader: Int, _ club: Int) throws {
        let path = "/v1/clubs/\(clubs[club])/removals"
        let all = try service.send("GET", path, token: tokens[club])["items"]?.elements.map { $0 } ?? []
        #expect(Set(all.compactMap { $0["reader"]?.string }) == Set(removed[club].map { readerIDs[$0] }))
        let id = all.first { $0["reader"]?.string == readerIDs[reader] }?["id"]?.string ?? ""
        #expect(try service.send("DELETE", "\(path)/\(id)", token: tokens[club]).status == 204)
        removed[club].remove(reader)
    }

    private mutating func leave() throws {
        let club = Int.random(in: 0..<2, using: &random)
        guard let reader = members[club].keys.filter({ $0 != club }).sorted().randomElement(using: &random) else {
            return
        }
        // The members leave, or the owner removes them.
        let isOwn = Bool.random(using: &random)
        let token = isOwn ? tokens[reader] : tokens[club]
        let answer = try service.send("DELETE", "/v1/clubs/\(clubs[club])/members/\(readerIDs[reader])", token: token)
        #expect(answer.status == 204)
        members[club][reader] = nil
        if !isOwn { removed[club].insert(reader) }
        shares[club][reader] = nil
        along[club][reader] = nil
    }

    private mutating func changeRole() throws {
        let club = Int.random(in: 0..<2, using: &random)
        guard let reader = members[club].keys.filter({ $0 != club }).sorted().randomElement(using: &random) else {
            return
        }
        let role = ["member", "moderator", "owner"].randomElement(using: &random)!
        let answer = try service.send(
            "PATCH", "/v1/clubs/\(clubs[club])/members/\(readerIDs[reader])", "{\"role\":\"\(role)\"}",
            token: tokens[club])
        #expect(answer.status == 200)
        members[club][reader] = role
    }

    private mutating func toggleSight() throws {
        let club = Int.random(in: 0..<2, using: &random)
        seesAhead[club].toggle()
        let answer = try service.send(
            "PATCH", "/v1/clubs/\(clubs[club])", "{\"moderatorsSeeAhead\":\(seesAhead[club])}", token: tokens[club])
        #expect(answer.status == 200)
    }

    private mutating func react() throws {
        guard let (reader, id, note) = pick() else { return }
        let method = Bool.random(using: &random) ? "PUT" : "DELETE"
        let answer = try service.send(method, "/v1/notes/\(id)/reactions/love", token: tokens[reader])
        #expect(answer.status == (isFormer(reader, note) ? 403 : isAllowed(reader, id, note) ? 200 : 404))
    }

    private mutating func createStanding() throws {
        let club = Int.random(in: 0..<2, using: &random)
        guard let reader = members[club].keys.sorted().randomElement(using: &random),
            let reading = readings.indices.filter({ readings[$0].reader == reader && readings[$0].book == club })
                .randomElement(using: &random)
        else { return }
        let answer = try service.send(
            "POST", "/v1/clubs/\(clubs[club])/standings", "{\"reading\":\"\(readings[reading].id)\"}",
            token: tokens[reader])
        #expect(answer.status == (along[club][reader] == reading ? 200 : 201), "\(answer.text)")
        along[club][reader] = reading
    }

    private mutating func share() throws {
        let club = Int.random(in: 0..<2, using: &random)
        guard let reader = members[club].keys.sorted().randomElement(using: &random) else { return }
        let level = ["exact", "milestones", "finished", "nothing"].randomElement(using: &random)!
        let answer = try service.send(
            "PATCH", "/v1/clubs/\(clubs[club])/members/\(readerIDs[reader])", "{\"shares\":\"\(level)\"}",
            token: tokens[reader])
        #expect(answer.status == 200)
        shares[club][reader] = level
    }

    private mutating func createMilestone() throws {
        let club = Int.random(in: 0..<2, using: &random)
        guard milestones[club].count < 8 else { return }
        let hundredths = Int.random(in: 0...100, using: &random)
        let isDue = Bool.random(using: &random)
        let id = try service.make(
            "/v1/clubs/\(clubs[club])/milestones",
            "{\"position\":{\"progress\":\(Double(hundredths) / 100)},\"dueAt\":\"\(isDue ? 2020 : 2090)-01-01T00:00:00Z\"}",
            token: tokens[club])
        milestones[club].append(Milestone(id: id, millionths: hundredths * 10_000, isDue: isDue))
    }

    private mutating func deleteMilestone() throws {
        let club = Int.random(in: 0..<2, using: &random)
        guard let place = milestones[club].indices.randomElement(using: &random) else { return }
        let id = milestones[club].remove(at: place).id
        let answer = try service.send("DELETE", "/v1/clubs/\(clubs[club])/milestones/\(id)", token: tokens[club])
        #expect(answer.status == 204)
    }

    // MARK: Looking

    /// Returns all of a club that a reader can fetch, by "kind id".
    private func all(_ reader: Int, _ club: Int) throws -> [String: String] {
        var found: [String: String] = [:]
        for (kind, list) in [
            ("note", "notes"), ("standing", "standings"), ("milestone", "milestones"), ("member", "members"),
            ("run", "runs"),
        ] {
            var cursor = ""
            repeat {
                let page = try service.send(
                    "GET", "/v1/clubs/\(clubs[club])/\(list)?limit=100&cursor=\(cursor)", token: tokens[reader])
                for item in page["items"]?.elements.map({ $0 }) ?? [] {
                    found["\(kind) \(item["id"]?.string ?? "")"] = String(decoding: item.encoded, as: UTF8.self)
                }
                cursor = page["next"]?.string ?? ""
            } while !cursor.isEmpty
        }
        return found
    }

    /// Returns the ids of all notes that a reader wrote.
    private func ownNotes(_ reader: Int) throws -> Set<String> {
        var ids: Set<String> = []
        var cursor = ""
        repeat {
            let page = try service.send("GET", "/v1/notes?limit=100&cursor=\(cursor)", token: tokens[reader])
            ids.formUnion(page["items"]?.elements.compactMap { $0["id"]?.string } ?? [])
            cursor = page["next"]?.string ?? ""
        } while !cursor.isEmpty
        return ids
    }

    /// Returns the shared part of a member's progress, in millionths, and the state.
    private func shown(_ club: Int, _ reader: Int, _ reading: Reading) -> (millionths: Int?, state: String?) {
        let current = reading.isFinished ? 1_000_000 : reading.entries.last?.millionths ?? 0
        let progress: Int? =
            switch shares[club][reader] {
            case "exact": current
            case "milestones": milestones[club].map(\.millionths).filter { $0 <= current }.max()
            case "finished": reading.isFinished ? 1_000_000 : nil
            default: nil
            }
        guard !milestones[club].isEmpty, let place = progress ?? (shares[club][reader] == "milestones" ? 0 : nil) else {
            return (progress, nil)
        }
        if milestones[club].contains(where: { $0.isDue && $0.millionths > place }) { return (progress, "behind") }
        let isAhead = milestones[club].contains { !$0.isDue && $0.millionths <= place }
        return (progress, isAhead ? "ahead" : "onTrack")
    }

    private func checkStandings(_ found: [String: String], _ club: Int) throws {
        let standings = try found.filter { $0.key.hasPrefix("standing ") }.map {
            try JSONDocument(Array($0.value.utf8)).root
        }
        #expect(standings.count == along[club].count)
        for standing in standings {
            let reader = readerIDs.firstIndex(of: standing["reader"]?.string ?? "") ?? -1
            guard let reading = along[club][reader] else {
                Issue.record("a standing of who does not read along")
                continue
            }
            let expected = shown(club, reader, readings[reading])
            #expect(standing["progress"]?.double.map { Int(($0 * 1_000_000).rounded()) } == expected.millionths)
            #expect(standing["state"]?.string == expected.state)
        }
    }

    /// Fetches the state for a reader who joins a club; later changes come from events only.
    private mutating func load(_ reader: Int, _ club: Int) throws {
        mirrors[reader].loads[clubs[club], default: []].append(try all(reader, club))
    }

    mutating func check() throws {
        try checkPages()
        marks += 1
        let mark = "mark \(marks)"
        for (book, title) in zip(books.reversed(), ["Two", mark]) {
            let pages = Int.random(in: 1...1000, using: &random)
            _ = try service.send("PATCH", "/v1/books/\(book)", "{\"title\":\"\(title)\",\"pageCount\":\(pages)}")
        }
        for reader in 0..<Self.readers {
            #expect(feeds[reader].wait { $0.events.last?.data.contains(mark) ?? false })
            try receive(reader)
            let own = try ownNotes(reader)
            #expect(own == Set(notes.filter { $0.value.author == reader }.keys), "reader \(reader) lacks own notes")
            for club in clubs.indices {
                let received = mirrors[reader].clubs[clubs[club]]
                guard members[club][reader] != nil else {
                    #expect(received == nil)
                    continue
                }
                let found = try all(reader, club)
                #expect(received == found, "reader \(reader) heard something else than there is")
                let allowed = notes.filter { $0.value.club == club && isAllowed(reader, $0.key, $0.value) }
                #expect(
                    Set(found.keys.filter { $0.hasPrefix("note ") }) == Set(allowed.keys.map { "note \($0)" }),
                    "reader \(reader) gets something else than allowed")
                try checkStandings(found, club)
            }
        }
    }

    /// Checks that a part of the log equals the same part read row by row, from any start.
    private func checkPages() throws {
        let reads = try ReadConnection(path: service.directory + "/lectern.sqlite")
        let head = try reads.head()
        var found = 0
        for reader in try reads.readers(after: nil, limit: 100).items {
            for cursor in stride(from: max(0, head - 600), to: head, by: 97) {
                func rows(after start: Int64, limit: Int) throws -> [Int64] {
                    try reads.visibleRows(after: start, through: head - 3, seenBy: reader.key, limit: limit).map(\.seq)
                }
                let page = try rows(after: cursor, limit: 250)
                var single: [Int64] = []
                while single.count < 250, let next = try rows(after: single.last ?? cursor, limit: 1).first {
                    single.append(next)
                }
                #expect(page == single)
                found += page.count
            }
        }
        #expect(found > 0)
    }

    /// Applies the events since the last call.
    private mutating func receive(_ reader: Int) throws {
        let events = feeds[reader].events
        for event in events[mirrors[reader].received...] {
            guard let change = try? JSONDocument(Array(event.data.utf8)).root, let id = change["id"]?.string else {
                continue
            }
            let kind = change["resource"]?.string ?? ""
            switch kind {
            case "membership":
                let isComing = event.name == "created"
                mirrors[reader].clubs[id] = isComing ? mirrors[reader].loads[id]?.removeFirst() : nil
            case "note": take(change, id, event.name, reader)
            case "standing", "milestone", "member", "run":
                let value = change["value"]
                for club in clubs where value == nil || value?["club"]?.string == club {
                    mirrors[reader].clubs[club]?["\(kind) \(id)"] = value.map {
                        String(decoding: $0.encoded, as: UTF8.self)
                    }
                }
            default: break
            }
        }
        mirrors[reader].received = events.count
    }

    private mutating func take(_ change: JSONValue, _ id: String, _ name: String, _ reader: Int) {
        guard let value = change["value"], let club = value["club"]?.string else {
            for club in clubs { mirrors[reader].clubs[club]?["note \(id)"] = nil }
            return
        }
        let isKnown = mirrors[reader].clubs[club]?["note \(id)"] != nil
        switch name {
        // Deleted notes are no longer available for comparison.
        case "created": #expect(notes[id]?.receivedAtOnce.contains(reader) ?? true, "told of a note too early")
        case "updated": #expect(isKnown, "told of a change of a note that was not to be seen")
        default: #expect(name == "unlocked" && !isKnown)
        }
        mirrors[reader].clubs[club]?["note \(id)"] = String(decoding: value.encoded, as: UTF8.self)
    }
}
