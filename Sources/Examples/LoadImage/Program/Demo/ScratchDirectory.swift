import CommandOutput
import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A directory that nobody else has, to be removed at the end.
struct ScratchDirectory: Sendable {
    let path: String

    init() throws(OutputError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let template = "\(parent)/load-image-XXXXXX"
        var name = Array(template.utf8CString)
        guard mkdtemp(&name) != nil else {
            throw .system(action: "make the directory", path: template, code: errno)
        }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes it with all that is in it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
