import JSON

// What readers write, and what becomes of it.
extension HouseHistory {
    /// A note that is yet to be made, and what is said of it.
    struct Draft {
        let json: String
        var note: HouseNote
    }

    /// A note's words, for whom it is, and where it opens that is at a place, or nowhere.
    func words(_ reader: Int, _ book: Int, demands: [HouseNote.Demand], isPlaced: Bool = true) -> Draft? {
        let club = pick(0..<5) == 0 ? nil : pick(clubs(of: reader))
        let audience: HouseNote.Audience = club == nil ? .me : pick(0..<6) == 0 ? .moderators : .club
        let body = "\(["rope", "chair", "storm"][pick(0..<3)]) \(step)"
        var json = "\"body\":\"\(body)\""
        if let club { json += ",\"club\":\"\(clubIDs[club])\",\"audience\":\"\(audience.rawValue)\"" }
        if pick(0..<5) == 0 { json += ",\"kind\":\"question\"" }
        let opening = opening(demands, isPlaced: isPlaced)
        var note = HouseNote(
            id: "", author: reader, book: book, club: club, audience: audience, made: step, demands: opening.demands,
            body: body)
        if let club { holdBack(&note, in: club) }
        return Draft(json: json + opening.json, note: note)
    }

    /// Where it opens that is at a place.
    private func opening(
        _ demands: [HouseNote.Demand], isPlaced: Bool
    ) -> (json: String, demands: [HouseNote.Demand]) {
        switch pick(0..<10) {
        case 0: return (",\"opens\":\"everyone\"", [])
        case 1: return (",\"opens\":\"finished\"", [.finished])
        default: return ("", isPlaced ? demands.filter { !$0.isAtStart } : [.finished])
        }
    }

    /// What its author knows beforehand holds a note back, where the club wants that.
    private func holdBack(_ note: inout HouseNote, in club: Int) {
        guard rules.clubs[club].isHindsightKnown else { return }
        let known = rules.claims[note.author].filter { claim in
            guard claim.until == .max, claim.book == note.book else { return false }
            return claim.source.hasPrefix("knows") || readings.contains { $0.id == claim.source }
        }
        guard !known.isEmpty else { return }
        note.isHeldBack = true
        for claim in known {
            if case .place(let place) = claim.kind, !place.isEnd {
                // What is no further than the note itself does not hold it.
                let own = note.demands.map { $0.most }.max() ?? 0
                if place.least > own + HousePlace.grain { note.demands.append(.place(place)) }
            } else {
                note.demands.append(.finished)
            }
        }
    }

    func add(_ note: HouseNote, as id: String) -> Int {
        let made = HouseNote(
            id: id, author: note.author, book: note.book, club: note.club, audience: note.audience, made: step,
            demands: note.demands, isHeldBack: note.isHeldBack, answers: note.answers, root: note.root, body: note.body,
            entry: note.entry)
        let number = rules.add(made)
        log.call(id, "N\(number)")
        log.note(
            .init(
                step: step, reader: note.author, note: number, book: note.book,
                text: "  N\(number) is made, in \(note.club.map { "C\($0)" } ?? "no club"), with \(note.demands)"))
        return number
    }

    func gone(_ number: Int) {
        rules.change(number) { $0.isGone = true }
        for reader in shown.indices { shown[reader].remove(number) }
    }

    func write(_ reader: Int) throws {
        let book = pickBook()
        let own = readings.filter { $0.reader == reader && $0.book == book }
        // By which edition a plain share is meant is plain only where they read none.
        let edition = own.isEmpty ? nil : own.lazy.compactMap(\.edition).first ?? pick(0..<books[book].editions.count)
        let said = pick(0..<5) > 0 ? say(book, in: edition) : nil
        guard let draft = words(reader, book, demands: said.map { [.place($0.place)] } ?? [], isPlaced: said != nil)
        else { return }
        var run = ""
        if let club = draft.note.club, pick(0..<3) == 0,
            let one = pick(runs.filter { $0.club == club && $0.book == book })
        {
            run = ",\"run\":\"\(one.id)\""
        }
        let body = "{\"book\":\"\(books[book].id)\",\(draft.json)\(said.map { ",\($0.json)" } ?? "")\(run)}"
        let answer = try send("POST", "/v1/notes", body, by: reader, book: book)
        guard answer.status == 201, let id = answer["id"]?.string else {
            throw finding("a note is refused: \(answer.text)", reader)
        }
        _ = add(draft.note, as: id)
    }

