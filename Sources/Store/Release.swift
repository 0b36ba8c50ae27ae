internal import CSQLite
internal import Migrations

/// Which program this is, as people and databases are told.
package enum Release {
    package static let version = "0.2.0"
    /// The number of the schema that it brings a database to.
    package static var schema: Int { Migrations.all.count }
    /// Of the library that it runs with, which the system may renew without it.
    package static var sqlite: String { String(cString: sqlite3_libversion()) }
}
