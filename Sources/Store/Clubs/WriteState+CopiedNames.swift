import Model

extension WriteState {
    /// Returns the first writes that follow from a new title of a book, or a new name of a reader.
    func copying(
        _ label: String, of kind: BulkChangeKind, _ subject: Int64
    ) throws(RequestError) -> [any CommandChange] {
        try copying(label, by: BulkChange(kind: kind, subject: subject)).beginning
    }

    /// Returns the writes to the next rows with an old title or name, none if there is no label any more. Rows that are
    /// still to be written are those with another label.
    func copying(_ label: String?, by change: BulkChange) throws(RequestError) -> BulkChangeSlice {
        guard let label else { return BulkChangeSlice() }
        var slice = BulkChangeSlice()
        func write<Stored: ResourceTable>(
            _: Stored.Type, where isOld: StaticString, _ set: (inout Stored.Row) -> Void
        ) throws(RequestError) {
            let rows = try query(
                Stored.matching(isOld, in: db).bind(change.subject, label, BulkChange.countMax).all(Stored.row))
            if rows.count == BulkChange.countMax { slice.rest = change }
            slice.own += rows.map { Stored.update(of: $0, set) }
        }
        if change.kind == .title {
            try write(ClubRunTable.self, where: "runs.book = ?1 AND runs.title <> ?2 ORDER BY runs.key LIMIT ?3") {
                $0.title = label
            }
            try write(
                MeetingTable.self,
                where: "meetings.book = ?1 AND meetings.book_title <> ?2 ORDER BY meetings.key LIMIT ?3"
            ) { $0.bookTitle = label }
        } else {
            try write(
                StandingTable.self,
                where: "members.reader = ?1 AND standings.name <> ?2 ORDER BY standings.key LIMIT ?3"
            ) { $0.name = label }
            try write(
                ModeratorStandingTable.self,
                where:
                    "members.reader = ?1 AND moderator_standings.name <> ?2 ORDER BY moderator_standings.key LIMIT ?3"
            ) { $0.name = label }
            try write(
                MeetingAttendanceTable.self,
                where: "members.reader = ?1 AND attendances.name <> ?2 ORDER BY attendances.key LIMIT ?3"
            ) { $0.name = label }
        }
        return slice
    }
}
