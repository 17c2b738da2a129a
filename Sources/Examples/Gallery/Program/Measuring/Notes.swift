import CLibrary

/// The figures of a run, as they pass from its process to the one that started it: a name and a number a line.
struct Notes: Sendable {
    private var lines: [(String, Double)] = []

    init() {}

    init(reading path: String) {
        lines = (TextFile.read(path) ?? "").split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t")
            return parts.count == 2 ? Double(parts[1]).map { (String(parts[0]), $0) } : nil
        }
    }

    subscript(name: String) -> Double? { lines.last { $0.0 == name }?.1 }

    mutating func add(_ name: String, _ value: Double) { lines.append((name, value)) }

    func write(_ path: String) {
        TextFile.write(lines.map { "\($0.0)\t\($0.1)\n" }.joined(), to: path)
    }
}

/// Small files of text.
enum TextFile {
    static func read(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func write(_ text: String, to path: String) { write(Array(text.utf8), to: path) }

    static func write(_ bytes: [UInt8], to path: String) {
        guard let file = fopen(path, "w") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
