import ImagePipeline
import Testing

@testable import load_image

@Suite("The contact sheet")
struct ContactSheetTests {
    private let red = Image(
        size: PixelSize(width: 8, height: 4), format: .rgb8, bytes: (0..<32).flatMap { _ in [200, 0, 0] as [UInt8] })

    private func sheet(_ tiles: [Tile]) -> ContactSheet {
        ContactSheet(
            title: "T", rows: [ContactSheet.Row(title: "row", tiles: tiles)], tileSize: PixelSize(width: 40, height: 20)
        )
    }

    @Test("Every glyph has seven rows of five dots, and no two are alike")
    func glyphs() {
        let characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;-+=/%()×·!?'\"_<> "
        let drawings = characters.map { BitmapFont.rows($0) }
        #expect(drawings.allSatisfy { $0.count == BitmapFont.height && $0.allSatisfy { $0 < 32 } })
        #expect(Set(drawings).count == characters.count)
        #expect(BitmapFont.rows("a") == BitmapFont.rows("A"))
        #expect(!drawings.contains(BitmapFont.rows("€")))
    }

    @Test("What lies outside a canvas is left out")
    func clipping() throws {
        var canvas = Canvas(size: PixelSize(width: 4, height: 4), background: Canvas.Colour(1, 2, 3))
        canvas.fill(x: -5, y: 2, width: 100, height: 100, Canvas.Colour(9, 9, 9))
        canvas.write("WIDE TEXT", x: -7, y: -5, scale: 1, Canvas.Colour(1, 2, 3))
        canvas.draw(try #require(red), x: 3, y: 3)
        let image = try #require(canvas.image)
        #expect(image.pixel(x: 0, y: 0) == SIMD4(1, 2, 3, 255))
        #expect(image.pixel(x: 0, y: 3) == SIMD4(9, 9, 9, 255))
        #expect(image.pixel(x: 3, y: 3) == SIMD4(200, 0, 0, 255))
    }

    @Test("Pictures stand in the middle of their places, small ones as they are, large ones reduced")
    func placing() throws {
        let red = try #require(red)
        let small = try #require(sheet([Tile(content: .image(red), title: "a", note: "b")]).drawn())
        // The place begins at the margin and 26 pixels below the row's own top.
        let (left, top) = (20, 20 + 36 + 26)
        #expect(small.pixel(x: left + 20, y: top + 10) == SIMD4(200, 0, 0, 255))
        #expect(small.pixel(x: left + 2, y: top + 10) != SIMD4(200, 0, 0, 255))
        let large = red.resized(to: PixelSize(width: 400, height: 200))
        let reduced = try #require(sheet([Tile(content: .image(large), title: "a", note: "b")]).drawn())
        #expect(reduced.size == small.size)
        #expect(reduced.pixel(x: left + 1, y: top + 10) == SIMD4(200, 0, 0, 255))
    }

    @Test("A load that was abandoned or failed has its place, too, and texts of any length fit")
    func others() throws {
        let long = String(repeating: "long ", count: 100)
        let image = try #require(
            sheet([
                Tile(content: .abandoned(red), title: long, note: long),
                Tile(content: .abandoned(nil), title: "", note: ""),
                Tile(content: .failure(long), title: "", note: ""),
            ]).drawn())
        #expect(image.width == 2 * 20 + 3 * 40 + 2 * 14)
        #expect(sheet([]).drawn() == nil)
    }
}
