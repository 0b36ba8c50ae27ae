import JSON
import Model
import Store

/// The progress of deletions of the data of readers who have left.
enum DepartureList {
    static func encoded(_ departures: [Departure]) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.name("items")
        json.beginArray()
        for departure in departures {
            json.beginObject()
            json.name("reader")
            json.id(departure.id)
            json.name("stage")
            json.string("\(departure.stage)")
            json.name("place")
            json.integer(departure.place)
            json.name("beganAt")
            json.instant(departure.beganAt)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
