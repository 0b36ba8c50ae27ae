internal import CLinux
internal import CSQLite

/// The identity of this program.
package enum ProgramRelease {
    package static let version = "0.2.0"
    /// The newest schema version that it knows.
    package static var schema: Int { Migrations.all.count }
    /// The commit that it was built from, as given by `LECTERN_COMMIT` or git, or an empty text.
    package static var commit: String { String(cString: clinux_commit()) }
    /// The version of the SQLite library at run time, which the system may update independently.
    package static var sqlite: String { String(cString: sqlite3_libversion()) }
}
