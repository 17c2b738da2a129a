/// The functions that stand in the mutated code: each does as it was written unless its fault is awake.
///
/// Which one that is says `MUTANT` in the environment. Where `MUTANT_COVERAGE` names a file, which has a byte for each fault and one
/// more, the byte of each fault that is reached is set.
enum Prelude {
    /// - Parameter end: The number behind that of the last fault.
    static func text(end: Int) -> String {
        """
        #if canImport(Glibc)
            import Glibc
        #elseif canImport(Darwin)
            import Darwin
        #endif

        @usableFromInline let mutantAwake = getenv("MUTANT").flatMap { Int(String(cString: $0)) } ?? -1

        nonisolated(unsafe) private let mutantCoverage: UnsafeMutablePointer<UInt8>? = {
            guard let path = getenv("MUTANT_COVERAGE") else { return nil }
            let file = open(path, O_RDWR)
            guard file >= 0 else { return nil }
            defer { close(file) }
            let memory = mmap(nil, \(end + 1), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            return memory == MAP_FAILED ? nil : memory?.assumingMemoryBound(to: UInt8.self)
        }()

        @usableFromInline func mutantIs(_ fault: Int) -> Bool {
            mutantCoverage?[fault] = 1
            return fault == mutantAwake
        }

        @usableFromInline func mutantNot(_ fault: Int, _ value: Bool) -> Bool { mutantIs(fault) ? !value : value }
        @usableFromInline func mutantNil<T>(_ fault: Int, _ value: T?) -> T? { mutantIs(fault) ? nil : value }
        @usableFromInline func mutantOff<T: BinaryInteger>(_ fault: Int, _ value: T) -> T { mutantIs(fault) ? value + 1 : value }
        @usableFromInline func mutantOff(_ fault: Int, _ value: Double) -> Double { mutantIs(fault) ? value + 1 : value }
        @usableFromInline func mutantNone<T: ExpressibleByIntegerLiteral>(_ fault: Int, _ value: T) -> T {
            mutantIs(fault) ? 0 : value
        }

        @usableFromInline func mutantAtMost<T: Comparable>(_ fault: Int, _ left: T, _ right: T) -> Bool {
            mutantIs(fault) ? left < right : left <= right
        }
        @usableFromInline func mutantBelow<T: Comparable>(_ fault: Int, _ left: T, _ right: T) -> Bool {
            mutantIs(fault) ? left <= right : left < right
        }
        @usableFromInline func mutantAtLeast<T: Comparable>(_ fault: Int, _ left: T, _ right: T) -> Bool {
            mutantIs(fault) ? left > right : left >= right
        }
        @usableFromInline func mutantAbove<T: Comparable>(_ fault: Int, _ left: T, _ right: T) -> Bool {
            mutantIs(fault) ? left >= right : left > right
        }
        @usableFromInline func mutantPlus<T: AdditiveArithmetic>(_ fault: Int, _ left: T, _ right: T) -> T {
            mutantIs(fault) ? left - right : left + right
        }
        @usableFromInline func mutantMinus<T: AdditiveArithmetic>(_ fault: Int, _ left: T, _ right: T) -> T {
            mutantIs(fault) ? left + right : left - right
        }
        // What is put together loses its end, and moments go the other way.
        @usableFromInline func mutantPlus<C: RangeReplaceableCollection, S: Sequence>(_ fault: Int, _ left: C, _ right: S) -> C
        where S.Element == C.Element {
            mutantIs(fault) ? left : left + right
        }
        @usableFromInline func mutantPlus<I: InstantProtocol>(_ fault: Int, _ left: I, _ right: I.Duration) -> I {
            left.advanced(by: mutantIs(fault) ? .zero - right : right)
        }
        @usableFromInline func mutantMinus<I: InstantProtocol>(_ fault: Int, _ left: I, _ right: I) -> I.Duration {
            mutantIs(fault) ? left.duration(to: right) : right.duration(to: left)
        }
        @usableFromInline func mutantAnd(_ fault: Int, _ left: Bool, _ right: @autoclosure () throws -> Bool) rethrows -> Bool {
            mutantIs(fault) ? try left || right() : try left && right()
        }
        @usableFromInline func mutantOr(_ fault: Int, _ left: Bool, _ right: @autoclosure () throws -> Bool) rethrows -> Bool {
            mutantIs(fault) ? try left && right() : try left || right()
        }
        @usableFromInline func mutantMin<T: Comparable>(_ fault: Int, _ left: T, _ right: T) -> T {
            mutantIs(fault) ? max(left, right) : min(left, right)
        }
        @usableFromInline func mutantMax<T: Comparable>(_ fault: Int, _ left: T, _ right: T) -> T {
            mutantIs(fault) ? min(left, right) : max(left, right)
        }

        """
    }
}
