import BenchPictures
import ChildProcess
import Glibc
import ImageCodecs

/// A page of thumbnails beside each other: of pictures that reductions find hard, as they should be, as the library makes them, as it
/// did when it used every scale in eighths, and as Pillow and libvips do.
struct PicturePage {
    let floors: String
    let page: String

    private static let size = PixelSize(width: 1600, height: 1200)
    private static let ratios = [3.2, 3.8, 6.2, 7.5]
    private static let pictures: [DrawnPicture] = [.hatching, .text, .halftone]

    private var scratch: String { "\(page).scratch" }

    private struct Shown {
        let name: String
        let image: Image
        let psnr: Double?
    }

    func run() throws {
        mkdir(scratch, 0o755)
        var body = ""
        for picture in Self.pictures {
            body += "<h2>\(picture.rawValue)</h2>\n"
            let (source, file) = ("\(scratch)/\(picture.rawValue).ppm", "\(scratch)/\(picture.rawValue).jpg")
            try Files.writePPM(picture.image(Self.size), to: source)
            // Progressive, as only such a file's memory can be too little for the right scale; and with all colour, as that takes most.
            _ = try ChildProcess(["\(floors)/jpeg-writer", source, file, "1x1", "90", "progressive"]).output()
            let bytes = try Files.read(file)
            let full = try Image.decode(bytes, options: DecodeOptions(limits: .unlimited)).converted(to: .rgb8)
            for ratio in Self.ratios {
                let side = Int((Double(Self.size.width) / ratio).rounded())
                body += "<h3>1600 × 1200 by \(ratio)</h3>\n<div class=\"row\">\n"
                for shown in try all(file, bytes, Reference(full, side: side), side) { body += try figure(shown) }
                body += "</div>\n"
            }
        }
        try Files.write(Array((Self.head + body + "</body>\n</html>\n").utf8), to: page, inPlaceOf: Self.head)
    }

    // MARK: Thumbnails

    private func all(_ file: String, _ bytes: [UInt8], _ reference: Reference, _ side: Int) throws -> [Shown] {
        let target = PixelSize(width: side, height: side)
        let exact = reference.samples.map { UInt8($0.rounded()) }
        guard let ideal = Image(size: reference.size, format: .rgb8, bytes: exact) else { return [] }
        var shown = [Shown(name: "as it should be", image: ideal, psnr: nil)]
        func add(_ name: String, _ image: Image) {
            shown.append(Shown(name: name, image: image, psnr: Quality.psnr(image.converted(to: .rgb8), reference)))
        }
        add("ImageStreams", try Image.decode(bytes, options: DecodeOptions(as: Rendition(targetSize: target))))
        if let before = tight(bytes, target) { add("at 5 or 3 eighths", before) }
        add(
            "ImageStreams, exact",
            try Image.decode(bytes, options: DecodeOptions(as: Rendition(targetSize: target, quality: .exact))))
        for (name, peer) in [("Pillow", "pillow-peer"), ("libvips", "vips-peer")] {
            guard Files.exists("\(floors)/\(peer)") else { continue }
            let (list, out) = ("\(scratch)/list", "\(scratch)/out.ppm")
            unlink(list)
            try Files.write(
                Array("\(file)\t\(reference.size.width)\t\(reference.size.height)\t\(out)\n".utf8), to: list)
            _ = try ChildProcess(["\(floors)/\(peer)", "--list", list]).output()
            add(name, try Files.readPPM(out))
        }
        return shown
    }

    /// With as little memory as it can be made in: by 3.2 to 4 at 5 eighths, by 5.3 to 8 at 3, which the library once preferred.
    private func tight(_ bytes: [UInt8], _ target: PixelSize) -> Image? {
        var options = DecodeOptions(as: Rendition(targetSize: target))
        var least: Image?
        var (tooFew, enough) = (0, 30_000_000)
        while enough - tooFew > 100_000 {
            options.limits.workingBytes = (tooFew + enough) / 2
            if let image = try? Image.decode(bytes, options: options) {
                (least, enough) = (image, options.limits.workingBytes)
            } else {
                tooFew = options.limits.workingBytes
            }
        }
        return least
    }

    // MARK: Page

    private func figure(_ shown: Shown) throws -> String {
        let png = Self.base64(try shown.image.encoded(as: .png))
        let size = shown.image.size
        let quality = shown.psnr.map { ": \(($0 * 10).rounded() / 10) dB" } ?? ""
        return """
            <figure><img width="\(size.width)" height="\(size.height)" alt="\(shown.name)" src="data:image/png;base64,\(png)">
            <figcaption>\(shown.name)\(quality)</figcaption></figure>

            """
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for at in stride(from: 0, to: bytes.count, by: 3) {
            let three = (0..<3).reduce(0) { $0 << 8 | (at + $1 < bytes.count ? Int(bytes[at + $1]) : 0) }
            for place in 0..<4 {
                text.append(at + place <= bytes.count ? digits[three >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let head = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>Thumbnails beside each other</title>
        <style>
        body { font: 15px/1.4 system-ui, sans-serif; margin: 2em; background: #eee; color: #222; }
        .row { display: flex; flex-wrap: wrap; gap: 12px; }
        figure { margin: 0; }
        img { display: block; image-rendering: pixelated; background: #fff; }
        figcaption { font-size: 13px; }
        </style>
        </head>
        <body>
        <h1>Thumbnails beside each other</h1>
        <p>Decibels are of all samples, beside the whole picture reduced by a Lanczos filter in double precision. Scales of 5
        and 3 eighths are what the library once preferred, and falls back to where memory does not suffice.</p>

        """
}
