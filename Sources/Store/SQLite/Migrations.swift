import CMigrations

/// The database's schema, one step per file.
///
/// A file is never changed once it has been released: the next change is the next number.
package enum Migrations {
    /// The bytes of every migration; its version is its index plus one. Tests of upgrades add steps of their own for a while.
    @TaskLocal package static var all: [[UInt8]] = embedded

    /// The files of the folder migrations.
    package static let embedded: [[UInt8]] = {
        let bytes = UnsafeBufferPointer(start: lectern_migrations(), count: lectern_migrations_count())
        // A zero byte ends each file, the last one too.
        return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    }()
}
