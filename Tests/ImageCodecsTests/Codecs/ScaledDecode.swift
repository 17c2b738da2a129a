import CJPEG
import Foundation
import JPEGReference

/// A JPEG decoded at a scale in eighths and not reduced any further: grey, RGB or CMYK samples, row by row.
struct ScaledDecode: Equatable {
    let width: Int
    let height: Int
    let samples: [UInt8]

    /// True if pixels are lost, of which these are painted in place.
    var isDamaged = false

    /// By the shim that ``JPEGDecoder`` stands on, with the bytes in chunks; `nil` when it refuses the file.
    ///
    /// - Parameter showsDamage: whether lost pixels are painted.
    init?(_ file: [UInt8], scale: Int32, chunk: Int, showsDamage: Bool = false) {
        guard let decoder = cjpeg_decoder_create(1 << 22) else { return nil }
        defer { cjpeg_decoder_destroy(decoder) }
        var steps = Steps(decoder: decoder, scale: scale, showsDamage: showsDamage)
        var at = 0
        while !steps.isComplete, at < file.count {
            let isRefused = Array(file[at..<min(file.count, at + chunk)]).withUnsafeBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return true }
                var offset = 0
                while offset < bytes.count, !steps.isComplete {
                    let taken = cjpeg_supply(decoder, base + offset, bytes.count - offset)
                    guard taken != .max, steps.advance() else { return true }
                    offset += taken - cjpeg_settle(decoder)
                }
                return false
            }
            if isRefused { return nil }
            at += chunk
        }
        cjpeg_end_input(decoder)
        guard steps.isComplete || steps.advance(), steps.isComplete else { return nil }
        (width, height, samples) = (steps.width, steps.height, steps.samples)
        isDamaged = cjpeg_get_damage(decoder).kind != CJPEG_FAILURE_NONE
    }

    /// By libjpeg alone, in one piece; `nil` when it refuses the file, or says that pixels are lost which are not to be painted.
    init?(reference file: [UInt8], scale: Int32, showsDamage: Bool = false) {
        let result = jpeg_reference_decode(file, file.count, scale)
        defer { free(result.pixels) }
        guard let pixels = result.pixels, showsDamage || result.has_lost_pixels == 0 else { return nil }
        isDamaged = result.has_lost_pixels != 0
        width = Int(result.width)
        height = Int(result.height)
        samples = Array(UnsafeBufferPointer(start: pixels, count: width * height * Int(result.components)))
    }

    private struct Steps {
        let decoder: OpaquePointer
        let scale: Int32
        let showsDamage: Bool
        var info: cjpeg_info?
        var width = 0
        var height = 0
        var rows: UInt32 = 0
        var samples: [UInt8] = []
        var isStarted = false
        var isRendering = false

        var isComplete: Bool { isStarted && Int(rows) == height }

        init(decoder: OpaquePointer, scale: Int32, showsDamage: Bool) {
            self.decoder = decoder
            self.scale = scale
            self.showsDamage = showsDamage
        }

        /// - Returns: whether nothing is wrong so far.
        mutating func advance() -> Bool {
            if info == nil {
                let status = cjpeg_read_header(decoder)
                if status == CJPEG_NEEDS_BYTES { return true }
                var info = cjpeg_info()
                cjpeg_get_info(decoder, &info)
                self.info = info
                guard status == CJPEG_OK, info.is_arithmetic == 0 else { return false }
            }
            if !isStarted {
                var wish = cjpeg_wish()
                wish.scale = scale
                wish.memory_limit = 1 << 27
                wish.shows_damage = showsDamage ? 1 : 0
                guard cjpeg_start(decoder, &wish) == CJPEG_OK else { return false }
                width = Int(cjpeg_output_width(decoder))
                height = Int(cjpeg_output_height(decoder))
                samples = [UInt8](repeating: 0, count: width * height * Int(info?.pixels.rawValue ?? 0))
                isStarted = true
            }
            while info?.has_multiple_scans != 0, !isRendering {
                switch cjpeg_consume(decoder) {
                case CJPEG_OK, CJPEG_SCAN_COMPLETE: continue
                case CJPEG_NEEDS_BYTES: return true
                case CJPEG_END:
                    guard cjpeg_is_complete(decoder) != 0 || cjpeg_note_truncation(decoder) != 0,
                        cjpeg_start_output(decoder, cjpeg_scans_complete(decoder)) == CJPEG_OK
                    else { return false }
                    isRendering = true
                default: return false
                }
            }
            let stride = samples.count / max(1, height)
            return samples.withUnsafeMutableBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return false }
                while Int(rows) < height {
                    var count: UInt32 = 0
                    let status = cjpeg_read_rows(
                        decoder, base + Int(rows) * stride, stride, UInt32(height) - rows, &count)
                    rows += count
                    if status == CJPEG_NEEDS_BYTES { return true }
                    guard status == CJPEG_OK, count > 0 else { return false }
                }
                return true
            }
        }
    }
}
