import JSON

/// The changes that a request makes to a stream's watch list.
public struct WatchListPatch: Sendable {
    /// The new entries by name; `nil` for a name to remove. Their revisions are set later.
    public private(set) var entries: [(name: String, entry: WatchListEntry?)] = []

    /// The maximum number of names of a stream.
    public static let namesMax = 200
    /// The maximum length of a name in bytes: enough for a path, so that a URL can be its own name.
    static let nameBytesMax = 256
    /// The maximum number of UTF-8 bytes of all URLs of a stream.
    static let urlsBytesMax = 65_536
    /// The maximum number of UTF-8 bytes of a URL.
    static let urlBytesMax = 4096
    /// The allowed values of `debounce`, in milliseconds.
    static let debounces: ClosedRange<Int64> = 100...60_000

    /// Decodes the member `watch` and appends what is wrong to `violations`. `debounce` is the stream's own interval.
    init(_ value: JSONValue, form: RequestBodyForm, debounce: Int32, _ violations: inout [Violation]) {
        guard value.kind == .object else {
            violations.append(Violation(pointer: "/watch", detail: "must be an object of URLs by name"))
            return
        }
        for (name, given) in value.members {
            var wrong: String?
            if !Self.isName(name) {
                wrong = "must be a name of 1 to \(Self.nameBytesMax) printable ASCII characters without spaces"
            } else if entries.contains(where: { $0.name == name }) {
                wrong = "is named more than once"
            } else if given.isNull, form == .patch {
                entries.append((name, nil))
            } else {
                let (entry, detail) = Self.entry(name, given, debounce: debounce)
                if let entry { entries.append((name, entry)) }
                wrong = detail
            }
            if let wrong, violations.count < ObjectDecoder.violationsMax {
                let shown = String(String.UnicodeScalarView(name.unicodeScalars.prefix(64)))
                violations.append(Violation(pointer: Violation.pointer("/watch", shown), detail: wrong))
            }
        }
    }

    private static func isName(_ text: String) -> Bool {
        (1...nameBytesMax).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func entry(
        _ name: String, _ given: JSONValue, debounce standard: Int32
    ) -> (WatchListEntry?, wrong: String?) {
        if let url = given.string { return entry(name, url, after: nil, debounce: nil) }
        guard given.kind == .object else { return (nil, "must be a URL, or an object with one") }
        var (url, after): (String?, String?)
        var debounce: Int32?
        for (member, value) in given.members {
            switch member {
            case "url": url = value.string
            case "after":
                guard let text = value.string else { return (nil, "after must be a cursor") }
                after = text
            case "debounce":
                if let isDebounced = value.bool {
                    debounce = isDebounced ? standard : nil
                } else if let number = value.integer, debounces.contains(number) {
                    debounce = Int32(number)
                } else {
                    return (nil, "debounce must be true, false, or 100 to 60000 milliseconds")
                }
            default: return (nil, "takes url, after and debounce, not \(member.prefix(64))")
            }
        }
        guard let url else { return (nil, "needs a url, which is a string") }
        if after != nil, debounce != nil {
            return (nil, "must not have after with debounce: a debounced list is sent in full")
        }
        return entry(name, url, after: after, debounce: debounce)
    }

    private static func entry(
        _ name: String, _ url: String, after: String?, debounce: Int32?
    ) -> (WatchListEntry?, wrong: String?) {
        guard url.utf8.count <= urlBytesMax else { return (nil, "is longer than \(urlBytesMax) bytes") }
        guard url.hasPrefix("/"), !url.hasPrefix("//") else { return (nil, "must be a path, such as /v1/books") }
        guard (after?.utf8.count ?? 0) <= 64 else { return (nil, "after must be a cursor") }
        return (WatchListEntry(name: name, url: url, after: after, debounce: debounce, revision: 0), nil)
    }
}
