import Glibc

/// Simulates a disconnected client: every packet to the socket is dropped, so nothing is acknowledged. The kernel does
/// it for any process, with a filter (`SO_ATTACH_FILTER`) that passes nothing.
package func cut(_ descriptor: Int32) -> Bool {
    struct Instruction {
        // The instruction returns 0 bytes of the packet.
        var code: UInt16 = 0x06
        var whenTrue: UInt8 = 0
        var whenFalse: UInt8 = 0
        var value: UInt32 = 0
    }
    struct Program {
        var count: UInt16 = 1
        var instructions: UnsafeMutablePointer<Instruction>
    }
    var instruction = Instruction()
    return withUnsafeMutablePointer(to: &instruction) { pointer in
        var program = Program(instructions: pointer)
        return setsockopt(
            descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, socklen_t(MemoryLayout<Program>.size)) == 0
    }
}
