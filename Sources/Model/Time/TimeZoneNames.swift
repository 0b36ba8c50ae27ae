internal import CTables

/// The identifiers of the IANA time zone database at the time of the build.
enum TimeZoneNames {
    /// Returns whether the database has an identifier: `UTC`, or one with a place, such as `Europe/Lisbon`. Compares
    /// bytes.
    static func contains(_ name: String) -> Bool { all.contains(Array(name.utf8)) }

    private static let all: Set<[UInt8]> = {
        let bytes = UnsafeBufferPointer(start: lectern_zones(), count: lectern_zones_count())
        return Set(bytes.split(separator: UInt8(ascii: "\n")).map(Array.init))
    }()
}
