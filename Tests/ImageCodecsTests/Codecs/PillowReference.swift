import ImageCodecs
import TestSupport
import Testing

/// What Pillow makes of CMYK files.
enum PillowReference {
    /// A Python that has it.
    static let python: String? = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"].first {
        path in
        let words = ["-c", "\"$0\" -c 'import PIL; print(1)' 2>/dev/null", path]
        return (try? ChildProcess(path: "/bin/sh", words).readOutput())?.contains("1") == true
    }

    /// A CMYK file of Pillow's own, the same without its Adobe marker, and Pillow's pictures of both.
    static func cmyk() throws -> [(file: [UInt8], picture: [UInt8])] {
        let directory = TemporaryDirectory()
        let script = """
            import sys
            from PIL import Image
            ramps = [Image.linear_gradient("L").rotate(90 * turn) for turn in range(3)]
            path = sys.argv[1] + "/adobe.jpg"
            Image.merge("RGB", ramps).convert("CMYK").save(path, quality=95)
            file = open(path, "rb").read()
            start = file.index(b"\\xff\\xee")
            end = start + 2 + file[start + 2] * 256 + file[start + 3]
            open(sys.argv[1] + "/plain.jpg", "wb").write(file[:start] + file[end:])
            for name in ("adobe", "plain"):
                picture = Image.open(sys.argv[1] + "/" + name + ".jpg").convert("RGB")
                open(sys.argv[1] + "/" + name + ".raw", "wb").write(picture.tobytes())
            """
        _ = try ChildProcess(path: #require(python), ["-c", script, directory.path]).readOutput()
        return try ["adobe", "plain"].map { name in
            let path = directory.path + "/" + name
            return (try #require(SharedImages.read(path + ".jpg")), try #require(SharedImages.read(path + ".raw")))
        }
    }
}
