import Bytes

/// A decoder of an object's members by name, which collects all violations.
///
/// It does not throw: each method returns the result for one member. `finish` returns the violations of all of them, at
/// most `violationsMax`. A value that is not an object is one violation, and every member is then `.invalid`.
public struct ObjectDecoder: Sendable {
    /// The maximum number of violations recorded for one document. More would only make the response longer.
    public static let violationsMax = 32

    /// The maximum scalars of an unknown name that a pointer repeats; a longer name ends in an ellipsis.
    private static let nameScalarsMax = 64

    /// The maximum number of unknown names for which a similar known one is suggested.
    private static let suggestionsMax = 4

    private struct KnownMember {
        let name: StaticString
        var isSeen = false
    }

    private let object: JSONValue
    private let isObject: Bool
    private var known: [KnownMember] = []
    private var unknownCount = 0
    /// The violations, each with the place of its member in the document.
    private var violations: [(place: UInt32, violation: Violation)] = []

    public init(_ value: JSONValue) {
        object = value
        isObject = value.kind == .object
        known.reserveCapacity(16)
        if !isObject { violations = [(0, Violation(pointer: "", detail: "must be an object"))] }
    }

    // MARK: - Violations

    public mutating func refuse(_ name: StaticString, _ detail: String) {
        guard isObject else { return }
        record(detail, of: name, place: place(of: name))
    }

    /// Records violations within a member.
    public mutating func refuse(_ name: StaticString, _ inner: [Violation]) {
        guard isObject else { return }
        let (pointer, place) = (Violation.pointer("", name.description), place(of: name))
        for violation in inner {
            record(Violation(pointer: pointer + violation.pointer, detail: violation.detail), place: place)
        }
    }

    /// Records that the object has members that another one excludes.
    public mutating func refuse(_ names: StaticString..., with other: StaticString) {
        for name in names where place(of: name) != JSONStructure.none {
            known.append(KnownMember(name: name))
            refuse(name, "cannot be given with \(other)")
        }
    }

    /// Records that a required member is missing.
    public mutating func missing(_ name: StaticString) { refuse(name, "is required") }

    /// Ends the decoding and returns all violations in the order of the document; missing members come last.
    ///
    /// Members that were never decoded are unknown.
    public mutating func finish() -> [Violation] {
        recordUnknownAndRepeated()
        // Indexes are part of the comparison, because the standard sort does not guarantee stability.
        let order = violations.indices.sorted { (violations[$0].place, $0) < (violations[$1].place, $1) }
        defer { violations = [] }
        return order.map { violations[$0].violation }
    }

    mutating func record(_ detail: String, at element: Int? = nil, of name: StaticString, place: UInt32) {
        let pointer = Violation.pointer("", name.description)
        let full = element.map { Violation.pointer(pointer, String($0)) } ?? pointer
        record(Violation(pointer: full, detail: detail), place: place)
    }

    private mutating func record(_ violation: Violation, place: UInt32) {
        guard violations.count < Self.violationsMax else { return }
        violations.append((place, violation))
    }

    private mutating func recordUnknownAndRepeated() {
        var members = object.members
        while let place = members.nextPlace(), violations.count < Self.violationsMax {
            let name = object.document.tape[place]
            if let index = known.firstIndex(where: { matches(name, $0.name) }) {
                if known[index].isSeen { record("is given more than once", of: known[index].name, place: place) }
                known[index].isSeen = true
            } else {
                recordUnknown(object.document.text(of: name), place: place)
            }
        }
    }

    private mutating func recordUnknown(_ name: String, place: UInt32) {
        var shown = name
        if let end = name.unicodeScalars.index(
            name.startIndex, offsetBy: Self.nameScalarsMax, limitedBy: name.endIndex), end < name.endIndex
        {
            shown = String(name.unicodeScalars[..<end]) + "…"
        }
        let violation = Violation(pointer: Violation.pointer("", shown), detail: "is not a known member\(hint(name))")
        let isKnown = violations.contains { $0.violation.pointer.utf8.elementsEqual(violation.pointer.utf8) }
        guard !isKnown else { return }
        record(violation, place: place)
    }

    /// Returns a suggestion for an unknown name, or an empty text if there is none.
    private mutating func hint(_ name: String) -> String {
        unknownCount += 1
        guard unknownCount <= Self.suggestionsMax,
            let nearest = SimilarNameSearch.nearest(name, among: known.lazy.map(\.name.description))
        else { return "" }
        return "; did you mean \"\(nearest)\"?"
    }

    // MARK: - Members

    /// Returns whether the object has a member with a name that is not null.
    public func has(_ name: StaticString) -> Bool {
        let place = place(of: name)
        return place != JSONStructure.none && object.document.tape[place + 1].kind != .null
    }

    /// Finds the first member with a name, which is then a known name.
    mutating func find(_ name: StaticString) -> DecodedMember<(value: JSONValue, place: UInt32)> {
        guard isObject else { return .invalid }
        known.append(KnownMember(name: name))
        let place = place(of: name)
        guard place != JSONStructure.none else { return .absent }
        let value = JSONValue(document: object.document, index: place + 1)
        return value.isNull ? .null : .value((value, place))
    }

    /// Returns the index of the first member with a name in the structure of the document.
    private func place(of name: StaticString) -> UInt32 {
        var members = object.members
        while let place = members.nextPlace() {
            if matches(object.document.tape[place], name) { return place }
        }
        return JSONStructure.none
    }

    private func matches(_ entry: JSONStructure.Entry, _ name: StaticString) -> Bool {
        name.withUTF8Buffer { entry.isText($0, in: object.document) }
    }
}

/// An error at one place of a well-formed document: an item of a 422 response.
public struct Violation: Sendable, Equatable {
    /// The place as a JSON pointer (RFC 6901): `/authors/2`; empty for the whole document.
    public let pointer: String

    /// The error, in words that form a sentence after the place: "must be a string".
    public let detail: String

    public init(pointer: String, detail: String) {
        self.pointer = pointer
        self.detail = detail
    }

    /// Returns a pointer extended by a name, whose `~` and `/` are escaped (RFC 6901 section 3).
    public static func pointer(_ base: String, _ name: String) -> String {
        var pointer = base
        pointer.append("/")
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": pointer.append("~0")
            case "/": pointer.append("~1")
            default: pointer.unicodeScalars.append(scalar)
            }
        }
        return pointer
    }
}
