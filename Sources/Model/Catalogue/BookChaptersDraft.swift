public import JSON

/// The body of a request that sets a book's chapters: all of them, in order, or none.
public struct BookChaptersDraft: RequestBody {
    private typealias DraftChapter = (label: String?, title: String?, share: Progress?)

    private let given: [DraftChapter]

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        var given: [DraftChapter] = []
        let elements = decoder.required("chapters", decoder.array("chapters", of: "chapters"), .whole) ?? []
        if elements.count > Chapters.countMax {
            decoder.refuse("chapters", "must be at most \(Chapters.countMax) chapters")
        }
        for (place, element) in elements.prefix(Chapters.countMax).enumerated() {
            var inner = ObjectDecoder(element)
            let (label, title) = (inner.string("label", length: 1...50), inner.string("title", length: 1...500))
            let chapter = (label.value, title.value, inner.share("share").value)
            decoder.refuse(
                "chapters", inner.finish().map { Violation(pointer: "/\(place)\($0.pointer)", detail: $0.detail) })
            given.append(chapter)
        }
        let bytes = given.reduce(0) { $0 + ($1.label?.utf8.count ?? 0) + ($1.title?.utf8.count ?? 0) }
        if bytes > Chapters.bytesMax {
            decoder.refuse("chapters", "labels and titles must have at most \(Chapters.bytesMax) bytes together")
        }
        self.given = given
    }

    /// A Boolean value indicating whether the body gives the share of any chapter.
    public var saysShares: Bool { given.contains { $0.share != nil } }

    /// Returns the chapters of the body.
    ///
    /// If the body gives no shares and the number of chapters is the same, the old shares stay. Otherwise chapters
    /// without a share divide the space between their neighbours equally. Throws if the shares do not rise.
    public func chapters(over old: [Chapter]) throws(RequestError) -> [Chapter] {
        guard !given.isEmpty else { return [] }
        var known = given.map { $0.share?.millionths }
        if given.count == old.count, known.allSatisfy({ $0 == nil }) { known = old.map(\.share.millionths) }
        if known[0] == nil { known[0] = 0 }
        let violations = Self.violations(of: known)
        guard violations.isEmpty else { throw .invalid(violations) }
        let shares = Self.interpolated(known)
        guard zip(shares, shares.dropFirst()).allSatisfy(<), shares.last ?? 0 < 1_000_000 else {
            throw .violation("/chapters", "must leave a share for every chapter: give other shares")
        }
        return zip(given, shares).map { Chapter(label: $0.label, title: $0.title, share: Progress(clamping: $1)) }
    }

    private static func violations(of shares: [Int32?]) -> [Violation] {
        var (found, last): ([Violation], Int32) = ([], -1)
        for (place, share) in shares.enumerated() {
            guard let share else { continue }
            if share <= last || share >= 1_000_000 {
                found.append(
                    Violation(
                        pointer: "/chapters/\(place)/share",
                        detail: "must be less than 1, and greater than the share of the chapter before it"))
            }
            last = max(last, share)
        }
        return Array(found.prefix(ObjectDecoder.violationsMax))
    }

    /// Returns the shares, with equal parts between those that are known. The first is always known.
    private static func interpolated(_ known: [Int32?]) -> [Int64] {
        var shares: [Int64] = []
        var (start, begin) = (0, Int64(0))
        for place in 0...known.count {
            guard place == known.count || known[place] != nil else { continue }
            let end = place == known.count ? 1_000_000 : Int64(known[place] ?? 0)
            for between in start..<place {
                shares.append(begin + (end - begin) * Int64(between - start) / Int64(place - start))
            }
            (start, begin) = (place, end)
        }
        return shares
    }
}
