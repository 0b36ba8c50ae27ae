import JSON

// Actions on readings, entries and prior knowledge.
extension OracleHistory {
    /// Returns a reading of a random book, creating one if there is none.
    private func reading(of reader: Int) throws -> Int {
        let book = pickBook()
        let own = readings.indices.filter { readings[$0].reader == reader && readings[$0].book == book }
        if let one = own.last(where: { !readings[$0].isFinished }) ?? own.last, pick(0..<30) > 0 { return one }
        let edition = pick(0..<3) > 0 ? pick(Array(books[book].editions.indices)) : nil
        let more = edition.map { ",\"edition\":\"\(books[book].editions[$0].id)\"" } ?? ""
        let answer = try send(
            "POST", "/v1/readings", "{\"book\":\"\(books[book].id)\",\"isReread\":true\(more)}", by: reader, book: book)
        guard let id = answer["id"]?.string else { throw finding("no reading: \(answer.text)", reader) }
        log.call(id, "Reading\(readings.count)")
        readings.append(Reading(id: id, reader: reader, book: book, edition: edition))
        return readings.count - 1
    }

    /// Returns a random position in a book as its reader would record it, in a reading's edition or without one, and
    /// its meaning now.
    func say(_ book: Int, in edition: Int?) -> (json: String, place: OraclePosition) {
        let known = books[book]
        let way = pick(0..<8)
        if way == 0, !known.begins.isEmpty {
            let (chapter, hundredths) = (pick(0..<known.begins.count), pick(0..<101))
            return (
                "\"position\":{\"chapter\":\(chapter + 1),\"within\":\(Double(hundredths) / 100)}",
                known.place(.chapter(chapter, hundredths))
            )
        }
        if way < 5, edition == nil {
            let hundredths = pick(0..<101)
            if way < 3 {
                return ("\"position\":{\"progress\":\(Double(hundredths) / 100)}", known.place(.progress(hundredths)))
            }
            return ("\"position\":{\"page\":\(hundredths)}", known.place(.page(hundredths)))
        }
        let index = way < 7 ? edition ?? pick(0..<known.editions.count) : pick(0..<known.editions.count)
        let one = known.editions[index]
        let amount = pick(0..<one.length + 1)
        let number = one.member == "progress" ? "\(Double(amount) / 100)" : "\(amount)"
        return (
            "\"position\":{\"\(one.member)\":\(number),\"edition\":\"\(one.id)\"}",
            known.place(.amount(amount, of: index))
        )
    }

    func enter(_ reader: Int) throws {
        let index = try reading(of: reader)
        let reading = readings[index]
        let given = say(reading.book, in: reading.edition)
        let draft = pick(0..<6) == 0 ? words(reader, reading.book, at: given.place) : nil
        let noted = draft.map { ",\"note\":{\($0.json)}" } ?? ""
        // An entry that a device recorded earlier is inserted into the history, even of a reading that has been
        // finished since.
        let isEarlier = pick(0..<4) == 0
        let dated = isEarlier ? ",\"happenedAt\":\"2020-01-01T00:00:00Z\"" : ""
        let answer = try send(
            "POST", "/v1/readings/\(reading.id)/entries", "{\(given.json)\(noted)\(dated)}", by: reader,
            book: reading.book)
        let isRunMissing = draft?.note.club.map { needsRun($0, on: reading.book) } ?? false
        let expected = reading.isFinished && !isEarlier ? 409 : isRunMissing ? 422 : 201
        guard answer.status == expected || isRunMissing && answer.status == 422 else {
            throw finding("an entry is answered wrongly: \(answer.text)", reader)
        }
        guard answer.status == 201, let id = answer["id"]?.string else { return }
        rules.claims[reader].append(OracleClaim(source: id, book: reading.book, kind: .place(given.place)))
        log.call(id, "Entry\(step)")
        var note: Int?
        if var draft, let id = answer["noteId"]?.string {
            draft.note.entry = answer["id"]?.string
            note = add(draft.note, as: id)
        }
        readings[index].entries.append((id, note))
    }

