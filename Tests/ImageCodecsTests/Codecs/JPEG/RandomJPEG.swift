import Foundation
import ImageCodecs
import JPEGReference
import TestSupport
import Testing

/// Files with settings of all kinds, made by libjpeg.
enum RandomJPEG {
    static func file(
        width: ClosedRange<Int>, height: ClosedRange<Int>, isProgressive: Bool = false,
        using generator: inout SeededGenerator
    ) throws -> (bytes: [UInt8], settings: String) {
        var settings = jpeg_reference_settings()
        settings.components = [1, 3, 3, 3, 4].randomElement(using: &generator) ?? 3
        settings.quality = [30, 80, 98].randomElement(using: &generator) ?? 80
        (settings.horizontal, settings.vertical) =
            [(1, 1), (2, 1), (1, 2), (2, 2), (4, 1), (4, 2), (2, 4), (1, 4)].randomElement(using: &generator) ?? (2, 2)
        settings.restart_interval = [0, 0, 1, 7].randomElement(using: &generator) ?? 0
        settings.is_progressive = isProgressive ? 1 : 0
        settings.script = [0, UInt32.random(in: 1 ... .max, using: &generator)].randomElement(using: &generator) ?? 0
        let (width, height) = (Int.random(in: width, using: &generator), Int.random(in: height, using: &generator))
        let pixels = Pictures.roughSamples(width, height, channels: Int(settings.components), using: &generator)
        return (try encoded(pixels, width, height, settings), "\(width) × \(height), \(settings)")
    }

    /// The picture as a progressive file whose scans come in an order, and bring bits, that somebody has made up.
    static func scripted(
        _ image: Image, quality: Int, subsampled: Bool, using generator: inout SeededGenerator
    ) throws -> (bytes: [UInt8], settings: String) {
        let script = UInt32.random(in: 1 ... .max, using: &generator)
        return try scripted(image, quality: quality, sampling: subsampled ? (2, 2) : (1, 1), script: script)
    }

    /// A file of the scans that a number stands for.
    static func scripted(
        _ image: Image, quality: Int, sampling: (across: Int32, down: Int32), script: UInt32
    ) throws -> (bytes: [UInt8], settings: String) {
        var settings = jpeg_reference_settings()
        settings.components = 3
        settings.quality = Int32(quality)
        (settings.horizontal, settings.vertical) = sampling
        settings.is_progressive = 1
        settings.script = script
        return (try encoded(image.bytes, image.size.width, image.size.height, settings), "\(settings)")
    }

    /// A small sequential file with the Huffman codes of the standard's tables K.3 to K.6.
    static func standardCoded() throws -> [UInt8] {
        var settings = jpeg_reference_settings()
        settings.components = 3
        settings.quality = 80
        (settings.horizontal, settings.vertical) = (1, 1)
        return try encoded([UInt8](repeating: 90, count: 16 * 16 * 3), 16, 16, settings)
    }

    private static func encoded(
        _ pixels: [UInt8], _ width: Int, _ height: Int, _ settings: jpeg_reference_settings
    ) throws -> [UInt8] {
        var count = 0
        let encoded = jpeg_reference_encode(pixels, UInt32(width), UInt32(height), settings, &count)
        defer { free(encoded) }
        let bytes = try #require(encoded, "\(settings)")
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
