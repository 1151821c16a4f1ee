/// Random numbers that come again with their seed: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
public struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// A generator that begins with this seed.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A generator of its own for one part of a run, so that the parts do not depend on each other's pace.
    public mutating func split() -> SeededRandom { SeededRandom(seed: next()) }
}
