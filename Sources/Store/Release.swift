internal import CLinux
internal import CSQLite

/// Which program this is, as people and databases are told.
package enum Release {
    package static let version = "0.2.0"
    /// The number of the schema that it brings a database to.
    package static var schema: Int { Migrations.all.count }
    /// Which commit it was built of, as its builder said (`LECTERN_COMMIT`) or git did; empty where neither was there.
    package static var commit: String { String(cString: clinux_commit()) }
    /// Of the library that it runs with, which the system may renew without it.
    package static var sqlite: String { String(cString: sqlite3_libversion()) }
}
