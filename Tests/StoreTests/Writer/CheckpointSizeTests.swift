import Testing

@testable import Store

@Suite("Checkpoint size")
struct CheckpointSizeTests {
    @Test(
        "A checkpoint that took longer than the goal makes the next one smaller, down to the least size",
        arguments: [(60_000, 16_000), (120_000, 8000), (240_000, 4000), (456_000, 2105), (2_000_000, 2000)])
    func shrinks(_ microseconds: Int, _ frames: Int) {
        var size = CheckpointThreshold(framesMax: 16_000)
        size.record(microseconds, of: 16_000)
        #expect(size.frames == frames)
    }

    @Test("The size at most doubles, and never exceeds the setting")
    func growsSlowly() {
        var size = CheckpointThreshold(framesMax: 16_000)
        size.record(10_000_000, of: 16_000)
        #expect(size.frames == 2000)
        for expected in [4000, 8000, 16_000, 16_000] {
            size.record(1, of: size.frames)
            #expect(size.frames == expected)
        }
    }

    @Test("Frames beyond those of a group of small commands count more", arguments: [(0, 0), (256, 256), (500, 8064)])
    func weight(_ frames: Int, _ weight: Int) { #expect(CheckpointThreshold.weight(ofCommit: frames) == weight) }

    @Test("A setting below the least size is kept")
    func keepsASmallSetting() {
        var size = CheckpointThreshold(framesMax: 50)
        size.record(1_000_000, of: 50)
        #expect(size.frames == 50)
    }
}
