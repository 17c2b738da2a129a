import Foundation

/// A generator whose seed a failing test prints, and that `IMAGE_TEST_SEED` replays (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
    package let seed: UInt64
    private var state: UInt64

    package init(seed: UInt64? = nil) {
        let given = ProcessInfo.processInfo.environment["IMAGE_TEST_SEED"].flatMap(UInt64.init)
        self.seed = seed ?? given ?? UInt64.random(in: 0...UInt64.max)
        state = self.seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
