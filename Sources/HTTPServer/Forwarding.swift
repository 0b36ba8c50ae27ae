package import Bytes

/// From whom requests come that proxies bring: proxies say it in a field, and clients can say anything in it, too. So it is
/// read from its end, where our own proxies write, up to the first address that is none of theirs.
package struct Forwarding: Sendable {
    /// How a field says it.
    private enum Form {
        /// Addresses with commas between them: `X-Forwarded-For`, and others that say one only.
        case addresses
        /// RFC 7239.
        case forwarded
    }

    private let name: [UInt8]
    private let form: Form
    private let proxies: [AddressRange]

    /// Nobody is believed: each request comes from the other end of its connection.
    package static let none = Forwarding(name: [], form: .addresses, proxies: [])

    private init(name: [UInt8], form: Form, proxies: [AddressRange]) {
        self.name = name
        self.form = form
        self.proxies = proxies
    }

    /// Believes these proxies what they say in this field; nil when it can be no field's name.
    package init?(field: String, proxies: [AddressRange]) {
        let name = field.utf8.map(\.lowercased)
        guard !name.isEmpty, name.allSatisfy({ ASCII.isToken($0) }) else { return nil }
        self.init(name: name, form: name.elementsEqual("forwarded".utf8) ? .forwarded : .addresses, proxies: proxies)
    }

    /// The address that a request comes from: the rightmost hop that is no proxy of ours. Where a hop cannot be read it is the
    /// last that can, the one who passed it on; where all are proxies, the farthest. Nil on a Unix socket.
    package func client(of request: borrowing Request) -> IPAddress? {
        guard var nearest = request.peer else { return nil }
        guard !name.isEmpty, isProxy(nearest) else { return nearest }
        for index in (0..<request.fieldCount).reversed() where isNamed(request.fieldName(at: index)) {
            var hops = HopList(request.fieldValue(at: index).bytes, knowsQuotes: form == .forwarded)
            while let hop = hops.next() {
                let address =
                    switch form {
                    case .addresses: Hop.address(of: hop)
                    case .forwarded: Hop.address(ofForwarded: hop)
                    }
                guard let address else { return nearest }
                nearest = address
                if !isProxy(address) { return nearest }
            }
        }
        return nearest
    }

    private func isProxy(_ address: IPAddress) -> Bool { proxies.contains { $0.contains(address) } }

    private func isNamed(_ field: RawSpan) -> Bool {
        guard field.byteCount == name.count else { return false }
        let bytes = field.bytes
        for index in name.indices where bytes[index].lowercased != name[index] { return false }
        return true
    }
}
