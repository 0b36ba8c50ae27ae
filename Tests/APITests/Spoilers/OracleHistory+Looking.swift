import JSON
import ObservableModels

// Comparisons of the shown data with the rules.
extension OracleHistory {
    private static let nobody = "00000000-0000-0000-0000-000000000000"

    /// Returns all items of a list by id, as they are sent.
    func fetch(_ path: String, _ reader: Int) throws -> [String: String] {
        var found: [String: String] = [:]
        var cursor = ""
        let base = path.replacing("?limit=100", with: "")
        repeat {
            let page = try pipeline.send(
                "GET", "\(base)\(base.contains("?") ? "&" : "?")limit=100&cursor=\(cursor)", as: tokens[reader])
            guard page.status == 200 else { throw finding("a list is not there: \(path): \(page.text)", reader) }
            for item in page["items"]?.elements.map({ $0 }) ?? [] {
                found[item["id"]?.string ?? ""] = String(decoding: item.encoded, as: UTF8.self)
            }
            cursor = page["next"]?.string ?? ""
        } while !cursor.isEmpty
        return found
    }

    /// Checks that a received note is visible to the reader, and contains no hidden name.
    func check(_ frame: [UInt8], received reader: Int, by path: String, isReplayed: Bool) throws {
        guard let data = try? JSONDocument(Array(EventFrame.data(of: frame))).root else { return }
        let items = data["items"]?.elements.map { $0 } ?? [data["value"] ?? data]
        for item in items {
            guard let number = rules.index[item["id"]?.string ?? ""], item["body"]?.string != nil else { continue }
            let text = String(decoding: item.encoded, as: UTF8.self)
            try checkName(of: number, in: text, for: reader, "told by \(log.named(path))")
            let note = rules.notes[number]
            // A replay contains notes that were visible at the time, unless their threshold was raised later.
            let refusal =
                isReplayed
                ? note.author == reader || rules.wasReached(reader, note) ? nil : "they have not come so far"
                : rules.refusal(reader, number)
            if let refusal, isReplayed || !note.isGone {
                throw finding(
                    "told, though \(refusal): \(TestPipeline.name(of: frame)) by \(log.named(path))", reader, number)
            }
        }
    }

    private func checkName(of number: Int, in text: String, for reader: Int, _ what: String) throws {
        let note = rules.notes[number]
        guard note.isNameless, note.author != reader else { return }
        guard !text.contains(ids[note.author]), note.author == Self.readers - 1 || !text.contains(tokens[note.author])
        else {
            throw finding("names the author of a nameless note: \(what)", reader, number)
        }
    }

    /// Compares one reader's notes in one club with the rules.
    func look(at reader: Int, in club: Int) throws {
        guard rules.clubs[club].roles[reader] != nil else { return try lookOutside(reader, club) }
        let path = "/v1/clubs/\(clubIDs[club])/notes"
        let found = try fetch(path, reader)
        for number in rules.living where rules.notes[number].club == club {
            let note = rules.notes[number]
            let isFound = found[note.id] != nil
            if isFound {
                if let refusal = rules.refusal(reader, number) {
                    throw finding("shown, though \(refusal): \(path)", reader, number)
                }
                try checkName(of: number, in: found[note.id] ?? "", for: reader, path)
                shown[reader].insert(number)
            } else {
                if rules.isOwed(reader, number) {
                    throw finding("hidden from who must see it: \(path)", reader, number)
                }
                shown[reader].remove(number)
            }
            if note.author != reader { count(isFound, reader, number) }
        }
        if let id = found.keys.first(where: { rules.index[$0] == nil }) {
            throw finding("a note that nobody wrote: \(id)", reader)
        }
        try lookAtOne(reader, club, found)
        try lookAtParts(reader, club, found)
    }

    private func count(_ isFound: Bool, _ reader: Int, _ number: Int) {
        if isFound { seen += 1 } else { withheld += 1 }
    }

