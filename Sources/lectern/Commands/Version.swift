import Store

/// `lectern version`: prints the versions of the program, the schema and SQLite.
func version(_ arguments: Arguments) throws -> Int32 {
    print("lectern \(Release.version)\nschema \(Release.schema)\nSQLite \(Release.sqlite)")
    return 0
}
