/// What scripts/fuzz runs: each takes any bytes, and traps when something is wrong.
public enum FuzzTarget: String, CaseIterable, Sendable {
    case jpeg, png, exif, resampler

    public func run(_ bytes: UnsafeRawBufferPointer) {
        switch self {
        case .jpeg, .png: FuzzedDecode.run(bytes)
        case .exif: FuzzedExif.run(bytes)
        case .resampler: FuzzedResampler.run(bytes)
        }
    }
}

/// A precondition whose message is printed in a release build, too.
func check(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}

// The same as C functions, one of which libFuzzer's entry point calls.

@_cdecl("fuzz_jpeg")
public func fuzzJPEG(_ bytes: UnsafeRawPointer?, _ count: Int) {
    FuzzTarget.jpeg.run(UnsafeRawBufferPointer(start: bytes, count: count))
}

@_cdecl("fuzz_png")
public func fuzzPNG(_ bytes: UnsafeRawPointer?, _ count: Int) {
    FuzzTarget.png.run(UnsafeRawBufferPointer(start: bytes, count: count))
}

@_cdecl("fuzz_exif")
public func fuzzExif(_ bytes: UnsafeRawPointer?, _ count: Int) {
    FuzzTarget.exif.run(UnsafeRawBufferPointer(start: bytes, count: count))
}

@_cdecl("fuzz_resampler")
public func fuzzResampler(_ bytes: UnsafeRawPointer?, _ count: Int) {
    FuzzTarget.resampler.run(UnsafeRawBufferPointer(start: bytes, count: count))
}
