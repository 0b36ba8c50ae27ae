internal import CTables

/// The identifiers of the IANA time zone database, as of when the program was built.
enum TimeZoneNames {
    /// `UTC`, or one that says a place, such as `Europe/Lisbon`. By its bytes.
    static func contains(_ name: String) -> Bool { all.contains(Array(name.utf8)) }

    private static let all: Set<[UInt8]> = {
        let bytes = UnsafeBufferPointer(start: lectern_zones(), count: lectern_zones_count())
        return Set(bytes.split(separator: UInt8(ascii: "\n")).map(Array.init))
    }()
}
