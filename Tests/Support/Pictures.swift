import Foundation
import ImageCodecs

/// Small pictures made here, and how alike two pictures are.
package enum Pictures {
    /// Smooth enough for JPEG, different in every corner, so that no turn or flip goes unnoticed.
    package static func gradient(_ width: Int, _ height: Int, _ format: PixelFormat = .rgb8) throws -> Image {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let red = UInt8(255 * x / max(1, width - 1))
                let green = UInt8(255 * y / max(1, height - 1))
                let blue = UInt8(127.5 + 127 * sin(Double(x + 2 * y) / 9))
                let alpha = UInt8(255 * (x + y) / max(1, width + height - 2))
                switch format {
                case .grey8: bytes += [UInt8((Int(red) + Int(green)) / 2)]
                case .greyAlpha8: bytes += [UInt8((Int(red) + Int(green)) / 2), alpha]
                case .rgb8: bytes += [red, green, blue]
                case .rgba8: bytes += [red, green, blue, alpha]
                case .grey16, .greyAlpha16, .rgb16, .rgba16:
                    // Each value but the lowest 256 has another lower byte than the upper one.
                    let deep = [red, green, blue].map { UInt16($0) << 8 | UInt16($0 &* 7) }
                    let colours = format.isGrey ? [deep[0] / 2 + deep[1] / 2] : deep
                    bytes += native(colours + (format.hasAlpha ? [UInt16(alpha) << 8 | UInt16(alpha &* 3)] : []))
                }
            }
        }
        guard let image = Image(size: PixelSize(width: width, height: height), format: format, bytes: bytes) else {
            throw PictureError.wrongSize
        }
        return image
    }

    /// A gradient under waves of many frequencies, as the detail of a photo: each scan of a progressive file matters.
    package static func textured(_ width: Int, _ height: Int) throws -> Image {
        let smooth = try gradient(width, height)
        var bytes = smooth.bytes
        for y in 0..<height {
            for x in 0..<width {
                let wave = 40 * sin(Double(x * x) / 150) * cos(Double(y * y + x * y) / 170)
                for at in (y * width + x) * 3..<(y * width + x) * 3 + 3 {
                    bytes[at] = UInt8(min(255, max(0, Double(bytes[at]) / 2 + 64 + wave)))
                }
            }
        }
        return Image(size: smooth.size, format: .rgb8, bytes: bytes) ?? smooth
    }

    /// Black lines of two pixels on white, ten apart, that run askew.
    package static func hatched(_ width: Int, _ height: Int) throws -> Image {
        let bytes = (0..<width * height).flatMap { at -> [UInt8] in
            let shade: UInt8 = (at % width + at / width) / 2 % 5 == 0 ? 0 : 255
            return [shade, shade, shade]
        }
        guard let image = Image(size: PixelSize(width: width, height: height), format: .rgb8, bytes: bytes) else {
            throw PictureError.wrongSize
        }
        return image
    }

    /// Samples of 16 bits as they lie in memory.
    package static func native(_ samples: [UInt16]) -> [UInt8] {
        samples.withUnsafeBytes { Array($0) }
    }

    /// Every sample random.
    package static func noise(
        _ width: Int, _ height: Int, _ format: PixelFormat, using generator: inout some RandomNumberGenerator
    ) throws -> Image {
        let bytes = (0..<width * height * format.bytesPerPixel).map { _ in UInt8.random(in: 0...255, using: &generator)
        }
        guard let image = Image(size: PixelSize(width: width, height: height), format: format, bytes: bytes) else {
            throw PictureError.wrongSize
        }
        return image
    }

    /// Samples of a curve across the picture with noise on it, as they stand in memory.
    package static func roughSamples(
        _ width: Int, _ height: Int, channels: Int, using generator: inout SeededGenerator
    ) -> [UInt8] {
        (0..<width * height * channels).map { index in
            let (x, y) = (index / channels % width, index / channels / width)
            return UInt8(truncatingIfNeeded: x * x / 16 + 3 * y + 50 * (index % channels))
                &+ UInt8.random(in: 0...60, using: &generator)
        }
    }

    /// Peak signal-to-noise ratio in decibels over all samples; infinite for equal pictures, 0 for unlike shapes.
    package static func psnr(_ left: Image, _ right: Image) -> Double {
        guard left.size == right.size, left.format == right.format, left.bytes.count == right.bytes.count else {
            return 0
        }
        if left.format.isDeep { return psnr(left.samples, right.samples, largest: 65_535) }
        // Pointers and a plain loop: a debug build takes its time over everything else.
        let squares = left.bytes.withUnsafeBufferPointer { left in
            right.bytes.withUnsafeBufferPointer { right -> Int in
                guard let a = left.baseAddress, let b = right.baseAddress, memcmp(a, b, left.count) != 0 else {
                    return 0
                }
                var (squares, at) = (0, 0)
                while at < left.count {
                    let difference = Int(a[at]) - Int(b[at])
                    squares &+= difference &* difference
                    at &+= 1
                }
                return squares
            }
        }
        guard squares > 0 else { return .infinity }
        return 10 * log10(255 * 255 * Double(left.bytes.count) / Double(squares))
    }

    private static func psnr(_ left: [Int], _ right: [Int], largest: Double) -> Double {
        let squares = zip(left, right).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        return squares == 0 ? .infinity : 10 * log10(largest * largest * Double(left.count) / Double(squares))
    }

    package enum PictureError: Error { case wrongSize }
}

extension Image {
    /// All samples of an image without padding, one after the other.
    package var samples: [Int] {
        guard format.isDeep else { return bytes.map { Int($0) } }
        return withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map { Int(bytes.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self)) }
        }
    }
}
