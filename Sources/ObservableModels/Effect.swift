/// What follows from a commit, or from a page of the log, for one subscription. The loop does it, in this order, and says what
/// became of what was sent.
package enum Effect {
    /// Frames, which tell of everything up to a change; maybe none.
    case send(Subscription, [[UInt8]], through: Int64)
    /// A view of it is to be made anew.
    case renew(Subscription)
    /// Its connection is to be ended.
    case end(Subscription)
}
