import ImagePipeline

/// Bytes from a fuzzer as a picture and what is to be made of it: sizes, format, filter, mode, then samples.
enum FuzzedResampler {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 12 else { return }
        func side(_ index: Int, _ largest: Int) -> Int {
            1 + (Int(bytes[index]) << 8 | Int(bytes[index + 1])) % largest
        }
        let size = PixelSize(width: side(0, 300), height: side(2, 100))
        let target = PixelSize(width: side(4, 200), height: side(6, 200))
        let format = PixelFormat.allCases[Int(bytes[8]) % PixelFormat.allCases.count]
        let filter = ResamplingFilter.allCases[Int(bytes[9]) % ResamplingFilter.allCases.count]
        let enlarges = bytes[10] & 1 == 1
        let gravity = Gravity.allCases[Int(bytes[10] >> 1) % Gravity.allCases.count]
        let mode = [ContentMode.fit, .fill(gravity: gravity), .exact][Int(bytes[11]) % 3]

        let samples = bytes[12...]
        let rowBytes = size.width * format.channels + Int(bytes[11] >> 4)
        let pixels = (0..<rowBytes * size.height).map { samples[12 + $0 % samples.count] }
        guard let image = Image(size: size, format: format, bytes: pixels, bytesPerRow: rowBytes) else {
            fatalError("no image of \(size)")
        }
        let result = image.resized(in: target, mode: mode, enlarges: enlarges, filter: filter)
        check(result.format == format, "another format")
        check(enlarges || (result.width <= size.width && result.height <= size.height), "enlarged")
        check(result.width <= max(1, target.width) && result.height <= max(1, target.height), "over the box")
        if mode == .exact, enlarges { check(result.size == target, "not exact") }
        // A flat picture stays flat, but for colour where nothing is opaque.
        if samples.allSatisfy({ $0 == samples.first }), let value = samples.first, value > 0 {
            check(result.bytes.allSatisfy { abs(Int($0) - Int(value)) <= 1 }, "flat no more")
        }
    }
}
