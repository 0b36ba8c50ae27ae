import JSON

// Actions on memberships, moderators, blocks and catalogue data.
extension OracleHistory {
    func join(_ reader: Int, _ club: Int) throws {
        func ask() throws -> Answer {
            try send("POST", "/v1/memberships", "{\"invitation\":\"\(codes[club])\"}", by: reader)
        }
        var answer = try ask()
        // The inviter has left.
        if answer.status == 422 {
            try invite(to: club)
            answer = try ask()
        }
        guard answer.status == 201 else { throw finding("nobody comes: \(answer.text)", reader) }
        rules.clubs[club].roles[reader] = .member
        try streams.receive(for: self)
        try streams.watch("/v1/clubs/\(clubIDs[club])/notes", by: reader, as: tokens[reader], holding: self)
    }

    func invite(to club: Int) throws {
        guard let owner = owner(of: club) else { return }
        let answer = try send("POST", "/v1/clubs/\(clubIDs[club])/invitations", "{\"usesMax\":1000}", by: owner)
        codes[club] = answer["code"]?.string ?? ""
    }

    private func owner(of club: Int, besides reader: Int? = nil) -> Int? {
        rules.clubs[club].roles.filter { $0.value == .owner && $0.key != reader }.keys.min()
    }

    func comeOrGo(_ reader: Int) throws {
        let club = pick(0..<Self.clubs)
        guard let role = rules.clubs[club].roles[reader] else { return try join(reader, club) }
        if role == .owner, rules.clubs[club].roles.values.filter({ $0 == .owner }).count == 1 { return }
        let noteDisposition = ["", "?notes=keep", "?notes=nameless", "?notes=nameless", "?notes=delete"][
            pick(0..<5)]
        let answer = try send(
            "DELETE", "/v1/clubs/\(clubIDs[club])/members/\(ids[reader])\(noteDisposition)", by: reader)
        guard answer.status == 204 else { throw finding("nobody goes: \(answer.text)", reader) }
        rules.clubs[club].roles[reader] = nil
        rules.lookAhead(club, at: step)
        for number in rules.living where rules.notes[number].club == club {
            shown[reader].remove(number)
            guard rules.notes[number].author == reader else { continue }
            if noteDisposition.hasSuffix("nameless") { rules.change(number) { $0.isNameless = true } }
            if noteDisposition.hasSuffix("delete") { gone(number) }
        }
        try streams.receive(for: self)
        streams.leave(clubIDs[club], by: reader)
        guard noteDisposition.hasSuffix("nameless") else { return }
        for other in 0..<Self.readers where pick(0..<3) == 0 { try streams.resume(by: other, holding: self) }
    }

    func give(_ role: OracleRules.Role, to reader: Int, in club: Int) throws {
        guard let owner = owner(of: club, besides: reader) else {
            return
        }
        let answer = try send(
            "PATCH", "/v1/clubs/\(clubIDs[club])/members/\(ids[reader])", "{\"role\":\"\(role.rawValue)\"}", by: owner)
        guard answer.status == 200 else { throw finding("no role: \(answer.text)", reader) }
        rules.clubs[club].roles[reader] = role
        rules.lookAhead(club, at: step)
    }

    func changeRole(_ reader: Int) throws {
        guard let club = pick(clubs(of: reader)), let role = pick(OracleRules.Role.allCases) else { return }
        try give(role, to: reader, in: club)
    }

    /// Changes whether a club's moderators see ahead.
    func changeClub() throws {
        let club = pick(0..<Self.clubs)
        guard let owner = owner(of: club) else { return }
        rules.clubs[club].seesAhead.toggle()
        try send(
            "PATCH", "/v1/clubs/\(clubIDs[club])", "{\"moderatorsSeeAhead\":\(rules.clubs[club].seesAhead)}", by: owner)
        rules.lookAhead(club, at: step)
    }

    /// Blocks or unblocks a reader. Nameless notes must not show it.
    func block(_ reader: Int) throws {
        let nobodys = rules.living.filter { rules.notes[$0].isNameless }.map { rules.notes[$0].author }
        let other = pick(0..<2) == 0 ? pick(nobodys) ?? pick(0..<Self.readers) : pick(0..<Self.readers)
        guard other != reader else { return }
        let path = "/v1/me/blocks/\(ids[other])"
        let nameless = rules.living.filter { rules.notes[$0].isNameless && rules.notes[$0].author == other }
        func found() throws -> [Int] {
            try nameless.filter {
                try pipeline.send("GET", "/v1/notes/\(rules.notes[$0].id)", as: tokens[reader]).status == 200
            }
        }
        let before = try found()
        if rules.blocks.contains([reader, other]) {
            guard try send("DELETE", path, by: reader).status == 204 else { return }
            rules.blocks.remove([reader, other])
        } else {
            guard try send("PUT", path, by: reader).status < 300 else { return }
            rules.blocks.insert([reader, other])
        }
        let after = try found()
        guard before == after else {
            let one = Set(before).symmetricDifference(after).min()
            throw finding("a block tells whose a nameless note is: \(before) were found, \(after) are", reader, one)
        }
    }

    func rename(_ reader: Int) throws {
        guard tokens[reader] != "admin" else { return }
        try send("PATCH", "/v1/me", "{\"name\":\"\(tokens[reader])-\(step)\"}", by: reader)
    }

