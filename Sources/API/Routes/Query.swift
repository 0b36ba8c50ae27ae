import Bytes
import HTTPServer
import Model

/// The parameters of a request's query, each checked by the handler that knows it; what nobody knows is refused by name.
struct Query {
    private let parameters: QueryParameters
    private let known: [String]

    /// Throws when the query cannot be decoded or has a parameter that is not among `known`, unless others are ignored.
    init(_ request: borrowing Request, known: [String], ignoresOthers: Bool = false) throws(LecternError) {
        self.known = known
        parameters = try Self.parameters(of: request)
        for parameter in parameters.all where parameter.value.utf8.contains(0) {
            throw .refused(.malformedQuery, "The query parameter \"\(parameter.name)\" must not contain NUL.")
        }
        if !ignoresOthers, let name = parameters.firstUnknown(known) {
            let list = known.isEmpty ? "none" : known.joined(separator: ", ")
            let hint = Spelling.nearest(name, among: known).map { " Did you mean \"\($0)\"?" } ?? ""
            throw .refused(
                .unknownParameter, "The query parameter \"\(name)\" is unknown. This path takes: \(list).\(hint)")
        }
    }

    /// All that a request's query says; throws when it cannot be decoded.
    static func parameters(of request: borrowing Request) throws(LecternError) -> QueryParameters {
        do throws(QueryError) { return try QueryParameters(request.query) } catch {
            throw .refused(.malformedQuery, Self.message(error))
        }
    }

    /// The text of a parameter; nil when it is not there.
    func text(_ name: String) -> String? {
        assert(known.contains(name), "no route reads what its parameters do not name: \(name)")
        return parameters[name]
    }

    /// Whether a parameter is there.
    func has(_ name: String) -> Bool { text(name) != nil }

    /// Which page of a list.
    func paging(_ size: Paging.Size = Paging.Size()) throws(LecternError) -> Paging {
        Paging(cursor: text("cursor"), limit: try limit(size))
    }

    /// The same request for the next page, made of what was understood of this one.
    func link(to cursor: String, path: [UInt8]) -> [UInt8] {
        var link: [UInt8] = [UInt8(ascii: "<")] + path + [UInt8(ascii: "?")]
        for parameter in parameters.all where parameter.name != "cursor" {
            PercentEncoding.append(parameter.name, to: &link)
            link.append(UInt8(ascii: "="))
            PercentEncoding.append(parameter.value, to: &link)
            link.append(UInt8(ascii: "&"))
        }
        link += Array("cursor=".utf8)
        PercentEncoding.append(cursor, to: &link)
        return link + Array(">; rel=\"next\"".utf8)
    }

    /// How many items a page has.
    func limit(_ size: Paging.Size = Paging.Size()) throws(LecternError) -> Int {
        try integer("limit", in: 1...size.max).map { Int($0) } ?? size.standard
    }

    /// Yes or no.
    func bool(_ name: String) throws(LecternError) -> Bool? {
        switch text(name) {
        case nil: nil
        case "true": true
        case "false": false
        default: throw refusal(name, "must be true or false")
        }
    }

    /// A whole number, maybe negative.
    func integer(_ name: String, in range: ClosedRange<Int32>) throws(LecternError) -> Int32? {
        guard let text = text(name) else { return nil }
        let digits = Array((text.hasPrefix("-") ? text.dropFirst() : text[...]).utf8)
        let magnitude = Digits.decimal(digits.span.bytes, max: Int(Int32.max)).flatMap { Int32(exactly: $0) }
        guard let magnitude, case let value = text.hasPrefix("-") ? -magnitude : magnitude, range.contains(value) else {
            throw refusal(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// One of a type's raw values.
    @_semantics("optimize.sil.specialize.generic.never")
    func choice<Choice: RawRepresentable & CaseIterable>(_ name: String) throws(LecternError) -> Choice?
    where Choice.RawValue == String {
        guard let text = text(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw refusal(name, "must be one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    /// A resource's id.
    func id(_ name: String) throws(LecternError) -> ResourceID? {
        guard let text = text(name) else { return nil }
        guard let id = ResourceID(text) else { throw refusal(name, "must be a UUID") }
        return id
    }

    /// Words to search for, each of which may be a beginning, or whole ones only; nil, which filters nothing, for text without any.
    func search(_ name: String, begins: Bool = true) throws(LecternError) -> SearchQuery? {
        guard let text = text(name) else { return nil }
        guard text.unicodeScalars.count <= SearchQuery.scalarsMax else {
            throw refusal(name, "must have at most \(SearchQuery.scalarsMax) characters")
        }
        let search = SearchQuery(text, begins: begins)
        guard search?.groups.count ?? 0 <= SearchQuery.groupsMax else {
            throw refusal(name, "must have at most \(SearchQuery.groupsMax) different words")
        }
        return search
    }

    /// Whether the best that a search finds comes first: without a `sort` it does. The list's own order has a name.
    func bestFirst(_ search: SearchQuery?, orElse own: String) throws(LecternError) -> Bool {
        switch text("sort") {
        case nil: return search != nil
        case own: return false
        // Where nothing is asked all are as relevant.
        case "relevance": return search != nil
        default: throw refusal("sort", "must be one of relevance, \(own)")
        }
    }

    /// The fields a subscriber is interested in; nil for all.
    func fields(of kind: ResourceKind) throws(LecternError) -> FieldSet? {
        guard let text = parameters["fields"] else { return nil }
        guard let fields = FieldSet(text.split(separator: ","), of: kind.fieldNames), fields != [] else {
            let names = kind.fieldNames.map(\.description).joined(separator: ", ")
            throw refusal("fields", "must be field names, separated by commas, from: \(names)")
        }
        return fields
    }

    /// A violation by a parameter.
    func refusal(_ name: String, _ detail: String) -> LecternError {
        .refused(.invalidParameter, "The query parameter \"\(name)\" \(detail).")
    }

    private static func message(_ error: QueryError) -> String {
        switch error {
        case .malformed(let position): "Query parameter \(position + 1) is not percent-encoded UTF-8 text."
        case .tooMany(let max): "The query has more than \(max) parameters."
        case .repeated(let name): "The query parameter \"\(name)\" is given more than once."
        }
    }
}
