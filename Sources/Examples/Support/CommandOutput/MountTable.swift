import Files

/// The file systems that this process sees, and where each of them is attached.
///
/// A directory may be attached to a second place (`mount --bind`), where it has other directories above it. Linux tells in
/// `/proc/self/mountinfo` (proc_pid_mountinfo(5)); elsewhere the table is empty.
struct MountTable {
    private struct Mount {
        let device: Substring
        /// The part of the file system that is attached, by its path in there.
        let root: String
        let place: String
        /// The directories that an overlay shows as one.
        let layers: [String]
    }

    private var mounts: [Mount] = []

    /// The table as the system has it now.
    static var current: MountTable {
        let text = Descriptor("/proc/self/mountinfo", O_RDONLY)?.read(4 << 20) ?? []
        return MountTable(String(decoding: text, as: UTF8.self))
    }

    init(_ text: String) {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count >= 6 else { continue }
            mounts.append(
                Mount(
                    device: fields[2], root: Self.plain(fields[3]), place: Self.plain(fields[4]),
                    layers: Self.layers(fields)))
        }
    }

    private static func layers(_ fields: [Substring]) -> [String] {
        guard let mark = fields.firstIndex(of: "-"), fields.count > mark + 3, fields[mark + 1] == "overlay" else {
            return []
        }
        return fields[mark + 3].split(separator: ",").flatMap { option -> [String] in
            let words = option.split(separator: "=", maxSplits: 1)
            guard words.count == 2, words[0] == "upperdir" || words[0].hasPrefix("lowerdir") else { return [] }
            return words[1].split(separator: ":").map { plain($0) }
        }
    }

    /// The directories whose content shows in that of an absolute path without links.
    func layers(of path: String) -> [String] {
        guard let mount = mount(of: path), let rest = Self.rest(of: path, behind: mount.place) else { return [] }
        let inside = mount.root == "/" ? rest : mount.root + rest
        return mount.layers.map { $0 + inside }
    }

    /// The place where what holds an absolute path is attached; nil for that of everything, and where nothing is known.
    func attachment(of path: String) -> String? { mount(of: path).flatMap { $0.place == "/" ? nil : $0.place } }

    /// The places below an absolute path where something is attached.
    func attachments(below path: String) -> [String] {
        mounts.map(\.place).filter { Self.rest(of: $0, behind: path).map { !$0.isEmpty } ?? false }
    }

    /// Other paths of what an absolute path without links leads to. Something else may lie over them: that is to be looked at.
    func otherPaths(of path: String) -> [String] {
        guard let mount = mount(of: path), let rest = Self.rest(of: path, behind: mount.place) else { return [] }
        let inside = mount.root == "/" ? (rest.isEmpty ? "/" : rest) : mount.root + rest
        return mounts.compactMap { other in
            guard other.device == mount.device, let rest = Self.rest(of: inside, behind: other.root) else { return nil }
            let found = other.place == "/" ? (rest.isEmpty ? "/" : rest) : other.place + rest
            return found.utf8.elementsEqual(path.utf8) ? nil : found
        }
    }

    /// The mount that holds a path: of several at one place, the last lies on top.
    private func mount(of path: String) -> Mount? {
        var found: Mount?
        for mount in mounts where Self.rest(of: path, behind: mount.place) != nil {
            if mount.place.utf8.count >= found?.place.utf8.count ?? 0 { found = mount }
        }
        return found
    }

    /// A path's part behind that of a directory, from its slash on; nil if it does not lie in there.
    private static func rest(of path: String, behind directory: String) -> String? {
        guard directory != "/" else { return path == "/" ? "" : path }
        guard path.utf8.starts(with: directory.utf8) else { return nil }
        let rest = path.utf8.dropFirst(directory.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/") ? String(Substring(rest)) : nil
    }

    /// A field without its escapes: three octal digits behind a backslash.
    private static func plain(_ field: Substring) -> String {
        var plain: [UInt8] = []
        var rest = field.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3, let escaped = UInt8(String(Substring(digits)), radix: 8) {
                plain.append(escaped)
                rest = rest.dropFirst(3)
            } else {
                plain.append(byte)
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }
}
