public import JSON

/// A member's answer to whether they come to a meeting.
public struct MeetingAttendance: Resource {
    public static let kind = ResourceKind.attendance
    public static let fields = ResourceFields<MeetingAttendance>([
        .link("meeting", { $0.meeting }, { $0.meeting = $1 }, key: { $0.meetingKey }, { $0.meetingKey = $1 }),
        .link(
            "reader", column: "member", { $0.reader }, { $0.reader = $1 }, key: { $0.memberKey }, { $0.memberKey = $1 }),
        ResourceField("name", { $0.name }, { $0.name = $1 }),
        ResourceField("answer", { $0.answer }, { $0.answer = $1 }),
        .unsent("meetings.club", .joined, { $0.clubKey }, { $0.clubKey = $1 }),
    ])

    public var identity: CommonResourceFields
    public private(set) var clubKey: Int64 = 0
    public private(set) var meeting = ResourceID.zero
    public private(set) var meetingKey: Int64 = 0
    public private(set) var reader = ResourceID.zero
    public private(set) var memberKey: Int64 = 0
    /// The reader's name in the club.
    public var name = ""
    public var answer = MeetingAttendanceAnswer.maybe

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(
        id: ResourceID, meeting: (id: ResourceID, key: Int64, clubKey: Int64), member: Member,
        answer: MeetingAttendanceAnswer, createdAt: Instant
    ) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        (self.meeting, meetingKey, clubKey) = meeting
        (reader, memberKey, name) = (member.reader, member.key, member.name)
        self.answer = answer
    }
}

/// A member's answer to whether they come to a meeting. The raw values are stored and sent.
public enum MeetingAttendanceAnswer: String, StorableValue, CaseIterable {
    case yes
    case no
    case maybe
}

/// The body of a request that answers a meeting.
public struct MeetingAttendanceDraft: RequestBody {
    /// The reader's answer.
    public let answer: MeetingAttendanceAnswer

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        answer = decoder.required("answer", decoder.choiceOrNull("answer"), .whole) ?? .maybe
    }
}
