package import Model

extension ListOrder {
    /// What gives the page after a place in a list of that kind: the same that its pages give as their `next`.
    package func cursor(after place: ListPlace, of kind: ResourceKind) -> String {
        let list = list(of: kind)
        let value: PageCursor.Value =
            switch (place.value, list.sort) {
            // Lists of rows have their keys as a number, too.
            case (.none, .integer): .integer(place.key)
            case (.none, _): .none
            case (.number(let number), _): .integer(number)
            case (.text(let text), _): .text(String(decoding: text, as: UTF8.self))
            }
        return PageCursor(list, value, key: place.key).text
    }

    private func list(of kind: ResourceKind) -> PageCursor.List {
        switch kind {
        case .book: bookOrder.list
        case .reading, .card: PageCursor.List(kind: .reading)
        case .note: PageCursor.List(kind: .note)
        default: PageCursor.List(kind: kind, sort: .integer)
        }
    }

    private var bookOrder: BookOrder {
        switch sort {
        case .title: .title
        case .author: .author
        case .publishedYear: .publishedYear
        case .instant, .number: .updatedAt
        case .creation: .createdAt
        }
    }
}
