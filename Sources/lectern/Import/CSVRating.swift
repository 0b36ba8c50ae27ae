import Model

/// The stars in a row, and the reading of the book that they are for.
struct CSVRating {
    let stars: Stars
    /// The text that distinguishes the readings of one book in a file, or an empty one.
    let reading: String
    let finishedAt: Instant?
}

extension CSVBookColumns {
    /// Returns the rating in a row, or `nil` without stars, which Goodreads writes as 0. StoryGraph's quarters of a star
    /// are rounded to halves, upwards.
    ///
    /// Only a finished reading is rated: as a finished one, any other would show its reader notes of later chapters.
    func rating(_ row: CSVRow, _ warnings: inout [String]) -> CSVRating? {
        guard let text = text(.stars, row), Double(text) != 0 else { return nil }
        guard let stars = Double(text).flatMap({ Int64(exactly: ($0 * 2).rounded()) }).flatMap({ Stars(halves: $0) })
        else {
            warnings.append("stars: \"\(text.prefix(40))\" is not a number up to 5: left out")
            return nil
        }
        guard ["read", "finished", nil].contains(self.text(.state, row)) else {
            warnings.append("stars: the book was not read to its end: left out")
            return nil
        }
        return CSVRating(
            stars: stars, reading: self.text(.reading, row) ?? "", finishedAt: finishedAt(row, &warnings))
    }

    /// Returns the first valid date of a row, or `nil`.
    private func finishedAt(_ row: CSVRow, _ warnings: inout [String]) -> Instant? {
        // Today's noon may be still to come.
        let latest = Instant.now.milliseconds + 86_400_000
        for date in texts(.finishedAt, row) {
            // Noon is on the same day nearly everywhere.
            let instant = Instant(date) ?? Instant(date.replacing("/", with: "-") + "T12:00:00Z")
            if let instant, instant.milliseconds <= latest { return instant }
            warnings.append("date: \"\(date.prefix(40))\" is not a past date such as 2024/02/29: left out")
        }
        return nil
    }
}