    private func lookOutside(_ reader: Int, _ club: Int) throws {
        let list = try pipeline.send("GET", "/v1/clubs/\(clubIDs[club])/notes", as: tokens[reader])
        guard list.status == 404 else { throw finding("who is in no club finds it: \(list.text)", reader) }
        guard let number = pick(rules.living.filter { rules.notes[$0].club == club }) else { return }
        let note = try pipeline.send("GET", "/v1/notes/\(rules.notes[number].id)", as: tokens[reader])
        guard (note.status == 200) == (rules.notes[number].author == reader) else {
            throw finding("who is not in the club: is answered \(note.text)", reader, number)
        }
    }

    /// Checks that a single note equals its item in the list.
    private func lookAtOne(_ reader: Int, _ club: Int, _ found: [String: String]) throws {
        guard let number = pick(rules.living.filter { rules.notes[$0].club == club }) else { return }
        let answer = try pipeline.send("GET", "/v1/notes/\(rules.notes[number].id)", as: tokens[reader])
        guard found[rules.notes[number].id] == (answer.status == 200 ? answer.text : nil) else {
            throw finding("a note alone: is not as in its list: \(answer.text)", reader, number)
        }
    }

    /// Checks that searches, books, runs and meetings return parts of the list.
    private func lookAtParts(_ reader: Int, _ club: Int, _ found: [String: String]) throws {
        let path = "/v1/clubs/\(clubIDs[club])"
        func expect(_ query: String, _ isIn: (OracleNote) -> Bool) throws {
            let part = try fetch("\(path)/notes?\(query)", reader)
            let expected = found.filter { entry in rules.index[entry.key].map { isIn(rules.notes[$0]) } ?? false }
            guard part == expected else {
                let id = Set(part.keys).symmetricDifference(expected.keys).min() ?? ""
                throw finding("a part of a list: \(query) is not what it has", reader, rules.index[id])
            }
        }
        let word = ["rope", "chair", "storm"][pick(0..<3)]
        try expect("q=\(word)") { $0.body.hasPrefix(word) }
        let book = pickBook()
        try expect("book=\(books[book].id)") { $0.book == book }
        if let run = pick(runs.filter { $0.club == club }) {
            try demandPart(try fetch("\(path)/notes?run=\(run.id)", reader), of: found, reader, "a run")
        }
        if let meeting = pick(meetings.filter { $0.club == club }) {
            try lookAtMeeting(
                try pipeline.send("GET", "\(path)/meetings/\(meeting.id)/notes", as: tokens[reader]), reader, found)
        }
    }

    /// Checks that a meeting's notes are in the list, too, and contain no hidden name.
    private func lookAtMeeting(_ answer: Answer, _ reader: Int, _ found: [String: String]) throws {
        guard answer.status == 200 else { throw finding("a meeting: is answered \(answer.text)", reader) }
        for thread in answer["threads"]?.elements.map({ $0 }) ?? [] {
            for note in thread["notes"]?.elements.map({ $0 }) ?? [] {
                guard let id = note["id"]?.string, let number = rules.index[id] else { continue }
                guard found[id] != nil else { throw finding("a meeting: has what the list has not", reader, number) }
                try checkName(of: number, in: String(decoding: note.encoded, as: UTF8.self), for: reader, "a meeting")
            }
        }
    }

    private func demandPart(_ part: [String: String], of found: [String: String], _ reader: Int, _ what: String) throws
    {
        for (id, text) in part where found[id] != text {
            throw finding("the notes of \(what): have what the club's list has not: \(text)", reader, rules.index[id])
        }
    }

    /// Compares everything that a few readers have from streams, single notes and their own list.
    func lookFurther() throws {
        for reader in Set((0..<4).map { _ in pick(0..<Self.readers) }).sorted() {
            try streams.compare(reader, holding: self)
            for club in rules.clubs.indices { try look(at: reader, in: club) }
            let own = Set(try fetch("/v1/notes", reader).keys)
            let expected = Set(rules.living.filter { rules.notes[$0].author == reader }.map { rules.notes[$0].id })
            guard own == expected else {
                throw finding(
                    "own notes: are not all that they wrote", reader,
                    own.symmetricDifference(expected).first.flatMap { rules.index[$0] })
            }
        }
    }
}
