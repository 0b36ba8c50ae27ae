import Store

/// `lectern version`: prints the versions of the program, the schema and SQLite.
func version(_ arguments: CommandLineArguments) throws {
    print("lectern \(ProgramRelease.version)\nschema \(ProgramRelease.schema)\nSQLite \(ProgramRelease.sqlite)")
}
