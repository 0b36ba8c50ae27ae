import JSON

// Actions on notes.
extension OracleHistory {
    /// A note that is not created yet, and its JSON.
    struct Draft {
        let json: String
        var note: OracleNote
    }

    /// Returns a note's text, audience, and threshold at a position, or without one.
    func words(_ reader: Int, _ book: Int, at place: OraclePosition?) -> Draft? {
        let club = pick(0..<5) == 0 ? nil : pick(clubs(of: reader))
        let audience: OracleNote.Audience = club == nil ? .me : pick(0..<6) == 0 ? .moderators : .club
        let body = "\(["rope", "chair", "storm"][pick(0..<3)]) \(step)"
        var json = "\"body\":\"\(body)\""
        if let club { json += ",\"club\":\"\(clubIDs[club])\",\"audience\":\"\(audience.rawValue)\"" }
        if pick(0..<5) == 0 { json += ",\"kind\":\"question\"" }
        let word = word(place, slack: club.map { rules.clubs[$0].slack } ?? 0)
        let note = OracleNote(
            id: "", author: reader, book: book, club: club, audience: audience,
            threshold: word.threshold ?? place?.threshold(slack: club.map { rules.clubs[$0].slack } ?? 0) ?? .finished,
            body: body)
        return Draft(json: json + word.json, note: note)
    }

    /// Returns a random threshold in words; most have none.
    private func word(_ place: OraclePosition?, slack: Int) -> (json: String, threshold: OracleThreshold?) {
        switch pick(0..<10) {
        case 0: (",\"threshold\":\"everyone\"", .everyone)
        case 1: (",\"threshold\":\"finished\"", .finished)
        case 2 where place != nil: (",\"threshold\":\"position\"", place?.threshold(slack: slack))
        default: ("", nil)
        }
    }

    func add(_ note: OracleNote, as id: String) -> Int {
        let made = OracleNote(
            id: id, author: note.author, book: note.book, club: note.club, audience: note.audience,
            threshold: note.threshold, answers: note.answers, root: note.root, body: note.body, entry: note.entry)
        let number = rules.add(made)
        log.call(id, "N\(number)")
        log.note(
            .init(
                step: step, reader: note.author, note: number, book: note.book,
                text: "  N\(number) is made, in \(note.club.map { "C\($0)" } ?? "no club"), with \(note.threshold)"))
        return number
    }

    func gone(_ number: Int) {
        rules.change(number) { $0.isGone = true }
        for reader in shown.indices { shown[reader].remove(number) }
    }

    func write(_ reader: Int) throws {
        let book = pickBook()
        let own = readings.filter { $0.reader == reader && $0.book == book }
        // A plain share has a definite edition only for readers without an edition of their own.
        let edition = own.isEmpty ? nil : own.lazy.compactMap(\.edition).first ?? pick(0..<books[book].editions.count)
        let given = pick(0..<5) > 0 ? say(book, in: edition) : nil
        guard let draft = words(reader, book, at: given?.place) else { return }
        var run = ""
        if let club = draft.note.club, pick(0..<3) == 0 || needsRun(club, on: book),
            let one = pick(runs.filter { $0.club == club && $0.book == book })
        {
            run = ",\"run\":\"\(one.id)\""
        }
        let body = "{\"book\":\"\(books[book].id)\",\(draft.json)\(given.map { ",\($0.json)" } ?? "")\(run)}"
        let answer = try send("POST", "/v1/notes", body, by: reader, book: book)
        guard answer.status == 201, let id = answer["id"]?.string else {
            throw finding("a note is refused: \(answer.text)", reader)
        }
        _ = add(draft.note, as: id)
    }

    /// Returns a random note. The rules must predict whether the reader finds it.
    private func pickNote(_ reader: Int) -> Int? {
        let own = rules.living.filter { number in
            rules.notes[number].club.map { clubs(of: reader).contains($0) } ?? false
        }
        return pick(own)
    }

    /// Checks that a response may reveal, or deny, the existence of a note.
    private func demand(_ found: Bool, _ reader: Int, _ number: Int, _ what: String) throws {
        if found, let refusal = rules.refusal(reader, number) {
            throw finding("found, though \(refusal): \(what)", reader, number)
        }
        if !found, rules.isOwed(reader, number) {
            throw finding("not found by who must see it: \(what)", reader, number)
        }
    }

