import Files
import Synchronization

/// The memory that the system has to give: an array for which it has none ends the process, so it is asked before.
enum SystemMemory {
    /// The bytes that others have been told that they may take, and may not have taken yet.
    private static let promised = Atomic(0)
    /// The bytes that have to be left for all that is small.
    private static let margin = 2 << 20

    /// Whether so many bytes are to be had now.
    static func has(_ count: Int) -> Bool {
        taking(count) {} != nil
    }

    /// Calls a closure that takes so many bytes, if they are to be had: nobody else is told meanwhile that they are.
    ///
    /// - Returns: nil if they are not; the closure has not been called then.
    static func taking<Result>(_ count: Int, _ body: () -> Result) -> Result? {
        // About a terabyte at the most, so that no sum is beyond a number.
        let count = min(count, 1 << 40)
        let all = promised.add(count, ordering: .relaxed).newValue
        defer { promised.subtract(count, ordering: .relaxed) }
        guard let memory = malloc(all + margin) else { return nil }
        release(memory)
        return body()
    }

    /// Not inlined: memory that is given back at once the compiler would not ask for at all.
    @inline(never)
    private static func release(_ memory: UnsafeMutableRawPointer) { free(memory) }
}
