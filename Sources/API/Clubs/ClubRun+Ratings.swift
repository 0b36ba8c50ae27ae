import JSON
import Model

extension ClubRun {
    /// Returns the JSON of the ratings of the run's book by the members who share their progress in it, without their
    /// names.
    func ratings(_ counts: [(stars: Stars, count: Int64)]) -> [UInt8] {
        let (count, halves) = counts.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.count * $1.stars.halves) }
        return JSONWriter.object { json in
            json.member("club", club)
            json.member("book", book)
            json.member("run", id)
            json.name("average")
            // In hundredths of a star.
            if count > 0 {
                json.decimal(millionths: Int((halves * 100 + count) / (count * 2)) * 10_000)
            } else {
                json.null()
            }
            json.member("count", count)
            json.array("stars", counts) { star, json in
                json.object {
                    $0.member("stars", star.stars)
                    $0.member("count", star.count)
                }
            }
        }
    }
}
