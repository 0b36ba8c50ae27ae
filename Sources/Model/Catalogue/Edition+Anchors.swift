import JSON

extension Edition {
    /// Throws unless the anchors are valid for that many chapters: one for each, strictly rising, within the story.
    public func demandAnchors(for count: Int) throws(RequestError) {
        guard let anchors else { return }
        guard anchors.count == count else {
            throw .violation("/anchors", "must be \(count), one for each chapter of the book")
        }
        var violations: [Violation] = []
        for (place, amount) in anchors.enumerated() {
            let detail: String? =
                if place > 0, amount <= anchors[place - 1] {
                    "must be greater than the start of the chapter before it"
                } else if amount < storyStart || amount >= storyEnd {
                    "must be at least storyStart, and less than storyEnd"
                } else if unit == .page || unit == .location, !amount.isWhole {
                    "must be a whole number of \(unit.rawValue)s"
                } else {
                    nil
                }
            if let detail { violations.append(Violation(pointer: "/anchors/\(place)", detail: detail)) }
        }
        guard violations.isEmpty else { throw .invalid(Array(violations.prefix(ObjectDecoder.violationsMax))) }
    }
}

extension ObjectDecoder {
    /// Decodes an array of amounts; null clears it.
    mutating func amounts(_ name: StaticString, countMax: Int) -> DecodedMember<[EditionAmount]> {
        parsed(name, "must be an array of at most \(countMax) numbers") { array in
            array.elements.count <= countMax ? [EditionAmount](json: array) : nil
        }
    }
}