    func undo(_ reader: Int) throws {
        guard
            let index = pick(readings.indices.filter { readings[$0].reader == reader && !readings[$0].entries.isEmpty })
        else { return }
        let (reading, place) = (readings[index], pick(0..<readings[index].entries.count))
        let entry = reading.entries[place]
        let keeps = entry.note != nil && pick(0..<2) == 0
        let answer = try send(
            "DELETE", "/v1/readings/\(reading.id)/entries/\(entry.id)\(keeps ? "?note=keep" : "")", by: reader,
            book: reading.book)
        guard answer.status == 204 else { throw finding("an undo is refused: \(answer.text)", reader) }
        readings[index].entries.remove(at: place)
        rules.end(entry.id, of: reader, at: step)
        if let note = entry.note, !keeps { gone(note) }
    }

    func finishOrReopen(_ reader: Int) throws {
        guard let index = pick(readings.indices.filter { readings[$0].reader == reader }) else { return }
        let reading = readings[index]
        let answer = try send(
            "PATCH", "/v1/readings/\(reading.id)", "{\"isFinished\":\(!reading.isFinished)}", by: reader,
            book: reading.book)
        // A first reading cannot be reopened while another is open.
        guard answer.status == 200 else { return }
        readings[index].isFinished.toggle()
        if reading.isFinished {
            rules.end(reading.id, of: reader, at: step)
        } else {
            rules.claims[reader].append(OracleClaim(source: reading.id, book: reading.book, kind: .all))
        }
    }

    /// Abandons a reading, which keeps its mark, or deletes it.
    func endReading(_ reader: Int) throws {
        guard let index = pick(readings.indices.filter { readings[$0].reader == reader }) else { return }
        let reading = readings[index]
        if pick(0..<2) == 0, !reading.isFinished {
            try send("PATCH", "/v1/readings/\(reading.id)", "{\"state\":\"abandoned\"}", by: reader, book: reading.book)
            return
        }
        let answer = try send("DELETE", "/v1/readings/\(reading.id)", by: reader, book: reading.book)
        guard answer.status == 204 else { throw finding("a reading stays: \(answer.text)", reader) }
        for source in reading.entries.map(\.id) + [reading.id] { rules.end(source, of: reader, at: step) }
        readings.remove(at: index)
    }

    func switchEdition(_ reader: Int) throws {
        guard let index = pick(readings.indices.filter { readings[$0].reader == reader }) else { return }
        let (reading, book) = (readings[index], books[readings[index].book])
        let edition = pick(0..<4) == 0 ? nil : pick(0..<book.editions.count)
        let id = edition.map { "\"\(book.editions[$0].id)\"" } ?? "null"
        let answer = try send(
            "PATCH", "/v1/readings/\(reading.id)", "{\"edition\":\(id)}", by: reader, book: reading.book)
        if answer.status == 200 { readings[index].edition = edition }
    }

    func know(_ reader: Int) throws {
        let book = pickBook()
        var (body, kind) = ("{}", OracleClaim.Kind.all)
        if pick(0..<4) > 0 {
            let given = say(book, in: pick(0..<books[book].editions.count))
            body = "{\"through\":\(given.json.dropFirst("\"position\":".count))}"
            kind = .place(given.place)
        }
        let answer = try send("PUT", "/v1/books/\(books[book].id)/knowledge", body, by: reader, book: book)
        guard answer.status == 200 || answer.status == 201 else {
            throw finding("knowledge is refused: \(answer.text)", reader)
        }
        // A repeated record keeps its original meaning.
        if answer.fields["lectern-unchanged"] == "true" { return }
        rules.end("knows \(book)", of: reader, at: step)
        rules.claims[reader].append(OracleClaim(source: "knows \(book)", book: book, kind: kind))
    }

    func forget(_ reader: Int) throws {
        let book = pickBook()
        let answer = try send("DELETE", "/v1/books/\(books[book].id)/knowledge", by: reader, book: book)
        if answer.status == 204 { rules.end("knows \(book)", of: reader, at: step) }
    }
}
