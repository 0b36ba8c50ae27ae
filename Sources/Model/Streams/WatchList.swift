public import JSON

/// The URLs that a stream watches, each under a name from the client.
public struct WatchList: StoredAsJSON, Equatable {
    /// The entries, in the order in which they were named.
    public private(set) var entries: [WatchListEntry] = []

    public init() {}

    /// Returns the list after a patch, as of a revision. An entry that the patch changes begins again; an equal one
    /// stays.
    func applying(_ patch: WatchListPatch, revision: Int64) -> WatchList {
        var new = self
        for (name, entry) in patch.entries {
            let place = new.entries.firstIndex { $0.name == name }
            guard var entry else {
                if let place { new.entries.remove(at: place) }
                continue
            }
            entry.revision = revision
            guard let place else {
                new.entries.append(entry)
                continue
            }
            if !new.entries[place].isSame(as: entry) { new.entries[place] = entry }
        }
        return new
    }

    // MARK: JSON

    public init?(json: JSONValue) {
        for (name, value) in json.members {
            guard let url = value["url"]?.string, let revision = value["revision"]?.integer else { return nil }
            entries.append(
                WatchListEntry(
                    name: name, url: url, after: value["after"]?.string,
                    debounce: value["debounce"]?.integer.flatMap { Int32(exactly: $0) }, revision: revision))
        }
    }

    public func write(to json: inout JSONWriter) {
        json.object { json in
            for entry in entries {
                json.name(entry.name)
                json.object { json in
                    json.member("url", entry.url)
                    json.member("after", ifAny: entry.after)
                    json.member("debounce", ifAny: entry.debounce)
                    json.member("revision", entry.revision)
                }
            }
        }
    }
}

/// A watched URL.
public struct WatchListEntry: Sendable, Equatable {
    /// The name, 1 to 256 printable ASCII characters without spaces. A URL may be its own name.
    public let name: String
    /// A path, and perhaps a query.
    public let url: String
    /// The cursor from which to begin, or `nil` to begin with the current state.
    public let after: String?
    /// The interval in milliseconds in which the whole result is sent at most once, or `nil` to send each change.
    public let debounce: Int32?
    /// The revision of the stream that added the entry.
    public internal(set) var revision: Int64

    func isSame(as other: WatchListEntry) -> Bool {
        isSameText(name, other.name) && isSameText(url, other.url) && (after == nil) == (other.after == nil)
            && isSameText(after ?? "", other.after ?? "")
            && debounce == other.debounce
    }
}

private func isSameText(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
