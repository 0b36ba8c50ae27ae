/// A change of a mark.
struct HighWaterMarkMove {
    let key: HighWaterMarkKey
    let from: Int64
    let to: Int64
}
