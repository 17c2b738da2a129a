import CommandOutput
import Figures
import ImagePipeline
import LoopbackServer
import Streams

/// Six scenes that show the pipeline at work, and a contact sheet of what was seen.
struct Demonstration {
    let output: OutputDirectory
    /// The box that images fit in.
    let box: PixelSize

    /// Returns a figure for each scene.
    func run() async throws -> Figures {
        Console.line(
            "Making four photos and serving them at \(ServedPhotos.bytesPerSecond.asBytes)/s on this machine …")
        let photos = try ServedPhotos()
        defer { photos.server.stop() }
        let stage = try Stage(photos: photos, box: box)
        Console.line("")
        var figures = Figures()
        var tiles: [[Tile]] = []
        let scenes = [
            stage.coldLoad, stage.secondRequest, stage.newPipeline, stage.twoAtOnce, stage.reusedSlot, stage.failure,
        ]
        for scene in scenes {
            let (report, shown) = try await scene()
            report.lines.forEach(Console.line)
            figures.add(Figure("\(report.number) \(report.title)", isSo: report.broken.isEmpty))
            tiles.append(shown)
        }
        let path = try writeSheet(tiles)
        Console.line("\nContact sheet: \(path)")
        Console.line(
            figures.hold ? "All six scenes went as expected." : "Something did not go as expected; see above.")
        return figures
    }

    private func writeSheet(_ tiles: [[Tile]]) throws -> String {
        let sheet = ContactSheet(
            title: "WHAT LOAD-IMAGE SHOWED",
            rows: [
                ContactSheet.Row(
                    title: "1 · COLD LOAD: A PROGRESSIVE JPEG WHILE IT ARRIVES, THEN THE FINAL IMAGE", tiles: tiles[0]),
                ContactSheet.Row(
                    title: "2-6 · WHERE IMAGES CAME FROM AFTERWARDS", tiles: Array(tiles.dropFirst().joined())),
            ],
            tileSize: PixelSize(width: 192, height: 128))
        let bytes = try sheet.drawn()?.encoded(as: .png(level: 9))
        return try output.write(bytes ?? [], as: "contact-sheet.png")
    }
}
