import JSON
import Model

/// What a reader brought along of another house's clubs, which are not here: memberships, standings, answers, reactions, and of their
/// own notes and shelves whose they were. Nothing here follows from it; an export of the reader's says it again.
struct Keepsake: Proposal {
    /// What one reader may keep.
    static let countMax = 10_000
    static let bytesMax = 4 << 10

    let reader: Int64
    let kind: String
    let place: Portable.Place
    let value: [UInt8]
    /// Whether nothing was kept in that place.
    let isNew: Bool

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        try application.connection.statement(
            "INSERT OR REPLACE INTO keepsakes (reader, kind, id, part, value) VALUES (?1, ?2, ?3, ?4, ?5)"
        ).bind(1, reader).bind(2, kind).bind(3, place.id).bind(4, place.part).bind(5, text: value).run()
        if isNew { application.keepsakeCounts.add(ofReader: reader) }
        application.noteSilentWrite()
        return .silentlyCreated
    }

    static func value(
        reader: Int64, kind: String, _ place: Portable.Place, in connection: Connection
    ) throws(SQLiteError) -> [UInt8]? {
        try connection.statement(
            "SELECT value FROM keepsakes WHERE reader = ?1 AND kind = ?2 AND id = ?3 AND part = ?4"
        ).bind(1, reader).bind(2, kind).bind(3, place.id).bind(4, place.part).first { $0.bytes(0) } ?? nil
    }

    static func count(ofReader reader: Int64, in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.statement("SELECT count(*) FROM keepsakes WHERE reader = ?1").bind(1, reader)
            .first { $0.integer(0) } ?? 0
    }
}

extension WriteState {
    /// What is to be kept of what a line says; nothing where that is kept already.
    func keeping(
        _ value: [UInt8], kind: String, _ place: Portable.Place, _ bringing: Bringing
    ) throws(LecternError) -> [Keepsake] {
        guard let reader = try accountKey(bringing) else { return [] }
        guard value.count <= Keepsake.bytesMax else {
            throw .tooLarge(limit: "keepsakeBytesMax", max: Keepsake.bytesMax)
        }
        let known = try read(Keepsake.value(reader: reader, kind: kind, place, in: db))
        if let known {
            if known == value { return [] }
            guard bringing.replaces else {
                throw .refused(.importDiffers, "This is kept already, and another. replace writes over it.")
            }
        } else if try count(ofReader: reader) >= Keepsake.countMax {
            throw .limitReached(
                limit: "keepsakesMax", max: Keepsake.countMax,
                "\(Keepsake.countMax) things of other houses' clubs are kept for a reader at most.")
        }
        return [Keepsake(reader: reader, kind: kind, place: place, value: value, isNew: known == nil)]
    }

    private func count(ofReader reader: Int64) throws(LecternError) -> Int64 {
        try query { db throws(SQLiteError) in
            try keepsakeCounts.count(ofReader: reader) { () throws(SQLiteError) in
                try Keepsake.count(ofReader: reader, in: db)
            }
        }
    }

    /// What a line says of a club's things in an account is kept as it says it, unless it is here and the reader's.
    func keepingFact(
        _ line: JSONValue, kind: String, _ place: Portable.Place, isHere: Bool, _ bringing: Bringing
    ) throws(LecternError) -> Decision {
        if isHere { return Decision([]) }
        var json = JSONWriter()
        json.value(line)
        return Decision(try keeping(json.bytes, kind: kind, place, bringing))
    }
}
