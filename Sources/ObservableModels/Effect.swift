/// An effect of a commit, or of a page of the log, on one subscription. The loop performs the effects in order and
/// reports the delivery of frames.
package enum Effect {
    /// Send frames, possibly none, which cover everything up to a change.
    case send(Subscription, [[UInt8]], through: Int64)
    /// Make a view of the subscription again.
    case renew(Subscription)
    /// End the connection.
    case end(Subscription)
}
