import TestSupport
import Testing

@testable import ImageCodecs

#if canImport(Glibc)
    import Glibc

    @Suite("Smoothing of degraded images")
    struct SmoothingTests {
        /// The degraded image that the beginning of a file gives, with all memory filled that is allocated meanwhile.
        private func preview(_ bytes: ArraySlice<UInt8>, side: Int, memoryOf filling: Int32) throws -> Image? {
            // The header that declares it is in no module.
            typealias Option = @convention(c) (Int32, Int32) -> Int32
            let (mallopt, perturbing) = (unsafeBitCast(try #require(dlsym(nil, "mallopt")), to: Option.self), Int32(-6))
            _ = mallopt(perturbing, filling)
            defer { _ = mallopt(perturbing, 0) }
            var options = DecodeOptions(
                as: Rendition(targetSize: PixelSize(width: side, height: side), leavesOutScans: false))
            options.previews = true
            let decoder = ContentDecoder(options: options)
            try decoder.append(Array(bytes))
            return try decoder.takePreview()?.image
        }

        // Of the first file the DC of each component comes by itself. Beside rows of it that were not there yet libjpeg-turbo 2.1.5
        // made a row of colours of what lay in memory.
        @Test("What lies in memory shows in no degraded image", arguments: [3_815_206_236, nil])
        func memory(script: UInt32?) throws {
            var generator = SeededGenerator()
            let script = script ?? UInt32.random(in: 1 ... .max, using: &generator)
            let (file, settings) = try RandomJPEG.scripted(
                Pictures.textured(288, 286), quality: 80, sampling: (2, 4), script: script)
            // DC comes early, and takes few bytes.
            for count in Array(stride(from: 200, to: 3_000, by: 9)) + stride(from: 3_000, to: file.count, by: 900) {
                let first = try preview(file.prefix(count), side: 130, memoryOf: 0x55)
                let second = try preview(file.prefix(count), side: 130, memoryOf: 0xAA)
                #expect(first == second, "\(count) bytes, \(settings)")
            }
        }
    }
#endif
