import Glibc
import ImageCodecs

/// The photos that are measured: those of a folder, where it has them, else the same made here and kept.
public struct Photos {
    private let folder: String
    private let scratch: String

    /// - Parameters:
    ///   - folder: where photos may be.
    ///   - scratch: where those are kept that are made; it is made, too.
    public init(in folder: String, scratch: String) {
        self.folder = folder
        self.scratch = scratch
        mkdir(scratch, 0o755)
    }

    /// 12 megapixels, 4:2:0.
    public func baseline() throws -> String {
        try path("p12_base420.jpg") { try Pictures.invented().encoded(as: .jpeg(quality: 90)) }
    }

    public func progressive() throws -> String {
        try path("p12_prog420.jpg") { try picture().encoded(as: .jpeg(quality: 90, progressive: true)) }
    }

    public func small() throws -> String {
        try path("p640x480.jpg") {
            try picture().resized(to: PixelSize(width: 640, height: 480)).encoded(as: .jpeg(quality: 90))
        }
    }

    public func medium() throws -> String {
        try path("p1200x800.jpg") {
            try picture().resized(to: PixelSize(width: 1200, height: 800)).encoded(as: .jpeg(quality: 90))
        }
    }

    /// 108 megapixels.
    public func huge() throws -> String {
        try made("p108_base420.jpg") { try Pictures.tiled(picture(), 3).encoded(as: .jpeg(quality: 90)) }
    }

    public func hugeProgressive() throws -> String {
        try made("p108_prog420.jpg") {
            try Pictures.tiled(picture(), 3).encoded(as: .jpeg(quality: 90, progressive: true))
        }
    }

    /// The 12 megapixels as a PNG.
    public func png() throws -> String {
        try made("p12.png") { try picture().encoded(as: .png(level: 6)) }
    }

    private func picture() throws -> Image {
        try Image.decode(Files.read(baseline()), options: DecodeOptions(limits: .unlimited))
    }

    private func path(_ name: String, make: () throws -> [UInt8]) throws -> String {
        if Files.exists("\(folder)/\(name)") { return "\(folder)/\(name)" }
        return try made(name, make: make)
    }

    private func made(_ name: String, make: () throws -> [UInt8]) throws -> String {
        let path = "\(scratch)/\(name)"
        if !Files.exists(path) { try Files.write(make(), to: path) }
        return path
    }
}