    /// Any note, by any reader: whether they find it must be as the rules say.
    private func pickNote(_ reader: Int) -> Int? {
        let own = rules.living.filter { number in
            rules.notes[number].club.map { clubs(of: reader).contains($0) } ?? false
        }
        return pick(own)
    }

    /// Whether an answer may say that there is such a note, and that there is none.
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
        let said = pick(0..<3) == 0 ? say(answered.book, in: pick(0..<books[answered.book].editions.count)) : nil
        let own = opening(said.map { [.place($0.place)] } ?? [], isPlaced: true)
        let body = "{\"body\":\"rope \(step)\"\(said.map { ",\($0.json)" } ?? "")\(own.json)}"
        let answer = try send(
            "POST", "/v1/notes/\(answered.id)/replies", body, by: reader, note: number, book: answered.book)
        try demand(answer.status == 201, reader, number, "reply")
        guard answer.status == 201, let id = answer["id"]?.string, let club = answered.club else { return }
        var note = HouseNote(
            id: "", author: reader, book: answered.book, club: club, audience: answered.audience, made: step,
            demands: own.demands + answered.demands, isHeldBack: answered.isHeldBack, answers: number,
            root: answered.root ?? number, body: "rope \(step)")
        holdBack(&note, in: club)
        _ = add(note, as: id)
    }

    func raise(_ reader: Int) throws {
        guard let number = pickNote(reader) else { return }
        let note = rules.notes[number]
        let share = Double(pick(1..<101)) * 10_000
        let isLast = pick(0..<6) == 0
        let body = isLast ? "{\"opens\":\"finished\"}" : "{\"opensAt\":\(share / 1_000_000)}"
        let answer = try send("PATCH", "/v1/notes/\(note.id)", body, by: reader, note: number)
        try demand(answer.status != 404, reader, number, "raise")
        guard answer.status == 200 else { return }
        // A note of which it is not told where it opens tells no more of whether it opens later now.
        let isUntold = answer.fields["lectern-unchanged"] == "true"
        for other in rules.thread(below: number) {
            rules.change(other) { note in
                if isUntold { note.isHeldBack = true } else { note.demands.append(isLast ? .finished : .share(share)) }
            }
            for reader in shown.indices where !rules.isOwed(reader, other) { shown[reader].remove(other) }
        }
    }

    func edit(_ reader: Int) throws {
        guard let number = pick(rules.living.filter { rules.notes[$0].author == reader }) else { return }
        let words = "\(["rope", "chair", "storm"][pick(0..<3)]) \(step)"
        let answer = try send(
            "PATCH", "/v1/notes/\(rules.notes[number].id)", "{\"body\":\"\(words)\"}", by: reader, note: number)
        if answer.status == 200 { rules.change(number) { $0.body = words } }
    }

    /// For more readers than it was.
    func widen(_ reader: Int) throws {
        let own = rules.living.filter { rules.notes[$0].author == reader && rules.notes[$0].audience != .club }
        guard let number = pick(own), let club = rules.notes[number].club ?? pick(clubs(of: reader)) else { return }
        let audience: HouseNote.Audience = pick(0..<2) == 0 ? .club : .moderators
        let isNew = rules.notes[number].audience == .me
        let body = "{\(isNew ? "\"club\":\"\(clubIDs[club])\"," : "")\"audience\":\"\(audience.rawValue)\"}"
        let answer = try send("PATCH", "/v1/notes/\(rules.notes[number].id)", body, by: reader, note: number)
        guard answer.status == 200 else { return }
        var note = rules.notes[number]
        (note.club, note.audience) = (club, audience)
        if isNew { holdBack(&note, in: club) }
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

extension HouseNote.Demand {
    var isAtStart: Bool { if case .place(let place) = self { place.isStart } else { false } }

    /// The most of the story that may lie before it.
    var most: Double {
        switch self {
        case .place(let place): place.most
        case .share(let share): share
        case .finished: HouseBook.whole
        }
    }
}
