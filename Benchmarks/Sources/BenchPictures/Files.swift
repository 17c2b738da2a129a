import ChildProcess
import Glibc
import ImageCodecs

/// Whole files, read and written.
public enum Files {
    public static func exists(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// The names of a folder's files, sorted; none where there is no such folder.
    public static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    public static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw ChildProcess.Failure(description: "cannot read \(path)") }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let count = ftell(file)
        rewind(file)
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, initialized in
            initialized = fread(buffer.baseAddress, 1, buffer.count, file)
        }
        guard bytes.count == count else { throw ChildProcess.Failure(description: "cannot read \(path)") }
        return bytes
    }

    /// Writes a new file, or one in place of a file that begins as it does: one of its kind, and nobody's photo.
    ///
    /// - Parameter beginning: What a file that is replaced must begin with; without it, none is.
    public static func write(_ bytes: [UInt8], to path: String, inPlaceOf beginning: String? = nil) throws {
        var isOwn = false
        if let beginning, let found = try? read(path) { isOwn = found.isEmpty || found.starts(with: beginning.utf8) }
        // With x, only what is not there is made.
        guard let file = fopen(path, isOwn ? "wb" : "wbx") else {
            throw ChildProcess.Failure(description: "cannot write \(path): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
            throw ChildProcess.Failure(description: "cannot write \(path)")
        }
    }

    /// Writes a table of figures as JSON.
    ///
    /// - Parameter rows: Objects whose first key is `case`, each on a line that begins with two spaces.
    public static func writeTable(_ rows: [String], to path: String) throws {
        let beginning = "[\n  {\"case\": \""
        try write(Array("[\n\(rows.joined(separator: ",\n"))\n]\n".utf8), to: path, inPlaceOf: beginning)
    }

    /// As a binary PPM, 8 bits, perhaps in place of another.
    public static func writePPM(_ image: Image, to path: String) throws {
        let image = image.converted(to: .rgb8)
        try write(Array("P6\n\(image.width) \(image.height)\n255\n".utf8) + image.bytes, to: path, inPlaceOf: "P6\n")
    }

    public static func readPPM(_ path: String) throws -> Image {
        let bytes = try read(path)
        var fields: [String] = []
        var at = 0
        while fields.count < 4, at < bytes.count {
            let end = bytes[at...].firstIndex { $0 == 0x20 || $0 == 0x0A } ?? bytes.count
            fields.append(String(decoding: bytes[at..<end], as: UTF8.self))
            at = end + 1
        }
        guard fields.count == 4, fields[0] == "P6", let width = Int(fields[1]), let height = Int(fields[2]),
            let image = Image(
                size: PixelSize(width: width, height: height), format: .rgb8,
                bytes: Array(bytes[min(at, bytes.count)...]))
        else { throw ChildProcess.Failure(description: "\(path) is no PPM") }
        return image
    }
}
