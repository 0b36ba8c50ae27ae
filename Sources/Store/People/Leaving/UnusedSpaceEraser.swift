import CSQLite

/// The overwriting of the unused space in pages with zeros. SQLite overwrites deleted content (`secure_delete`), but
/// not the old copies of rows that it moves to another page.
///
/// It bypasses SQLite's cache and uses SQLite's own file. While the write-ahead log and the writer's cache are empty,
/// each page is only in the file. Readers of a page never use the overwritten bytes, and any mixture of the old and new
/// page is valid, even after a power loss.
enum UnusedSpaceEraser {
    /// The number of pages of one slice.
    private static let pagesMax: Int64 = 4096
    /// The number of pages from which the first byte of an overflow page may look like that of a page with rows.
    private static let pageCountMax: Int64 = 1 << 25

    /// Sweeps some pages. Returns the last one, or `nil` at the end of the file. The log must be empty, and no
    /// transaction open.
    static func go(on place: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Int64? {
        let size = Int(try connection.number("PRAGMA page_size") ?? 4096)
        let count = try connection.number("PRAGMA page_count") ?? 0
        guard place < count, count < pageCountMax else { return nil }
        // SQLite does not write pages that are pinned without an open transaction.
        sqlite3_db_release_memory(connection.handle)
        var page = [UInt8](repeating: 0, count: size)
        let end = min(place + pagesMax, count)
        for number in (place + 1)...end {
            let offset = (number - 1) * Int64(size)
            try demand(lectern_sqlite3_read(connection.handle, &page, Int32(size), offset))
            if sweep(&page, header: number == 1 ? 100 : 0) {
                try demand(lectern_sqlite3_write(connection.handle, page, Int32(size), offset))
            }
        }
        try demand(lectern_sqlite3_sync(connection.handle))
        return end
    }

    private static func demand(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw SQLiteError(code: code, message: "a page cannot be read or written") }
    }

    /// Overwrites a page's unused space, and returns whether it contained anything. See
    /// https://www.sqlite.org/fileformat2.html, 1.6. Damaged pages and pages without rows are left unchanged.
    static func sweep(_ page: inout [UInt8], header: Int) -> Bool {
        func number(_ place: Int) -> Int { Int(page[place]) << 8 | Int(page[place + 1]) }
        let pointers: Int
        switch page[header] {
        case 2, 5: pointers = header + 12
        case 10, 13: pointers = header + 8
        default: return false
        }
        let content = number(header + 5) == 0 ? 65_536 : number(header + 5)
        let gap = pointers + 2 * number(header + 3)
        guard gap <= content, content <= page.count else { return false }
        var holes = [gap..<content]
        var free = number(header + 1)
        while free != 0 {
            guard free >= content, free + 4 <= page.count else { return false }
            let (next, end) = (number(free), free + number(free + 2))
            guard end >= free + 4, end <= page.count, next == 0 || next > free else { return false }
            holes.append(free + 4..<end)
            free = next
        }
        var isFound = false
        for hole in holes where page[hole].contains(where: { $0 != 0 }) {
            page.replaceSubrange(hole, with: repeatElement(0, count: hole.count))
            isFound = true
        }
        return isFound
    }
}
