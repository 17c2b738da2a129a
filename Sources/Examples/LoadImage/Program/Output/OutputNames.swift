/// Names for results: what is before the extension in the last component of the URL or path, and no name twice.
struct OutputNames {
    private var taken: Set<String> = []

    mutating func name(for input: String, size: Int, extension fileExtension: String) -> String {
        let withoutQuery = input.contains("://") ? input.prefix { $0 != "?" && $0 != "#" } : input[...]
        // By bytes: a mark that combines with the slash before it hides it.
        let last = withoutQuery.utf8.split(separator: UInt8(ascii: "/")).last.map(Substring.init) ?? "image"
        let stem = last.lastIndex(of: ".").map { last[..<$0] } ?? last
        let base = (stem.isEmpty ? "image" : String(stem)) + "-\(size)"
        var name = "\(base).\(fileExtension)"
        var number = 2
        while !taken.insert(name).inserted {
            name = "\(base)-\(number).\(fileExtension)"
            number += 1
        }
        return name
    }
}
