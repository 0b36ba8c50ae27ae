public import JSON

/// Where each of a book's chapters begins in one edition.
public struct Anchors: Resource {
    public static let kind = ResourceKind.anchors
    public static let fields = Fields<Anchors>([
        .computed("edition") { $0.id },
        Field("begins", { Amounts($0.begins) }, { $0.begins = $1.all }),
    ])

    /// The id is the edition's, and so is the key.
    public var identity: Identity
    /// In the edition's unit, strictly rising: as many as there are chapters.
    public var begins: [Amount] = []

    public init(_ identity: Identity) { self.identity = identity }

    /// None yet.
    public init(of edition: Edition, createdAt: Instant) {
        self.init(Identity(edition.id, madeAt: createdAt))
        key = edition.key
    }
}

/// What a request says of them: all.
public struct AnchorsDraft: Sendable {
    public let begins: [Amount]

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        var begins: [Amount] = []
        if case .set(let value) = decoder.required("begins", decoder.value("begins"), .whole) {
            let elements = Array(value.elements.prefix(Chapters.countMax + 1))
            begins = elements.compactMap { Amount(json: $0) }
            if value.kind != .array || begins.count != elements.count || elements.count > Chapters.countMax {
                decoder.refuse("begins", "must be an array of at most \(Chapters.countMax) numbers")
            }
        }
        self.begins = begins
        try decoder.demandValid()
    }

    /// What there is already.
    public init(_ anchors: Anchors) { begins = anchors.begins }

    /// Throws unless they are where so many chapters of an edition can begin: one each, rising within the story.
    public func demand(_ count: Int, in edition: Edition) throws(LecternError) {
        guard begins.count == count else {
            throw .invalid([
                Violation(pointer: "/begins", detail: "must be \(count), one for each chapter of the book")
            ])
        }
        var violations: [Violation] = []
        for (place, amount) in begins.enumerated() {
            let detail: String? =
                if place > 0, amount <= begins[place - 1] {
                    "must be greater than where the chapter before it begins"
                } else if amount < edition.storyStart || amount >= edition.storyEnd {
                    "must not lie before storyStart, and must lie before storyEnd"
                } else if edition.unit == .page || edition.unit == .location, !amount.isWhole {
                    "must be a whole number of \(edition.unit.rawValue)s"
                } else {
                    nil
                }
            if let detail { violations.append(Violation(pointer: "/begins/\(place)", detail: detail)) }
        }
        guard violations.isEmpty else { throw .invalid(Array(violations.prefix(ObjectDecoder.violationsMax))) }
    }
}
