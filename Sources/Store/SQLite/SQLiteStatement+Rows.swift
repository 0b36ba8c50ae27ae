import Model

extension SQLiteStatement {
    /// Returns the case that a text column names.
    ///
    /// - Parameters:
    ///   - name: the column's name, for errors.
    ///   - key: the row's key, for errors.
    func choice<Choice: RawRepresentable<String>>(
        _ column: Int32, _ name: StaticString, key: Int64? = nil
    ) throws(SQLiteError) -> Choice {
        guard let choice = Choice(rawValue: text(column)) else { throw .undecodable("\(name)", key: key) }
        return choice
    }

    /// Returns the case that an integer column names.
    func choice<Choice: RawRepresentable>(
        _ column: Int32, _ name: StaticString, key: Int64? = nil
    ) throws(SQLiteError) -> Choice where Choice.RawValue: FixedWidthInteger {
        guard let value = Choice.RawValue(exactly: integer(column)), let choice = Choice(rawValue: value) else {
            throw .undecodable("\(name)", key: key)
        }
        return choice
    }

    /// Returns the first row, converted by `make`, or `nil`. Resets the statement.
    func first<Row>(_ make: (SQLiteStatement) throws(SQLiteError) -> Row) throws(SQLiteError) -> Row? {
        defer { reset() }
        return try step() ? try make(self) : nil
    }

    /// Returns the first column of the first row as a number, or `nil` without a row or for NULL. Resets the statement.
    func number() throws(SQLiteError) -> Int64? {
        defer { reset() }
        return try step() ? optionalInteger(0) : nil
    }

    /// Returns a Boolean value indicating whether there is a row. Resets the statement.
    func hasRow() throws(SQLiteError) -> Bool {
        defer { reset() }
        return try step()
    }

    /// Returns all rows, converted by `make`. Resets the statement.
    func all<Row>(_ make: (SQLiteStatement) throws(SQLiteError) -> Row) throws(SQLiteError) -> [Row] {
        defer { reset() }
        var rows: [Row] = []
        while try step() { rows.append(try make(self)) }
        return rows
    }
}
