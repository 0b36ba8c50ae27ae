import Bytes
import HTTPServer
import Model

/// The parameters of a request's query. The handler that uses a parameter checks its value; an unknown parameter is
/// refused by name.
struct RequestQuery {
    private let parameters: QueryParameters
    private let known: [String]

    /// Decodes a query. Throws if it cannot be decoded, or has a parameter that is not in `known` unless others are
    /// ignored.
    init(_ request: borrowing Request, known: [String], ignoresOthers: Bool = false) throws(RequestError) {
        self.known = known
        do throws(InvalidText) { parameters = try QueryParameters(request.query) } catch {
            throw .refused(.malformedQuery, "\(error.reason).")
        }
        for parameter in parameters.all where parameter.value.utf8.contains(0) {
            throw .refused(.malformedQuery, "The query parameter \"\(parameter.name)\" must not contain NUL.")
        }
        if !ignoresOthers, let name = parameters.firstUnknown(known) {
            let list = known.isEmpty ? "none" : known.joined(separator: ", ")
            let hint = SimilarNameSearch.nearest(name, among: known).map { " Did you mean \"\($0)\"?" } ?? ""
            throw .refused(
                .unknownParameter, "The query parameter \"\(name)\" is unknown. This path takes: \(list).\(hint)")
        }
    }

    /// Returns the text of a parameter, or `nil` if it is absent.
    func text(_ name: String) -> String? {
        assert(known.contains(name), "a route reads a parameter that it does not declare: \(name)")
        return parameters[name]
    }

    /// Returns whether a parameter is present.
    func has(_ name: String) -> Bool { text(name) != nil }

    /// Returns the page of a list that the query asks for.
    func paging(_ size: PageRequest.Size = PageRequest.Size()) throws(RequestError) -> PageRequest {
        PageRequest(cursor: text("cursor"), limit: try limit(size))
    }

    /// Returns the link to the next page, made from the decoded parameters.
    func link(to cursor: String, path: [UInt8]) -> [UInt8] {
        var link: [UInt8] = []
        link.reserveCapacity(path.count + 160)
        link.append(UInt8(ascii: "<"))
        link += path
        link.append(UInt8(ascii: "?"))
        for parameter in parameters.all where parameter.name != "cursor" {
            PercentEncoding.append(parameter.name, to: &link)
            link.append(UInt8(ascii: "="))
            PercentEncoding.append(parameter.value, to: &link)
            link.append(UInt8(ascii: "&"))
        }
        // A cursor is base64url, which needs no escapes.
        link += "cursor=".utf8
        link += cursor.utf8
        link += ">; rel=\"next\"".utf8
        return link
    }

    /// Returns the number of items in a page.
    func limit(_ size: PageRequest.Size = PageRequest.Size()) throws(RequestError) -> Int {
        try integer("limit", in: 1...size.max).map { Int($0) } ?? size.standard
    }

    /// Returns a Boolean parameter.
    func bool(_ name: String) throws(RequestError) -> Bool? {
        switch text(name) {
        case nil: nil
        case "true": true
        case "false": false
        default: throw refusal(name, "must be true or false")
        }
    }

    /// Returns an integer parameter, which may be negative.
    func integer(_ name: String, in range: ClosedRange<Int32>) throws(RequestError) -> Int32? {
        guard let text = text(name) else { return nil }
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = text.utf8.dropFirst(isNegative ? 1 : 0)
        let magnitude = DigitParser.decimal(digits.span.bytes, max: Int(Int32.max)).flatMap { Int32(exactly: $0) }
        guard let magnitude, case let value = isNegative ? -magnitude : magnitude, range.contains(value) else {
            throw refusal(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// Returns one of a type's raw values.
    @_semantics("optimize.sil.specialize.generic.never")
    func choice<Choice: RawRepresentable & CaseIterable>(_ name: String) throws(RequestError) -> Choice?
    where Choice.RawValue == String {
        guard let text = text(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw refusal(name, "must be one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    /// Returns a resource's id. `form` says what the parameter must be.
    func id(_ name: String, _ form: String = "must be a UUID") throws(RequestError) -> ResourceID? {
        guard let text = text(name) else { return nil }
        guard let id = ResourceID(text) else { throw refusal(name, form) }
        return id
    }

    /// Returns the search for a text: for words, or for beginnings of words if `begins` is true. Returns `nil`, which
    /// filters nothing, for a text without words.
    func search(_ name: String, begins: Bool = true) throws(RequestError) -> SearchQuery? {
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

    /// Returns whether the best matches come first, which is the default for a search. `own` is the name of the list's
    /// own order.
    func bestFirst(_ search: SearchQuery?, orElse own: String) throws(RequestError) -> Bool {
        switch text("sort") {
        case nil: return search != nil
        case own: return false
        // Without a search, all items are equally relevant.
        case "relevance": return search != nil
        default: throw refusal("sort", "must be one of relevance, \(own)")
        }
    }

    /// Returns the fields that a subscriber wants, or `nil` for all.
    func fields(of kind: ResourceKind) throws(RequestError) -> FieldSet? {
        guard let text = parameters["fields"] else { return nil }
        guard let fields = FieldSet(text.split(separator: ","), of: kind.fieldNames), fields != [] else {
            let names = kind.fieldNames.map(\.description).joined(separator: ", ")
            throw refusal("fields", "must be field names, separated by commas, from: \(names)")
        }
        return fields
    }

    /// Returns the error for an invalid parameter.
    func refusal(_ name: String, _ detail: String) -> RequestError {
        .refused(.invalidParameter, "The query parameter \"\(name)\" \(detail).")
    }
}
