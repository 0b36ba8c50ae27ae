import CMigrations

/// The database's schema, one step per file.
///
/// A file is never changed once it has been released: the next change is the next number.
package enum Migrations {
    /// The bytes of every migration; its version is its index plus one.
    package static let all: [[UInt8]] = {
        let bytes = UnsafeBufferPointer(start: lectern_migrations(), count: lectern_migrations_count())
        // A zero byte ends each file, the last one too.
        return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    }()
}
