public import JSON

/// Whether a member comes to a meeting, as they said.
public struct Attendance: Resource {
    /// What they said. The raw values are stored and sent.
    public enum Answer: String, Sendable, CaseIterable {
        case yes
        case no
        case maybe
    }

    /// The row's key; 0 before it is stored, and never sent.
    public var key: Int64 = 0
    /// The key of the club's row.
    public var clubKey: Int64
    /// The key of the meeting's row.
    public var meetingKey: Int64
    /// The key of the member's row.
    public var memberKey: Int64
    /// The public id.
    public let id: ResourceID
    /// The `seq` of its last change.
    public var version: Int64 = 0
    /// Of which meeting.
    public let meeting: ResourceID
    /// Who.
    public let reader: ResourceID
    /// What they said last.
    public var answer: Answer
    /// When they first said something.
    public var createdAt: Instant?
    /// When this last changed.
    public var updatedAt: Instant?

    /// What a member has just said.
    public init(
        id: ResourceID, meeting: (id: ResourceID, key: Int64, clubKey: Int64), member: (reader: ResourceID, key: Int64),
        answer: Answer, createdAt: Instant
    ) {
        self.id = id
        self.meeting = meeting.id
        meetingKey = meeting.key
        clubKey = meeting.clubKey
        reader = member.reader
        memberKey = member.key
        self.answer = answer
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// See `ResourceKind.attendance`.
    public static let kind = ResourceKind.attendance

    /// The fields; the first two never change.
    public static let fieldNames: [StaticString] = ["meeting", "reader", "answer"]

    /// Writes the value of the field at an index.
    public func write(field index: Int, to json: inout JSONWriter) {
        switch index {
        case 0: json.id(meeting)
        case 1: json.id(reader)
        default: json.string(answer.rawValue)
        }
    }
}

/// What a request says of one's coming to a meeting.
public struct AttendanceDraft: Sendable {
    /// Whether the reader comes.
    public let answer: Attendance.Answer

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        let said: Patch<Attendance.Answer> = decoder.choice("answer")
        if body["answer"] == nil { decoder.missing("answer") }
        var answer = Attendance.Answer.maybe
        said.apply(to: &answer)
        self.answer = answer
        let violations = decoder.finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }
}
