import ImagePipeline
import NIOHTTP1

extension Gallery {
    /// The longest part of the list that is told at once.
    private static let longestList = 500
    private static let sides = 32...1024

    /// Answers a request of the page. No path leads to a file: photos are asked for by their place in the list.
    func answer(_ request: HTTPRequestHead) -> Reply {
        let parts = request.uri.split(separator: "/").map(String.init)
        return switch parts.count {
        case 0: Reply("text/html; charset=utf-8", PackageResources.index_html)
        case 1 where parts[0] == "events": Reply("text/event-stream", events)
        case 1: file(parts[0])
        case 3 where parts[0] == "list": list(from: Int(parts[1]), count: Int(parts[2]))
        case 4 where parts[0] == "tiles": tile(at: Int(parts[1]), tag: parts[2], side: Int(parts[3]))
        default: Reply(.notFound)
        }
    }

    /// A file that the page is made of.
    private func file(_ name: String) -> Reply {
        let script = "text/javascript; charset=utf-8"
        return switch name {
        case "gallery.css": Reply("text/css; charset=utf-8", PackageResources.gallery_css)
        case "picture.js": Reply(script, PackageResources.picture_js)
        case "list.js": Reply(script, PackageResources.list_js)
        case "grid.js": Reply(script, PackageResources.grid_js)
        case "gallery.js": Reply(script, PackageResources.gallery_js)
        default: Reply(.notFound)
        }
    }

    private func list(from first: Int?, count: Int?) -> Reply {
        guard let first, let count, first >= 0, (0...Self.longestList).contains(count),
            first <= Int.max - count
        else { return Reply(.badRequest) }
        let list = list
        let json = list.photos.json(first..<first + count, revision: list.revision)
        return Reply("application/json", Array(json.utf8))
    }

    /// A photo that is no longer at its place is gone: the page is told of the new list, or will be at once.
    private func tile(at position: Int?, tag: String, side: Int?) -> Reply {
        guard let position, let side, Self.sides.contains(side) else { return Reply(.badRequest) }
        let photos = list.photos
        guard photos.indices.contains(position), photos[position].tag == tag else {
            return Reply("application/octet-stream", TileFrame(.gone, []).bytes)
        }
        return Reply("application/octet-stream", tile(of: photos[position], side: side))
    }
}
