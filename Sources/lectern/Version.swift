import Store

/// `lectern version`.
func version(_ arguments: Arguments) throws -> Int32 {
    print("lectern \(Release.version)\nschema \(Release.schema)\nSQLite \(Release.sqlite)")
    return 0
}
