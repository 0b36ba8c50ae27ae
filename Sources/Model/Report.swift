public import JSON

/// A reader says of something that it should not be there: to a club's moderators and the administrators, or to these alone.
public struct Report: Resource {
    /// What it is about. The raw values are stored and sent.
    public enum Subject: String, Storable, CaseIterable {
        case note
        case club
        case reader
        case shelf
    }

    /// What is wrong with that. The raw values are stored and sent.
    public enum Reason: String, Storable, CaseIterable {
        case spam
        case harassment
        case hate
        case spoiler
        case illegal
        case other
    }

    /// What became of it. The raw values are stored and sent.
    public enum Outcome: String, Storable, CaseIterable {
        /// Something was done about it.
        case acted
        /// Nothing need be done.
        case dismissed
    }

    public static let kind = ResourceKind.report
    public static let fields = Fields<Report>([
        .link(
            "reporter", from: "readers.id", { $0.reporter }, { $0.reporter = $1 }, key: "reporter",
            { $0.reporterKey }, { $0.reporterKey = $1 }),
        .fixed("about", { $0.about }, { $0.about = $1 }),
        .fixed("subject", { $0.subject }, { $0.subject = $1 }),
        .fixed("author", { $0.author }, { $0.author = $1 }),
        .fixed("club", { $0.club }, { $0.club = $1 }),
        .fixed("reason", { $0.reason }, { $0.reason = $1 }),
        .fixed("text", { $0.text }, { $0.text = $1 }),
        Field("copy", { $0.copy }, { $0.copy = $1 }),
        Field("outcome", { $0.outcome }, { $0.outcome = $1 }),
        Field("remark", { $0.remark }, { $0.remark = $1 }),
        .kept("decider", .changing, { $0.deciderKey }, { $0.deciderKey = $1 }),
    ])

    public var identity: Identity
    public private(set) var reporter = ResourceID.zero
    public private(set) var reporterKey: Int64 = 0
    public private(set) var about = Subject.note
    /// The id of what it is about, which may be gone.
    public private(set) var subject = ResourceID.zero
    /// The reader whose that is, who is told nothing; nil of a club.
    public private(set) var author: ResourceID?
    /// The club whose moderators it is for, too; nil for administrators alone.
    public private(set) var club: ResourceID?
    public private(set) var reason = Reason.other
    /// What the reporter says of it; 1 to 2,000 characters.
    public var text: String?
    /// What was there when it was reported; nil when who wrote it left, and for who may not see it yet.
    public var copy: String?
    /// Nil while it is open.
    public private(set) var outcome: Outcome?
    /// What who decided says to the reporter; 1 to 2,000 characters.
    public var remark: String?
    /// Who decided, whose words the remark is; nobody is told.
    public private(set) var deciderKey: Int64?

    public init(_ identity: Identity) { self.identity = identity }

    public init(
        id: ResourceID, _ draft: ReportDraft, by reporter: (id: ResourceID, key: Int64), author: ResourceID?,
        club: ResourceID?, copy: String, createdAt: Instant
    ) {
        self.init(Identity(id, madeAt: createdAt))
        (self.reporter, reporterKey) = reporter
        (about, subject, reason, text) = (draft.about, draft.subject, draft.reason, draft.text)
        (self.author, self.club, self.copy) = (author, club, copy)
    }

    /// Closes it.
    public mutating func close(_ decision: ReportDecision, by decider: Int64) {
        (outcome, remark, deciderKey) = (decision.outcome, decision.remark, decider)
    }
}

/// What a request says to report something.
public struct ReportDraft: Sendable {
    public let about: Report.Subject
    /// See `Report.subject`.
    public let subject: ResourceID
    public let reason: Report.Reason
    /// See `Report.text`.
    public let text: String?

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        var (about, reason) = (Report.Subject.note, Report.Reason.other)
        decoder.demanded("about", in: body).apply(to: &about)
        decoder.demanded("reason", in: body).apply(to: &reason)
        (self.about, self.reason) = (about, reason)
        subject = decoder.id("subject", isRequired: true) ?? .zero
        text = decoder.saying("text")
        try decoder.demandValid()
    }
}

/// What a request says to close a report.
public struct ReportDecision: Sendable {
    public let outcome: Report.Outcome
    /// See `Report.remark`.
    public let remark: String?

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        var outcome = Report.Outcome.acted
        decoder.demanded("outcome", in: body).apply(to: &outcome)
        self.outcome = outcome
        remark = decoder.saying("remark")
        try decoder.demandValid()
    }
}

extension ObjectDecoder {
    /// One of the words, which must be there.
    fileprivate mutating func demanded<Choice>(_ name: StaticString, in body: JSONValue) -> Patch<Choice>
    where Choice: RawRepresentable & CaseIterable & Sendable, Choice.RawValue == String {
        if body["\(name)"] == nil { missing(name) }
        return choice(name)
    }

    fileprivate mutating func saying(_ name: StaticString) -> String? {
        var text: String?
        string(name, length: 1...2000, multiline: true).patch.apply(to: &text)
        return text
    }
}
