package import Model

extension Subscription {
    /// A subscription to what one URL watches.
    package convenience init(
        owner: UInt64, viewer: Viewer, style: FrameStyle = .plain, form: Part.Form = .events, topics: [Topic],
        inEachClub: Part.InEachClub? = nil, club: Int64? = nil, whole: Topic? = nil, fields: FieldSet?,
        filter: ListFilter?, cursor: Int64, within: Int = 0
    ) {
        let part = Part(
            form: form, topics: topics, inEachClub: inEachClub, club: club, whole: whole, fields: fields,
            filter: filter, since: cursor)
        self.init(owner: owner, viewer: viewer, style: style, [part], cursor: cursor, within: within)
    }

    /// Bytes that commits may have for a subscription in one go; what is more it gets from the log.
    private static let notedBytesMax = 1 << 20

    /// Notes what a change has for one of its parts. Changes that share a seq are given together, unless some of them have been
    /// told: the log knows which.
    func hear(
        _ published: PublishedChange, at slot: Int, as name: EventName?, _ differing: FieldSet, _ told: Told?,
        _ touched: inout [Subscription]
    ) {
        let change = published.change
        let part = Int(seats[slot].part)
        guard hears(change.seq, part) else { return }
        if parts[part].hasCount {
            recount(part, after: change, &touched)
            if parts[part].counts(seats[slot].model.topic) { return }
        }
        guard notedBytes < Self.notedBytesMax || change.seq == noted.last?.published.change.seq,
            state.parts == 0 || change.seq > state.cursor + 1
        else { return miss(change, &touched) }
        if let told, !told.readers.contains(viewer.readerKey) {
            // An error, or not to have asked, is no "no".
            if !told.asked.contains(viewer.readerKey) { miss(change, &touched) }
            return
        }
        if parts[part].form == .view, !ends(part: part, with: change) {
            guard name != nil else { return }
            touch(&touched)
            return owe(part: part, through: change.seq - 1)
        }
        guard let heard = heard(of: published, part, as: name, differing) else { return }
        touch(&touched)
        note(published, heard)
        if heard.isOver { end(part: part) }
    }

    /// Lets a part owe its count after a change, whether or not its reader may be told of that. Where there is none, only the
    /// club's settings make one.
    private func recount(_ part: Int, after change: Change, _ touched: inout [Subscription]) {
        guard parts[part].isCounting || change.kind == .club else { return }
        touch(&touched)
        guard parts[part].form == .view else { return oweCount(part: part) }
        owe(part: part, through: change.seq - 1)
    }

    /// Whether one of its parts is to be given a change that comes now.
    func hears(_ seq: Int64, _ part: Int) -> Bool {
        state.hears(seq) && seq > parts[part].since && !parts[part].isOver
    }

    /// What a change is to one of its parts, which has that name where it listens; nil for nothing. Whether its reader may be
    /// told of a club's note has been asked.
    func heard(
        of published: PublishedChange, _ part: Int, as name: EventName?, _ differing: FieldSet
    ) -> Heard? {
        let change = published.change
        if ends(part: part, with: change) { return last(part, change) }
        guard let name, !parts[part].isPart(of: change), published.maySee(viewer) else { return nil }
        if name == .updated, let fields = parts[part].fields, fields.isDisjoint(with: differing) { return nil }
        return Heard(name: parts[part].name, part: part, event: name)
    }

    /// The last that it is told of a part which a change ends: with what it shows, or with its reader's going.
    private func last(_ part: Int, _ change: Change) -> Heard {
        let isGone = change.operation == .deleted
        let isOwn = isGone && isOwn(part, change)
        let reason: EventFrame.Reason? =
            switch change.operation {
            case .raised: .raised
            case .undone: .undone
            default: !isGone || change.kind == .member && !isOwn ? .noLongerYours : nil
            }
        return Heard(
            name: parts[part].name, part: part, event: isOwn ? .deleted : .leave, reason: reason, isOver: true)
    }

