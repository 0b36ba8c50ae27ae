/// An effect of a commit, or of a page of the log, on one subscription. The loop performs the effects in order and
/// reports the delivery of frames.
package enum DeliveryEffect {
    /// Frames to send, possibly none, which cover everything up to a change.
    case send(Subscription, [[UInt8]], through: Int64)
    /// A subscription of which a view must be made again.
    case renew(Subscription)
}
