import Model

/// What a change is to one part of a subscription.
struct Heard {
    /// The part's name; nil for the only one of a subscription to one URL.
    private(set) var name: String?
    /// The index of the part.
    private(set) var part = 0
    let event: EventName
    /// Of a `leave`; nil for what the change did.
    var reason: EventFrame.Reason?
    /// In a window: what it stands before.
    var neighbour: Neighbour?
    /// Whether the part ends with it.
    var isOver = false

    /// The same for a part of that name.
    func named(_ name: String?, part: Int) -> Heard {
        var heard = self
        (heard.name, heard.part) = (name, part)
        return heard
    }
}

/// What something stands before in a window: nothing at its end.
struct Neighbour {
    let id: ResourceID?

    /// A member of an object that has others before it.
    func append(to bytes: inout [UInt8]) {
        bytes += Array(",\"before\":\(id.map { "\"\($0)\"" } ?? "null")".utf8)
    }
}

/// A change that a subscription is to be given, and what it is to each of its parts that it concerns: one event.
struct Noted {
    private(set) var published: PublishedChange
    private var first: Heard
    private var others: [Heard] = []

    init(_ published: PublishedChange, _ heard: Heard) { (self.published, first) = (published, heard) }

    var heard: [Heard] { [first] + others }

    /// Of a subscription to one URL.
    var only: Heard? { first.name == nil ? first : nil }

    /// Adds what the change is to another part. The order is that of the parts, whichever model tells first: a live event
    /// equals the replayed one.
    mutating func add(_ heard: Heard) {
        var heard = heard
        if heard.part < first.part { swap(&heard, &first) }
        others.insert(heard, at: others.firstIndex { $0.part > heard.part } ?? others.endIndex)
    }

    /// Becomes a change of these fields, too.
    mutating func add(_ changed: FieldSet) { published = published.adding(changed) }

    /// The same without what is superseded; nil when nothing of it is left.
    func keeping(_ isKept: (Heard) -> Bool) -> Noted? {
        let kept = heard.filter(isKept)
        guard let first = kept.first else { return nil }
        var noted = Noted(published, first)
        noted.others = Array(kept.dropFirst())
        return noted
    }

    /// Roughly the bytes of its frame.
    var size: Int { 256 + (published.change.value?.count ?? 0) }
}