    /// Notes the last of a part, as of a change after which its reader must be told no more of it.
    func lose(part: Int, by published: PublishedChange, _ touched: inout [Subscription]) {
        guard !parts[part].isOver else { return }
        touch(&touched)
        note(published, last(part, published.change))
        end(part: part)
    }

    /// Notes what a change does to a row of a window that one of its parts shows.
    func hear(_ published: PublishedChange, at slot: Int, in window: Heard, _ touched: inout [Subscription]) {
        let part = Int(seats[slot].part)
        guard hears(published.change.seq, part), !parts[part].owes, published.maySee(viewer) else { return }
        guard parts[part].form == .window else { return owe(at: slot, from: published.change.seq, &touched) }
        guard notedBytes < Self.notedBytesMax else { return miss(published.change, &touched) }
        touch(&touched)
        note(published, window.named(parts[part].name, part: part))
    }

    /// Whether a part of it wants to hear of an update of these fields.
    func wants(_ differing: FieldSet, at slot: Int) -> Bool {
        parts[Int(seats[slot].part)].fields.map { !$0.isDisjoint(with: differing) } ?? true
    }

    /// Lets a part owe what it shows, because that cannot be told from a change on.
    func owe(at slot: Int, from seq: Int64, _ touched: inout [Subscription]) {
        owe(part: Int(seats[slot].part), from: seq, &touched)
    }

    /// Lets a part owe a snapshot, because its changes cannot be told from a change on.
    func owe(part: Int, from seq: Int64, _ touched: inout [Subscription]) {
        guard !parts[part].isOver, !parts[part].owes else { return }
        touch(&touched)
        let name = parts[part].name
        noted = noted.compactMap { event in
            event.published.change.seq < seq ? event : event.keeping { $0.name != name || $0.isOver }
        }
        owe(part: part, through: seq - 1)
    }

    private func note(_ published: PublishedChange, _ heard: Heard) {
        // What is noted of others with one seq is few.
        let known = noted.indices.reversed().prefix { noted[$0].published.change.seq == published.change.seq }
        if let index = known.first(where: { noted[$0].published === published }) { return noted[index].add(heard) }
        noted.append(Noted(published, heard))
        notedBytes += noted[noted.count - 1].size
    }

    /// A part has ended. With the only one of a subscription to one URL that ends, too.
    func end(part: Int) {
        parts[part].isOver = true
        parts[part].owes = false
        if !owes { marks?.viewsThrough = nil }
        if !style.isNamed { _ = state.take(.over) }
    }

    /// From the transaction of this change on it is given the log.
    func miss(_ change: Change, _ touched: inout [Subscription]) {
        miss(from: change.transaction, change.seq, &touched)
    }

    /// From a change on, the first of a transaction, it is given the log, where it hears of the change `seq`.
    func miss(from first: Int64, _ seq: Int64, _ touched: inout [Subscription]) {
        guard state.hears(seq) else { return }
        touch(&touched)
        // What a part ends with is not in the log for its reader.
        noted = noted.compactMap { $0.published.change.seq < first ? $0 : $0.keeping(\.isOver) }
        _ = state.take(.missed(max(first, state.cursor + 1)))
    }

    func touch(_ touched: inout [Subscription]) {
        guard !isTouched else { return }
        isTouched = true
        touched.append(self)
    }

    /// What the commits of this turn have for it, as frames, and how far that goes.
    func takeNoted(head: Int64, _ epoch: Epoch) -> (frames: [[UInt8]], through: Int64) {
        let taken = noted
        (noted, notedBytes, isTouched) = ([], 0, false)
        // Who is behind hears of nothing but the end of what may be told.
        let isOnTheWay = state.phase != .live && !state.isOver
        let through = isOnTheWay ? state.cursor : state.missedFrom.map { $0 - 1 } ?? head
        return (frames(of: taken, through: through, epoch), through)
    }
}
