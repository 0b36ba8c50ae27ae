/// A change of a mark.
struct HighWaterMarkMove {
    let place: HighWaterMarkScale
    let from: Int64
    let to: Int64
}
