import CommandOutput

/// How a photo's thumbnail is called. No two names of photos in a directory give the same.
enum ThumbnailName {
    private static let extensions: [OutputFormat: Set<String>] = [
        .jpeg: ["jpg", "jpeg", "jpe", "jfif"], .png: ["png"],
    ]

    /// Whether a file is a photo, by its name.
    static func isPhoto(_ name: String) -> Bool {
        fileExtension(name).map { kind in extensions.values.contains { $0.contains(kind) } } ?? false
    }

    /// The photo's own name if that says what a thumbnail is; else with the thumbnail's extension behind it.
    ///
    /// `a.png.jpg`, which could be the thumbnail of `a.png`, gets an extension more.
    static func name(for photo: String, as format: OutputFormat) -> String {
        guard let kind = fileExtension(photo), extensions[format]?.contains(kind) == true,
            !isPhoto(String(photo.dropLast(kind.count + 1)))
        else { return "\(photo).\(format.fileExtension)" }
        return photo
    }

    private static func fileExtension(_ name: String) -> String? {
        name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
    }
}
