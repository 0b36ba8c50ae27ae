import JSON
import Model

extension WriteState {
    /// Returns the reading with the progress of its latest entry, or with none; a finished reading has the whole
    /// progress. Page and position are those in the reading's edition, if it has one.
    func showing(_ latest: Entry?, in reading: Reading) throws(RequestError) -> Reading {
        var new = reading
        new.latestEntry = latest?.id
        new.latestEntryAt = latest?.happenedAt
        if !new.isFinished { new.progress = latest?.progress ?? .none }
        try place(&new, at: latest)
        return new
    }

    /// Returns the reading with a patch's edition and page count. The progress stays and is converted to the edition's
    /// pages or other units.
    func applied(_ patch: ReadingPatch, to old: Reading) throws(RequestError) -> Reading {
        var new = old
        switch patch.edition {
        case .value(let id) where id != old.edition:
            try new.setEdition(_: edition(named: id, of: old.bookKey), pageCount: patch.pageCount)
        case .null where old.edition != nil:
            new.edition = nil
            new.pageCount = try query(BookTable.find(key: old.bookKey, in: db))?.pageCount
        default:
            if old.edition != nil, case .value = patch.pageCount { throw .pagesOfEdition }
        }
        var pageCount = new.pageCount
        patch.pageCount.apply(to: &pageCount)
        if new.edition == old.edition {
            new.change(pageCount: pageCount)
        } else {
            new.pageCount = pageCount
            try place(
                &new,
                at: old.latestEntry.flatMap { id throws(RequestError) in
                    try query(EntryTable.find(id, in: db))
                })
        }
        return new
    }

    /// Sets the page and position of a reading's progress: those of its latest entry, or converted to the edition's
    /// units.
    private func place(_ reading: inout Reading, at latest: Entry?) throws(RequestError) {
        reading.position = reading.isFinished ? nil : latest?.position
        guard let id = reading.edition else {
            // A page of an edition is not a page of the reading's own page count.
            if reading.position?.edition != nil, case .page? = reading.position?.value { reading.position = nil }
            reading.page = reading.pageCount.map(reading.progress.page(of:))
            return
        }
        let isSaidThere = reading.position.map { $0.edition == nil || $0.edition == id } ?? false
        if isSaidThere, let page = latest?.page {
            reading.page = page
            return
        }
        let resolver = try query(
            PositionResolverSource.resolver(of: id, ofBook: reading.bookKey, pageCount: nil, in: db))
        reading.page = resolver.page(at: reading.progress)
        guard !isSaidThere, latest != nil || reading.isFinished else { return }
        reading.position = resolver.value(at: reading.progress).map { Position($0, edition: id) }
    }
}

extension Reading {
    /// Sets the edition that is read, and adopts its page count. Throws if the patch also sets a page count.
    mutating func setEdition(_ edition: Edition, pageCount: DecodedMember<Int32>) throws(RequestError) {
        if case .value = pageCount { throw .pagesOfEdition }
        self.edition = edition.id
        self.pageCount = edition.pageCount
    }
}

extension RequestError {
    fileprivate static let pagesOfEdition = RequestError.violation(
        "/pageCount", "must be absent with an edition, which has its own")
}
