import Foundation
import PhotoGenerator
import Testing

@Suite("A folder of numbered photos")
struct PhotoFolderTests {
    private let root = FileManager.default.temporaryDirectory.appending(path: "photo-folder-\(UUID())").path

    private func bytes(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(root)/\(name)").map(Array.init)
    }

    @Test(
        "Somebody else's file with a photo's name is neither replaced nor deleted, and neither is what its links lead to"
    )
    func strangers() throws {
        let folder = PhotoFolder(path: root, photos: try NumberedPhotos(landscapes: 1))
        defer { try? FileManager.default.removeItem(atPath: root) }
        folder.make(2)
        let own = try #require(bytes(PhotoFolder.name(1)))
        let mine = Array("mine".utf8)
        try Data(mine).write(to: URL(filePath: "\(root)/\(PhotoFolder.name(3))"))
        try Data(mine).write(to: URL(filePath: "\(root)/original"))
        for link in [PhotoFolder.name(4), ".part-5"] {
            try FileManager.default.createSymbolicLink(atPath: "\(root)/\(link)", withDestinationPath: "original")
        }
        for number in 3...5 {
            folder.write(number, date: 0)
            if number < 5 { #expect(!folder.remove(number)) }
        }
        #expect(bytes(PhotoFolder.name(3)) == mine)
        #expect(bytes(PhotoFolder.name(4)) == mine)
        #expect(bytes("original") == mine)
        #expect(bytes(PhotoFolder.name(5))?.isEmpty == false)

        #expect(folder.remove(1))
        #expect(bytes(PhotoFolder.name(1)) == nil)
        folder.write(1, date: 0)
        #expect(bytes(PhotoFolder.name(1)) == own)
    }
}
