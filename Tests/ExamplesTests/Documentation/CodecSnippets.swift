import Foundation
import ImageCodecs

// The code of ImageCodecs' articles, compiled: DocumentTests compares line by line.

func thumbnail(of photo: [UInt8]) throws -> [UInt8] {
    let box = PixelSize(width: 256, height: 256)
    let image = try Image.decode(photo, options: DecodeOptions(as: .fit(box)))
    return try image.encoded(as: .jpeg(quality: 85))
}

func makeThumbnail(from source: URL, to destination: URL) throws {
    let photo = try [UInt8](Data(contentsOf: source))
    try Data(thumbnail(of: photo)).write(to: destination)
}

func thumbnail(of chunks: some Sequence<[UInt8]>) throws -> Image {
    let decoder = ContentDecoder(options: DecodeOptions(as: .fit(PixelSize(width: 256, height: 256))))
    for chunk in chunks {
        try chunk.withUnsafeBytes { bytes in try decoder.append(bytes) }
        if decoder.needsNoMoreBytes { break }
    }
    return try decoder.finish()
}

func avatar(of photo: [UInt8]) throws -> Image {
    let square = Rendition.fill(PixelSize(width: 96, height: 96))
    return try Processors.Circle().process(Image.decode(photo, options: DecodeOptions(as: square)))
}
