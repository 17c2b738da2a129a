import Testing

@testable import thumbnails

@Suite("Names of thumbnails")
struct ThumbnailNameTests {
    @Test("A photo's own name where that will do, else with an extension behind it")
    func names() {
        let photos = ["a.jpg", "b.JPG", "c.jpeg", "d.png", "d.png.jpg", "e.jpg.png", "f.x.jpg", ".jpg"]
        #expect(
            photos.map { ThumbnailName.name(for: $0, as: .jpeg) } == [
                "a.jpg", "b.JPG", "c.jpeg", "d.png.jpg", "d.png.jpg.jpg", "e.jpg.png.jpg", "f.x.jpg", ".jpg",
            ])
        #expect(ThumbnailName.name(for: "a.jpg", as: .png) == "a.jpg.png")
        #expect(ThumbnailName.name(for: "d.png", as: .png) == "d.png")
    }

    @Test("Photos are told by their names")
    func photos() {
        #expect(["a.jpg", "a.JPEG", "a.b.png", "ä.jfif"].allSatisfy(ThumbnailName.isPhoto))
        #expect(!["jpg", "a.gif", "a.jpg~", "", ".", "a.", "png/"].contains(where: ThumbnailName.isPhoto))
    }

    @Test("No two photos' thumbnails have the same name")
    func injective() {
        let parts = ["a", ".jpg", ".png", ".JPG", ".jpeg", ".x", ""]
        var names: Set<String> = []
        for one in parts {
            for two in parts { for three in parts { for four in parts { names.insert(one + two + three + four) } } }
        }
        let photos = names.filter(ThumbnailName.isPhoto)
        #expect(photos.count > 200)
        #expect(Set(photos.map { ThumbnailName.name(for: $0, as: .jpeg) }).count == photos.count)
        #expect(Set(photos.map { ThumbnailName.name(for: $0, as: .png) }).count == photos.count)
    }
}