    /// Proposes, decides on or ends a run, or creates a meeting about a book.
    func run(_ reader: Int) throws {
        guard let club = pick(clubs(of: reader)) else { return }
        let path = "/v1/clubs/\(clubIDs[club])"
        let book = pickBook()
        switch pick(0..<5) {
        case 0...1:
            let state = ["proposed", "planned", "current", "read"][pick(0..<4)]
            let answer = try send(
                "POST", "\(path)/runs", "{\"book\":\"\(books[book].id)\",\"state\":\"\(state)\"}", by: reader)
            guard answer.status == 201 else { return }
            runs.append(
                ClubRun(id: answer["id"]?.string ?? "", club: club, book: book, isCurrent: state == "current"))
        case 2:
            guard let index = pick(runs.indices.filter { runs[$0].club == club }) else { return }
            let state = ["planned", "current", "read", "dropped"][pick(0..<4)]
            let answer = try send(
                "PATCH", "\(path)/runs/\(runs[index].id)", "{\"state\":\"\(state)\"}", by: reader)
            if answer.status == 200 { runs[index].isCurrent = state == "current" }
        case 3:
            guard let index = pick(runs.indices.filter { runs[$0].club == club }) else { return }
            if try send("DELETE", "\(path)/runs/\(runs[index].id)", by: reader).status == 204 { runs.remove(at: index) }
        default:
            let body =
                "{\"startsAt\":\"2090-01-01T00:00:00Z\",\"book\":\"\(books[book].id)\",\"position\":{\"progress\":0.\(pick(1..<10))}}"
            let answer = try send("POST", "\(path)/meetings", body, by: reader)
            if answer.status == 201 { meetings.append(ClubRun(id: answer["id"]?.string ?? "", club: club, book: book)) }
        }
    }

    /// Returns whether a note on a book must name its run, because the club has several current ones.
    func needsRun(_ club: Int, on book: Int) -> Bool {
        runs.count { $0.club == club && $0.book == book && $0.isCurrent } > 1
    }

    // MARK: What becomes known of books

    private var librarian: Int { Self.readers - 1 }

    func putChapters() throws {
        let number = pickBook()
        let more = [70_000, 220_000, 430_000, 660_000, 900_000][pick(0..<5)]
        let book = books[number]
        let begins = book.begins.isEmpty ? [0, 130_000, 310_000, 550_000, 800_000] : Set(book.begins + [more]).sorted()
        guard begins != book.begins else { return }
        let chapters = begins.map { "{\"share\":\(Double($0) / 1_000_000)}" }.joined(separator: ",")
        let answer = try send(
            "PUT", "/v1/books/\(book.id)/chapters", "{\"chapters\":[\(chapters)]}", by: librarian, book: number,
            fields: book.begins.isEmpty ? [] : ["If-Match: *"])
        guard answer.status < 300 else { throw finding("no chapters: \(answer.text)", librarian) }
        (books[number].begins, books[number].revision) = (begins, book.revision + 1)
        for edition in book.editions.indices { books[number].editions[edition].anchors = [] }
    }

    func putAnchors() throws {
        let number = pickBook()
        let (book, index) = (books[number], pick(0..<books[number].editions.count))
        guard !book.begins.isEmpty else { return try putChapters() }
        let edition = book.editions[index]
        let places = stride(from: edition.start, to: edition.end, by: max(1, (edition.end - edition.start) / 200))
        let anchors = Array(places.shuffled(using: &random).prefix(book.begins.count).sorted())
        let answer = try send(
            "PATCH", "/v1/editions/\(edition.id)", "{\"anchors\":\(anchors)}", by: librarian, book: number)
        guard answer.status < 300 else { throw finding("no anchors: \(answer.text)", librarian) }
        if !edition.anchors.isEmpty, edition.anchors != anchors { books[number].revision += 1 }
        books[number].editions[index].anchors = anchors
    }

    func deleteAnchors() throws {
        let number = pickBook()
        guard let index = pick(books[number].editions.indices.filter { !books[number].editions[$0].anchors.isEmpty })
        else { return }
        let edition = books[number].editions[index]
        let answer = try send(
            "PATCH", "/v1/editions/\(edition.id)", "{\"anchors\":null}", by: librarian, book: number)
        guard answer.status == 200 else { throw finding("anchors stay: \(answer.text)", librarian) }
        books[number].editions[index].anchors = []
        books[number].revision += 1
    }

    /// Changes the end of the story in an edition.
    func measure() throws {
        let number = pickBook()
        let index = pick(0..<books[number].editions.count)
        let edition = books[number].editions[index]
        let end = max(edition.start + 1, edition.length - pick(0..<edition.length / 10))
        let answer = try send(
            "PATCH", "/v1/editions/\(edition.id)", "{\"storyEnd\":\(end)}", by: librarian, book: number)
        let isSound = edition.anchors.allSatisfy { $0 < end }
        guard answer.status == (isSound ? 200 : 422) else { throw finding("no measure: \(answer.text)", librarian) }
        guard isSound, end != edition.end else { return }
        books[number].editions[index].end = end
        books[number].editions[index].revision += 1
        if !edition.anchors.isEmpty { books[number].revision += 1 }
    }
}
