import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of the catalogue's books.
extension Route {
    static let books: [Route] = [
        Route(
            .get, "/v1/books", "listBooks",
            parameters: paged("q", "author", "isbn", "language", "publishedFrom", "publishedTo", "sort"),
            sharesPages: true
        ) { call throws(RequestError) in
            let filter = try BookFilter(call.query)
            let (order, descending) = try call.query.bookOrder(filter)
            return try call.list(
                in: .everyone, filter: filter == BookFilter() ? .all : .books(filter),
                order: ListOrder(order == .relevance ? .title : order, isDescending: descending),
                watch: try call.best(order == .relevance && filter.search != nil, of: .book, in: [.everyone])
            ) {
                reads, paging, known throws(RequestError) in
                let page = try reads.books(
                    filter, order: order, descending: descending, after: paging.cursor, limit: paging.limit,
                    known: known)
                guard paging.cursor == nil, page.items.isEmpty, page.next == nil else { return page }
                return ListPage(suggestion: try reads.suggestion(for: filter))
            }
        },
        Route(.get, "/v1/books/{id}", "getBook") { call throws(RequestError) in
            let id = try call.id(0)
            return try call.one(id, cacheScope: .everyone) { reads throws(RequestError) in try reads.book(id) }
        },
        writing(.post, "/v1/books", "createBook") { .createBook($1) },
        writing(.put, "/v1/books/{id}", "putBook") { .putBook($0[0], $1) },
        writing(.patch, "/v1/books/{id}", "updateBook") { .updateBook($0[0], $1) },
        deleting("/v1/books/{id}", "deleteBook") { .deleteBook($0[0]) },
    ]
}

extension BookFilter {
    /// Creates the filter that a query describes.
    init(_ query: RequestQuery) throws(RequestError) {
        self.init()
        search = try query.search("q")
        author = try query.search("author", begins: false)
        if let number = query.text("isbn"), number.utf8.count > 17 || !ISBN.hasForm(number) {
            throw query.refusal("isbn", "must be an ISBN-10 or ISBN-13")
        }
        // A number with a wrong check digit matches no book.
        isbn = query.text("isbn").map { ISBN($0)?.digits ?? "" }
        // An ISBN in `q` finds the book that has it.
        if let number = query.text("q").flatMap({ ISBN(typed: $0) })?.digits {
            (search, isbn) = (nil, isbn == nil || isbn == number ? number : "")
        }
        language = query.text("language")
        if let tag = language, tag.utf8.count > 35 || !Book.isLanguageTag(tag) {
            throw query.refusal("language", "must be a language tag such as en or pt-BR")
        }
        publishedFrom = try query.integer("publishedFrom", in: -5000...9999)
        publishedTo = try query.integer("publishedTo", in: -5000...9999)
    }
}

extension RequestQuery {
    /// Returns the order of books, which a minus sign reverses.
    fileprivate func bookOrder(_ filter: BookFilter) throws(RequestError) -> (order: BookOrder, descending: Bool) {
        guard let text = text("sort") else { return (filter.search == nil ? .title : .relevance, false) }
        let descending = text.hasPrefix("-")
        guard let order = BookOrder(rawValue: descending ? String(text.dropFirst()) : text) else {
            let names = BookOrder.allCases.map(\.rawValue).joined(separator: ", ")
            throw refusal("sort", "must be one of \(names), with - before it for the reverse order")
        }
        if order == .relevance, descending {
            throw refusal("sort", "must not be -relevance: relevance has no reverse order")
        }
        return (order, descending)
    }
}
