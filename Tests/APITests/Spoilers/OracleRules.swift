/// The visibility of notes: a second implementation of the table of `lectern help story`, from the requests alone.
struct OracleRules {
    enum Role: String, CaseIterable {
        case member, moderator, owner
    }

    struct Club {
        var roles: [Int: Role] = [:]
        var seesAhead = false
        /// The slack in millionths.
        var slack = 50_000

        func moderates(_ reader: Int) -> Bool { roles[reader].map { $0 != .member } ?? false }
    }

    var clubs: [Club]
    private(set) var notes: [OracleNote] = []
    /// The existing notes.
    private(set) var living: [Int] = []
    var index: [String: Int] = [:]
    /// The claims of each reader.
    var claims: [[OracleClaim]]
    var blocks: Set<[Int]> = []

    init(clubs: Int, readers: Int) {
        self.clubs = Array(repeating: Club(), count: clubs)
        claims = Array(repeating: [], count: readers)
    }

    mutating func add(_ note: OracleNote) -> Int {
        index[note.id] = notes.count
        notes.append(note)
        living.append(notes.count - 1)
        return notes.count - 1
    }

    mutating func change(_ number: Int, _ change: (inout OracleNote) -> Void) {
        change(&notes[number])
        if notes[number].isGone { living.removeAll { $0 == number } }
    }

    mutating func end(_ source: String, of reader: Int, at step: Int) {
        for place in claims[reader].indices where claims[reader][place].source == source {
            claims[reader][place].until = min(step, claims[reader][place].until)
        }
    }

    /// Adds or ends the claims of moderators who see ahead.
    mutating func lookAhead(_ club: Int, at step: Int) {
        for reader in claims.indices {
            let sees = clubs[club].seesAhead && clubs[club].moderates(reader)
            let source = "sight \(club)"
            let has = claims[reader].contains { $0.source == source && $0.until == .max }
            if sees, !has { claims[reader].append(OracleClaim(source: source, book: nil, kind: .sight(club: club))) }
            if !sees, has { end(source, of: reader, at: step) }
        }
    }

    // MARK: Who may

    /// Returns why a note must not be shown to a reader now, or `nil` if it may be.
    func refusal(_ reader: Int, _ number: Int) -> String? {
        let note = notes[number]
        if note.isGone { return "it is gone" }
        if note.author == reader { return nil }
        guard let club = note.club, note.audience != .me else { return "it is its author's alone" }
        guard clubs[club].roles[reader] != nil else { return "they are not in the club" }
        if !isFor(reader, note) { return "it is for the moderators" }
        if isHidden(note, from: reader) { return "they block its author" }
        return isReached(reader, note) ? nil : "they have not come so far"
    }

    func isReached(_ reader: Int, _ note: OracleNote) -> Bool {
        note.threshold.share == 0 || claims[reader].contains { $0.until == .max && $0.reaches(note) }
    }

    /// Returns whether the reader has ever reached a note; a replay then contains it.
    func wasReached(_ reader: Int, _ note: OracleNote) -> Bool {
        note.threshold.share == 0 || claims[reader].contains { $0.reaches(note) }
    }

    func isFor(_ reader: Int, _ note: OracleNote) -> Bool {
        guard note.audience == .moderators, let club = note.club, !clubs[club].moderates(reader) else { return true }
        return note.root.map { notes[$0].author == reader } ?? false
    }

    /// Returns whether a block hides a note from a reader. Nameless notes are never hidden.
    func isHidden(_ note: OracleNote, from reader: Int) -> Bool {
        guard let club = note.club, !note.isNameless, !clubs[club].moderates(reader) else { return false }
        return blocks.contains([reader, note.author])
    }

    // MARK: Who must

    /// Returns whether a note must be shown to a member.
    func isOwed(_ reader: Int, _ number: Int) -> Bool {
        let note = notes[number]
        guard let club = note.club, !note.isGone, clubs[club].roles[reader] != nil else { return false }
        if note.author == reader { return true }
        guard note.audience != .me, isFor(reader, note), !isHidden(note, from: reader), !isDoubtful(note, for: reader)
        else { return false }
        return isReached(reader, note)
    }

    /// Returns whether the rules leave a note's visibility open. A block may or may not have hidden a nameless note,
    /// and the root of a thread for the moderators may be gone.
    func isDoubtful(_ note: OracleNote, for reader: Int) -> Bool {
        if note.isNameless, blocks.contains([reader, note.author]) { return true }
        guard note.audience == .moderators, let club = note.club, !clubs[club].moderates(reader) else { return false }
        return note.root.map { notes[$0].isGone || notes[$0].isNameless } ?? true
    }

    /// Returns a note and all replies below it.
    func thread(below number: Int) -> [Int] {
        var all: Set = [number]
        for other in number..<notes.count {
            if let answered = notes[other].answers, all.contains(answered) { all.insert(other) }
        }
        return all.sorted()
    }

    /// Returns a note and the notes above it.
    func thread(above number: Int) -> [Int] {
        [number] + (notes[number].answers.map { thread(above: $0) } ?? [])
    }

    /// Forgets claims that ended before a step.
    mutating func forget(before step: Int) {
        for reader in claims.indices { claims[reader].removeAll { $0.until < step } }
    }
}
