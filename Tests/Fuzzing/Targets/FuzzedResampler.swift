import ImageCodecs

/// Bytes from a fuzzer as a picture and what is to be made of it: sizes, format, filter, mode, then samples. What comes of it
/// goes through processors, and into files and back.
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
        let rowBytes = size.width * format.bytesPerPixel + Int(bytes[11] >> 4)
        let pixels = (0..<rowBytes * size.height).map { samples[12 + $0 % samples.count] }
        guard let image = Image(size: size, format: format, bytes: pixels, bytesPerRow: rowBytes) else {
            fatalError("no image of \(size)")
        }
        let linearLight = bytes[10] & 0x80 != 0
        let result = image.resized(
            in: target, mode: mode, enlarges: enlarges, filter: filter, linearLight: linearLight)
        check(result.format == format, "another format")
        check(enlarges || (result.width <= size.width && result.height <= size.height), "enlarged")
        check(result.width <= max(1, target.width) && result.height <= max(1, target.height), "over the box")
        if mode == .exact, enlarges { check(result.size == target, "not exact") }
        // A flat picture stays flat, but for colour where nothing is opaque.
        if samples.allSatisfy({ $0 == samples.first }), let value = samples.first, value > 0 {
            check(result.bytes.allSatisfy { abs(Int($0) - Int(value)) <= 1 }, "flat no more")
        }
        process(result, by: bytes[8] >> 2)
        encode(result, choice: bytes[9] >> 3)
    }

    private static func process(_ image: Image, by choice: UInt8) {
        let number = Double(choice) - 3
        let rect = PixelRect(x: Int(choice) - 9, y: 3, width: 20, height: 10)
        let colour = Colour(red: choice, green: 9, blue: 200, alpha: choice &* 5)
        let steps: [AnyImageProcessor] = [
            .roundedCorners(radius: number), .blur(sigma: number / 9), .crop(rect), .circle, .tint(colour),
            .flatten(on: colour), .grayscale, .crop(rect.size, gravity: .bottomRight),
        ]
        let step = steps[Int(choice) % steps.count]
        do throws(ProcessingError) {
            let made = try step.process(image)
            check(made.width <= image.width && made.height <= image.height, "\(step.identifier): larger")
        } catch {
            check(step == steps[2], "\(error)")
        }
    }

    private static func encode(_ image: Image, choice: UInt8) {
        do {
            let png = try image.encoded(as: .png(level: 1, reduced: choice & 1 == 0))
            let decoded = try Image.decode(
                png, options: DecodeOptions(as: Rendition(keepsDepth: true), limits: .unlimited))
            check(decoded.converted(to: image.format) == image, "another picture in the PNG")
            let subsampling = ImageEncoding.ChromaSubsampling(rawValue: Int32(choice % 3)) ?? .yuv420
            let encoding = ImageEncoding.jpeg(
                quality: Int(choice) * 3, progressive: choice & 2 == 0, subsampling: subsampling)
            let size = try Image.decode(image.encoded(as: encoding)).size
            check(size == image.size, "another size in the JPEG")
        } catch {
            fatalError("\(error)")
        }
    }
}
