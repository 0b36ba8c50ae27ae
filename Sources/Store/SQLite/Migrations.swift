import CMigrations

/// The database's schema as a list of migrations, one file each.
///
/// A released file is never changed: a change of the schema is a new file with the next number.
package enum Migrations {
    /// The text of each migration. Its version is its index plus one. Upgrade tests temporarily add migrations.
    @TaskLocal package static var all: [[UInt8]] = embedded

    /// The files of the folder `migrations`.
    package static let embedded: [[UInt8]] = {
        let bytes = UnsafeBufferPointer(start: lectern_migrations(), count: lectern_migrations_count())
        // A zero byte ends each file, including the last one.
        return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    }()
}
