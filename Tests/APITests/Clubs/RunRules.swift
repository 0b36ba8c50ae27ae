/// The assignment of resources to a club's runs, without a database.
struct RunRules {
    struct ClubRun {
        let id: String
        let book: Int
        var place: Int
        var state: String
        let proposer: Int?
    }

    /// A milestone, a meeting or a note.
    struct Part {
        let id: String
        var book: Int?
        var run: String?
    }

    struct Standing {
        let id: String
        let run: String
        let reader: Int
        let reading: Int
    }

    struct Reading {
        let reader: Int
        let book: Int
        var isOpen = true
    }

    /// The run that a request names.
    enum Named {
        case run(String)
        case book(Int)
        case none
    }

    /// The runs in the order of their creation.
    var runs: [ClubRun] = []
    var parts: [String: [Part]] = ["milestones": [], "meetings": [], "notes": []]
    var standings: [Standing] = []
    var readings: [Reading] = []

    func run(_ id: String) -> ClubRun? { runs.first { $0.id == id } }

    /// The runs in the order of the list.
    var listed: [ClubRun] {
        runs.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }.map(\.element)
    }

    /// The run of a request that names none.
    enum Meant {
        case one(ClubRun)
        case none
        /// Several runs are current.
        case ambiguous
    }

    func meant(on book: Int?) -> Meant {
        let current = runs.filter { $0.state == "current" && (book == nil || $0.book == book) }
        if current.count > 1 { return .ambiguous }
        let run = current.first ?? runs.last { $0.book == book && $0.state != "proposed" }
        return run.map { .one($0) } ?? .none
    }

    /// Returns the run of a milestone or a standing, and the status of the response.
    func decided(_ named: Named) -> (run: ClubRun?, status: Int) {
        let meant =
            switch named {
            case .run(let id): run(id).map { Meant.one($0) } ?? .none
            case .book(let book): self.meant(on: book)
            case .none: self.meant(on: nil)
            }
        switch (meant, named) {
        case (.one(let run), _): return run.state == "proposed" ? (nil, 422) : (run, 201)
        case (.none, .none): return (nil, 409)
        case (.none, _), (.ambiguous, _): return (nil, 422)
        }
    }

    /// Returns the reading with which a member reads a run along, or `nil` for a new one.
    func reading(of reader: Int, in run: ClubRun) -> Int? {
        let own = readings.indices.filter { readings[$0].reader == reader && readings[$0].book == run.book }
        let current = own.last { readings[$0].isOpen } ?? own.last
        let isOfAnother = standings.contains { $0.reader == reader && $0.reading == current && $0.run != run.id }
        if let current, !isOfAnother { return current }
        if let own = standings.first(where: { $0.reader == reader && $0.run == run.id }) { return own.reading }
        return current.flatMap { readings[$0].isOpen ? $0 : nil }
    }

    mutating func end(_ id: String) {
        runs.removeAll { $0.id == id }
        standings.removeAll { $0.run == id }
        parts["milestones"]?.removeAll { $0.run == id }
    }

    /// Returns whether a list is of a deleted run.
    func isOver(_ list: String) -> Bool {
        list.contains("?run=") && list.split(separator: "=").last.map { run(String($0)) == nil } ?? false
    }

    /// Returns the ids in a list, or `nil` for a list of a deleted run, unless notes still name it.
    func ids(of list: String) -> Set<String>? {
        let halves = list.split(separator: "?").map(String.init)
        let (name, value) = (halves[0], halves.count == 2 ? halves[1].split(separator: "=").last.map(String.init) : nil)
        switch name {
        case "runs": return Set(runs.filter { value == nil || $0.state == value }.map(\.id))
        case "standings":
            guard let value else {
                return Set(standings.filter { run($0.run)?.state == "current" }.map(\.id))
            }
            return run(value).map { run in Set(standings.filter { $0.run == run.id }.map(\.id)) }
        default:
            let all = parts[name] ?? []
            guard let value else { return Set(all.map(\.id)) }
            let named = Set(all.filter { $0.run == value }.map(\.id))
            return run(value) != nil || name == "notes" && !named.isEmpty ? named : nil
        }
    }
}
