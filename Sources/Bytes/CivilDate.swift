/// A date of the proleptic Gregorian calendar (Hinnant, "chrono-compatible low-level date algorithms": eras of 400
/// years, each from a March 1st).
package struct CivilDate: Equatable {
    package let year: Int64
    package let month: Int64
    package let day: Int64

    /// Creates a date, or returns `nil` if the calendar does not contain it.
    package init?(year: Int64, month: Int64, day: Int64) {
        (self.year, self.month, self.day) = (year, month, day)
        // Another day has a different date with the same number.
        guard (1...12).contains(month), self == CivilDate(ofDay: dayNumber) else { return nil }
    }

    /// Creates the date of a day counted from 1970-01-01.
    @inlinable package init(ofDay number: Int64) {
        let shifted = number + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    }

    /// The number of days since 1970-01-01.
    package var dayNumber: Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.floorDivided(by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension Int64 {
    /// Returns the quotient rounded down, also below zero.
    @inlinable package func floorDivided(by divisor: Int64) -> Int64 {
        self / divisor - (self % divisor < 0 ? 1 : 0)
    }
}
