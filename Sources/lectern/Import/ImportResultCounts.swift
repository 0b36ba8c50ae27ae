/// The counts of an import's results.
struct ImportResultCounts {
    private var counts = [Int](repeating: 0, count: ImportResult.allCases.count)
    /// The number of rows with values that were left out.
    var warned = 0
    /// The number of new ratings, or of those that a dry run found.
    var rated = 0
    /// The file's columns that are not imported.
    var unused: [String] = []
    private var seriesCount = 0
    private var series = ""

    /// The number of rows.
    var done: Int { counts.reduce(0, +) }

    subscript(_ result: ImportResult) -> Int { counts[result.rawValue] }

    mutating func record(_ result: ImportResult) { counts[result.rawValue] += 1 }

    /// Counts a series that a title contained.
    mutating func record(series text: String) {
        if seriesCount == 0 { series = text }
        seriesCount += 1
    }

    /// The parts of the file that are not imported, a line each.
    var omissions: String {
        var lines = ""
        if seriesCount > 0 { lines += "\nseries left out of \(seriesCount) titles, such as \(series.prefix(60))" }
        let names = unused.prefix(40).map { String($0.prefix(40)) }.joined(separator: ", ")
        if !unused.isEmpty { lines += "\ncolumns not used: \(names)\(unused.count > 40 ? ", …" : "")" }
        return lines
    }

    /// Returns a line for the person, after an import or a dry run.
    func summary(isDry: Bool) -> String {
        let warned = (rated == 0 ? "" : ", \(rated) with stars") + (warned == 0 ? "" : ", \(warned) with a warning")
        if isDry {
            return
                "\(done) rows: \(self[.good]) can be imported, \(self[.failed]) failed\(warned); nothing was written\(omissions)"
        }
        let kept =
            self[.kept] == 0
            ? "" : ", \(self[.kept]) not changed (only a file with a --source changes its books)"
        return "\(done) rows: \(self[.created]) created, \(self[.updated]) updated, "
            + "\(self[.unchanged]) unchanged\(kept), \(self[.failed]) failed\(warned)\(omissions)"
    }
}

enum ImportResult: Int, CaseIterable { case good, created, updated, unchanged, kept, failed }
