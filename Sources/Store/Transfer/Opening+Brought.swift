import Model

extension Opening {
    /// That of a note of another house. What does not say where it opens is from before that could be said: then it opened at its
    /// position, or to everyone.
    static func imported(_ note: Note) -> Opening {
        if note.isReticent { return note.opening.untold.inFrame(of: note.bookKey) }
        guard note.opening.way == nil else { return note.opening.inFrame(of: note.bookKey) }
        guard let position = note.progress else { return Opening.everyone.unsaid }
        let share = Progress(clamping: Int64(position.millionths) + Int64(Club.usualSlack.millionths))
        return Opening(at: position, in: note.bookKey, forOthers: share).unsaid
    }
}
