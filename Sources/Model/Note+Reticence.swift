/// Notes of which it is not told where they open: it may be as far as their authors know the book, which is nobody else's business.
/// So it is with all that are written in a club whose `hindsight` is `known`, or else it would tell who knows anything.
extension Note {
    /// What a club's way with what its members know makes of a note in it.
    public mutating func keepReticence(of club: Club?) { if club?.hindsight == .known { isReticent = true } }

    /// What the columns of its opening go by.
    public static let fieldsOfOpening = fields["opens", "opensAt"]
}

extension Opening {
    /// That of which it was not told how it was said.
    public var untold: Opening {
        var opening = self
        opening.way = share == .whole ? .finished : share == .none ? .everyone : .position
        return opening
    }
}
