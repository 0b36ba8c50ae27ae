public import JSON

/// A reader's report of content that should not be there. It goes to a club's moderators and the administrators, or to
/// the administrators alone.
public struct ContentReport: Resource {
    public static let kind = ResourceKind.report
    public static let fields = ResourceFields<ContentReport>([
        .link(
            "reporter", from: "readers.id", { $0.reporter }, { $0.reporter = $1 }, key: { $0.reporterKey },
            { $0.reporterKey = $1 }),
        .fixed("about", { $0.about }, { $0.about = $1 }),
        .fixed("subject", { $0.subject }, { $0.subject = $1 }),
        .fixed("author", { $0.author }, { $0.author = $1 }),
        .fixed("club", { $0.club }, { $0.club = $1 }),
        .fixed("reason", { $0.reason }, { $0.reason = $1 }),
        .fixed("text", { $0.text }, { $0.text = $1 }),
        ResourceField("copy", { $0.copy }, { $0.copy = $1 }),
        ResourceField("outcome", { $0.outcome }, { $0.outcome = $1 }),
        ResourceField("remark", { $0.remark }, { $0.remark = $1 }),
        .unsent("decider", .changing, { $0.deciderKey }, { $0.deciderKey = $1 }),
    ])

    public var identity: CommonResourceFields
    public private(set) var reporter = ResourceID.zero
    public private(set) var reporterKey: Int64 = 0
    public private(set) var about = ReportSubject.note
    /// The id of the reported thing, which may be deleted.
    public private(set) var subject = ResourceID.zero
    /// The owner of the reported thing, who is not notified; `nil` for a club.
    public private(set) var author: ResourceID?
    /// The club whose moderators also see the report; `nil` for administrators alone.
    public private(set) var club: ResourceID?
    public private(set) var reason = ContentReportReason.other
    /// The reporter's text, 1 to 2,000 characters.
    public var text: String?
    /// The content at the time of the report. `nil` once its author left, and for viewers who may not see it yet.
    public var copy: String?
    /// The outcome, or `nil` while the report is open.
    public private(set) var outcome: ContentReportOutcome?
    /// The decider's message to the reporter, 1 to 2,000 characters.
    public var remark: String?
    /// The key of the reader who decided and wrote the remark. Never sent.
    public private(set) var deciderKey: Int64?

    /// A report without the copy has another ETag, because the copy appears and disappears with a viewer's progress.
    public var validator: Int64 { copy == nil ? 1 << 61 | version : version }

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(
        id: ResourceID, _ draft: ContentReportDraft, by reporter: RowReference, author: ResourceID?, club: ResourceID?,
        copy: String, createdAt: Instant
    ) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        (self.reporter, reporterKey) = reporter
        (about, subject, reason, text) = (draft.about, draft.subject, draft.reason, draft.text)
        (self.author, self.club, self.copy) = (author, club, copy)
    }

    /// Closes the report.
    public mutating func close(_ decision: ContentReportDecision, by decider: Int64) {
        (outcome, remark, deciderKey) = (decision.outcome, decision.remark, decider)
    }
}

/// The outcome of a report. The raw values are stored and sent.
public enum ContentReportOutcome: String, StorableValue, CaseIterable {
    /// The content was acted upon.
    case acted
    /// Nothing needs to be done.
    case dismissed
}

/// The kind of the reported thing. The raw values are stored and sent.
public enum ReportSubject: String, StorableValue, CaseIterable {
    case note
    case club
    case reader
    case shelf
}

/// The reason for a report. The raw values are stored and sent.
public enum ContentReportReason: String, StorableValue, CaseIterable {
    case spam
    case harassment
    case hate
    case spoiler
    case illegal
    case other
}

/// The body of a request that creates a report.
public struct ContentReportDraft: RequestBody {
    public let about: ReportSubject
    /// The id of the reported thing: see `ContentReport.subject`.
    public let subject: ResourceID
    public let reason: ContentReportReason
    /// The reporter's text: see `ContentReport.text`.
    public let text: String?

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        about = decoder.required("about", decoder.choiceOrNull("about"), .whole) ?? .note
        reason = decoder.required("reason", decoder.choiceOrNull("reason"), .whole) ?? .other
        subject = decoder.requiredID("subject")
        text = decoder.string("text", length: 1...2000, multiline: true).value
    }
}

/// The body of a request that closes a report.
public struct ContentReportDecision: RequestBody {
    public let outcome: ContentReportOutcome
    /// The message to the reporter: see `ContentReport.remark`.
    public let remark: String?

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        outcome = decoder.required("outcome", decoder.choiceOrNull("outcome"), .whole) ?? .acted
        remark = decoder.string("remark", length: 1...2000, multiline: true).value
    }
}