    func reply(_ reader: Int) throws {
        guard let number = pickNote(reader) else { return }
        let answered = rules.notes[number]
        let given = pick(0..<3) == 0 ? say(answered.book, in: pick(0..<books[answered.book].editions.count)) : nil
        guard let club = answered.club else { return }
        let word = word(given?.place, slack: rules.clubs[club].slack)
        let members = "\"replyTo\":\"\(answered.id)\",\"body\":\"rope \(step)\"\(given.map { ",\($0.json)" } ?? "")"
        let answer = try send(
            "POST", "/v1/notes", "{\(members)\(word.json)}", by: reader, note: number, book: answered.book)
        try demand(answer.status == 201, reader, number, "reply")
        guard answer.status == 201, let id = answer["id"]?.string else { return }
        // For a reply without a position, only "finished" sets a threshold.
        let own =
            given.map { word.threshold ?? $0.place.threshold(slack: rules.clubs[club].slack) }
            ?? (word.json.contains("finished") ? .finished : answered.threshold)
        let note = OracleNote(
            id: "", author: reader, book: answered.book, club: club, audience: answered.audience,
            threshold: own.raised(to: answered.threshold), answers: number, root: answered.root ?? number,
            body: "rope \(step)")
        _ = add(note, as: id)
    }

    func raise(_ reader: Int) throws {
        guard let number = pickNote(reader) else { return }
        let note = rules.notes[number]
        guard let club = note.club else { return }
        let given = say(note.book, in: pick(0..<books[note.book].editions.count))
        let isLast = pick(0..<6) == 0
        let threshold = isLast ? .finished : given.place.threshold(slack: rules.clubs[club].slack)
        let body =
            isLast ? "{\"threshold\":\"finished\"}" : "{\(given.json.replacing("\"position\":", with: "\"opensAt\":"))}"
        let answer = try send("PATCH", "/v1/notes/\(note.id)", body, by: reader, note: number)
        try demand(answer.status != 404, reader, number, "raise")
        let mayRaise = note.author == reader || rules.clubs[club].moderates(reader)
        if rules.isOwed(reader, number), mayRaise {
            guard answer.status == (threshold.isEarlier(than: note.threshold) ? 422 : 200) else {
                throw finding("a raise: is answered \(answer.text)", reader, number)
            }
        }
        guard answer.status == 200 else { return }
        // The tombstone of a deleted reply keeps its threshold.
        for other in rules.thread(below: number) where !rules.notes[other].isGone {
            rules.change(other) { $0.threshold = $0.threshold.raised(to: threshold) }
        }
    }

    func edit(_ reader: Int) throws {
        guard let number = pick(rules.living.filter { rules.notes[$0].author == reader }) else { return }
        let words = "\(["rope", "chair", "storm"][pick(0..<3)]) \(step)"
        let answer = try send(
            "PATCH", "/v1/notes/\(rules.notes[number].id)", "{\"body\":\"\(words)\"}", by: reader, note: number)
        if answer.status == 200 { rules.change(number) { $0.body = words } }
    }

    /// Widens the audience of a note.
    func widen(_ reader: Int) throws {
        let own = rules.living.filter { rules.notes[$0].author == reader && rules.notes[$0].audience != .club }
        guard let number = pick(own), let club = rules.notes[number].club ?? pick(clubs(of: reader)) else { return }
        let audience: OracleNote.Audience = pick(0..<2) == 0 ? .club : .moderators
        let isNew = rules.notes[number].audience == .me
        let body = "{\(isNew ? "\"club\":\"\(clubIDs[club])\"," : "")\"audience\":\"\(audience.rawValue)\"}"
        let answer = try send("PATCH", "/v1/notes/\(rules.notes[number].id)", body, by: reader, note: number)
        guard answer.status == 200 else { return }
        var note = rules.notes[number]
        (note.club, note.audience) = (club, audience)
        if isNew { note.threshold = note.threshold.adding(rules.clubs[club].slack) }
        rules.change(number) { $0 = note }
    }

    func deleteNote(_ number: Int) throws {
        let note = rules.notes[number]
        let answer = try send("DELETE", "/v1/notes/\(note.id)", by: note.author, note: number)
        guard answer.status == 204 else { throw finding("a note stays: \(answer.text)", note.author, number) }
        gone(number)
        for index in readings.indices {
            readings[index].entries = readings[index].entries.map { ($0.id, $0.note == number ? nil : $0.note) }
        }
    }

    func deleteSome(_ reader: Int) throws {
        if let number = pick(rules.living.filter { rules.notes[$0].author == reader }) { try deleteNote(number) }
    }

    func react(_ reader: Int) throws {
        guard let number = pickNote(reader) else { return }
        let answer = try send(
            pick(0..<3) > 0 ? "PUT" : "DELETE", "/v1/notes/\(rules.notes[number].id)/reactions/love", by: reader,
            note: number)
        try demand(answer.status < 300, reader, number, "react")
    }
}
