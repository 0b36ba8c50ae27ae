/// A scale in which amounts compare exactly. Amounts of two scales do not compare.
///
/// Amounts are whole numbers in millionths of the unit. By chapters, an amount is the number of the chapter and the
/// millionths of it.
public enum ComparisonScale: Hashable, Sendable {
    /// The book's chapters, at a revision of the list or of its anchors.
    case chapters(revision: Int64)
    /// The unit of an edition, at a revision of its scale.
    case edition(ResourceID, revision: Int64)
    /// Pages of this total number, without an edition.
    case pages(Int32)
    /// Progress, without an edition.
    case progress

    /// The amount that stands for one unit, such as one page: a million.
    public static let unit: Int64 = 1_000_000
}

/// The name of a scale in tables and exports: `chapters 2`, `edition 0199…d7 1`, `pages 417`, `progress`.
extension ComparisonScale: LosslessStringConvertible {
    public var description: String {
        switch self {
        case .chapters(let revision): "chapters \(revision)"
        case .edition(let id, let revision): "edition \(id) \(revision)"
        case .pages(let total): "pages \(total)"
        case .progress: "progress"
        }
    }

    public init?(_ name: String) {
        let words = name.split(separator: " ", omittingEmptySubsequences: false)
        switch words.first {
        case "chapters" where words.count == 2:
            guard let revision = Int64(words[1]), revision > 0 else { return nil }
            self = .chapters(revision: revision)
        case "edition" where words.count == 3:
            guard let id = ResourceID(String(words[1])), let revision = Int64(words[2]), revision > 0 else {
                return nil
            }
            self = .edition(id, revision: revision)
        case "pages" where words.count == 2:
            guard let total = Int32(words[1]), Book.pageCounts.contains(Int64(total)) else { return nil }
            self = .pages(total)
        case "progress" where words.count == 1: self = .progress
        default: return nil
        }
        // Each scale has only one name: "pages 0417" is invalid.
        if description != name { return nil }
    }
}

/// An amount of a scale.
public struct ScaleAmount: Sendable, Equatable {
    public let scale: ComparisonScale
    public let amount: Int64

    public init(_ scale: ComparisonScale, _ amount: Int64) { (self.scale, self.amount) = (scale, amount) }
}

/// The amounts of a position, by the keys of the scales in which it is known (the table `scales`).
public struct ScaledPosition: Sendable, Equatable {
    public internal(set) var scale: Int64?
    public internal(set) var amount: Int64?
    /// The scale of the book's chapters; `nil` where the position is not known by chapters, or `scale` is that scale.
    public internal(set) var chapters: Int64?
    public internal(set) var chaptersAmount: Int64?

    public init(_ own: (scale: Int64, amount: Int64)? = nil, chapters: (scale: Int64, amount: Int64)? = nil) {
        (scale, amount) = (own?.scale, own?.amount)
        (self.chapters, chaptersAmount) = (chapters?.scale, chapters?.amount)
    }

    /// The amount by which notes are compared: by chapters if it is known.
    public var exact: (scale: Int64, amount: Int64)? {
        if let chapters, let chaptersAmount { return (chapters, chaptersAmount) }
        if let scale, let amount { return (scale, amount) }
        return nil
    }

    /// All amounts, by the keys of their scales.
    public var all: [(scale: Int64, amount: Int64)] {
        var all: [(scale: Int64, amount: Int64)] = []
        if let scale, let amount { all.append((scale, amount)) }
        if let chapters, let chaptersAmount { all.append((chapters, chaptersAmount)) }
        return all
    }
}

extension ResourceField {
    /// Returns the columns of a scaled position, which is never sent.
    static func scaled(
        _ use: DatabaseColumn<Owner>.Use, _ get: @escaping @Sendable (Owner) -> ScaledPosition,
        _ set: @escaping @Sendable (inout Owner, ScaledPosition) -> Void
    ) -> ResourceField {
        func column(
            _ name: String, _ part: @escaping @Sendable (ScaledPosition) -> Int64?,
            _ put: @escaping @Sendable (inout ScaledPosition, Int64?) -> Void
        ) -> DatabaseColumn<Owner> {
            DatabaseColumn(name, use, { part(get($0)) }) { owner, value in
                var scaled = get(owner)
                put(&scaled, value)
                set(&owner, scaled)
            }
        }
        return .unsent([
            column("scale", { $0.scale }) { $0.scale = $1 },
            column("amount", { $0.amount }) { $0.amount = $1 },
            column("chapters", { $0.chapters }) { $0.chapters = $1 },
            column("chapters_amount", { $0.chaptersAmount }) { $0.chaptersAmount = $1 },
        ])
    }
}
