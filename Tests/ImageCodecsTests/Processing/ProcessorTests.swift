import Foundation
import ImageCodecs
import TestSupport
import Testing

@Suite("Processors")
struct ProcessorTests {
    private func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

    private func flat(_ width: Int, _ height: Int, _ pixel: [UInt8]) throws -> Image {
        let format = try #require(PixelFormat.allCases.first { $0.channels == pixel.count })
        let bytes = (0..<width * height).flatMap { _ in pixel }
        return try #require(Image(size: size(width, height), format: format, bytes: bytes))
    }

    @Test("Resize and crop are what the image's own methods do")
    func resizeAndCrop() throws {
        let picture = try Pictures.gradient(60, 40)
        #expect(try AnyImageProcessor.resize(in: size(30, 30)).process(picture).size == size(30, 20))
        #expect(
            try AnyImageProcessor.resize(in: size(30, 30), mode: .fill, filter: .box).process(picture)
                == picture.resized(in: size(30, 30), mode: .fill, filter: .box))
        let rect = PixelRect(x: 5, y: 6, width: 7, height: 8)
        #expect(try AnyImageProcessor.crop(rect).process(picture) == picture.cropped(to: rect))
        #expect(
            try AnyImageProcessor.crop(size(20, 100), gravity: .right).process(picture)
                == picture.cropped(to: PixelRect(x: 40, y: 0, width: 20, height: 40)))
        #expect(throws: ProcessingError.self) {
            try AnyImageProcessor.crop(PixelRect(x: 60, y: 0, width: 1, height: 1)).process(picture)
        }
    }

    @Test(
        "Round corners are clear outside, half at the edge, and leave the rest as it was",
        arguments: PixelFormat.allCases)
    func roundedCorners(format: PixelFormat) throws {
        let picture = try Pictures.gradient(40, 30, format)
        let rounded = try AnyImageProcessor.roundedCorners(radius: 10).process(picture)
        #expect(rounded.format == format.withAlpha(true))
        var clear = 0.0
        for y in 0..<30 {
            for x in 0..<40 {
                let (before, after) = (try #require(picture.pixel(x: x, y: y)), try #require(rounded.pixel(x: x, y: y)))
                #expect((before.x, before.y, before.z) == (after.x, after.y, after.z))
                let isInCorner = (x < 10 || x >= 30) && (y < 10 || y >= 20)
                if !isInCorner { #expect(before.w == after.w) }
                if !format.hasAlpha { clear += 1 - Double(after.w) / 255 }
            }
        }
        // What a square has more than its circle: (4 - π) r².
        if !format.hasAlpha { #expect(abs(clear - (4 - Double.pi) * 100) < 2) }
        let square = try flat(40, 30, [9, 9, 9])
        #expect(try AnyImageProcessor.roundedCorners(radius: -1).process(square).pixel(x: 0, y: 0)?.w == 255)
        #expect(try AnyImageProcessor.roundedCorners(radius: .nan).process(square).pixel(x: 0, y: 0)?.w == 255)
        #expect(
            try AnyImageProcessor.roundedCorners(radius: 1e9).process(square)
                == AnyImageProcessor.roundedCorners(radius: 15).process(square))
    }

    @Test("A blur that nobody wants any more stops at the next row; the steps behind it do not run")
    func cancelled() throws {
        let picture = try Pictures.gradient(10, 50)
        let steps = AnyImageProcessor.composition([.blur(sigma: 10), .circle])
        for allowed in [0, 1, 4, 40] {
            var asked = 0
            #expect(throws: ProcessingError.self) {
                try steps.process(picture) {
                    asked += 1
                    return asked > allowed
                }
            }
            #expect(asked == allowed + 1)
        }
        #expect(try steps.process(picture) { false } == steps.process(picture))
    }

    @Test("A circle is square, and has the area of a circle")
    func circle() throws {
        let circle = try AnyImageProcessor.circle.process(flat(61, 40, [1, 2, 3]))
        #expect(circle.size == size(40, 40))
        let area = stride(from: 3, to: circle.bytes.count, by: 4).reduce(0.0) { $0 + Double(circle.bytes[$1]) / 255 }
        #expect(abs(area - Double.pi * 400) < 4)
        #expect(try AnyImageProcessor.circle.process(flat(1, 1, [1, 2, 3])).size == size(1, 1))
    }

    @Test("A blur agrees with the textbook, and lends no colour from clear pixels", arguments: [0.5, 1.7, 6])
    func blur(sigma: Double) throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        let picture = try Pictures.noise(17, 11, .grey8, using: &generator)
        let ours = try AnyImageProcessor.blur(sigma: sigma).process(picture)
        // Far enough for what is left out of the textbook's own window to be nothing beside a sample's step.
        let reach = Int((6 * sigma).rounded(.up))
        let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let total = weights.reduce(0, +)
        func blurred(_ count: Int, _ sample: (Int) -> Double) -> [Double] {
            (0..<count).map { centre in
                zip(-reach...reach, weights).reduce(0) { $0 + $1.1 * sample(max(0, min(count - 1, centre + $1.0))) }
                    / total
            }
        }
        let across = (0..<11).map { y in blurred(17) { Double(picture.bytes[y * 17 + $0]) } }
        for x in 0..<17 {
            for (y, exact) in blurred(11, { across[$0][x] }).enumerated() {
                #expect(abs(Double(ours.bytes[y * 17 + x]) - exact) <= 0.6, "seed \(seed)")
            }
        }
        let bytes: [UInt8] = (0..<64).flatMap { $0 % 8 < 4 ? [200, 10, 10, 255] : [0, 255, 0, 0] as [UInt8] }
        let half = try #require(Image(size: size(8, 8), format: .rgba8, bytes: bytes))
        let soft = try AnyImageProcessor.blur(sigma: sigma).process(half)
        for at in stride(from: 0, to: soft.bytes.count, by: 4) where soft.bytes[at + 3] > 8 {
            #expect(abs(Int(soft.bytes[at]) - 200) <= 1 && abs(Int(soft.bytes[at + 1]) - 10) <= 1)
        }
        #expect(
            try AnyImageProcessor.blur(sigma: sigma).process(flat(5, 4, [7, 80, 255])) == flat(5, 4, [7, 80, 255]))
        #expect(try AnyImageProcessor.blur(sigma: 0).process(picture) == picture)
    }

    @Test("Tint mixes colours, flatten lays on one, grayscale takes them away")
    func colours() throws {
        let red = Colour(red: 255, green: 0, blue: 0, alpha: 51)
        #expect(try AnyImageProcessor.tint(red).process(flat(2, 2, [0, 100, 200])) == flat(2, 2, [51, 80, 160]))
        #expect(try AnyImageProcessor.tint(red).process(flat(2, 2, [100, 9])) == flat(2, 2, [131, 80, 80, 9]))
        let grey = Colour(red: 50, green: 50, blue: 50)
        #expect(try AnyImageProcessor.tint(grey).process(flat(2, 2, [100])) == flat(2, 2, [50]))
        let clear = Colour(red: 1, green: 2, blue: 3, alpha: 0)
        #expect(try AnyImageProcessor.tint(clear).process(flat(2, 2, [7, 8, 9])) == flat(2, 2, [7, 8, 9]))

        #expect(try AnyImageProcessor.flatten().process(flat(2, 2, [0, 0, 0, 51])) == flat(2, 2, [204, 204, 204]))
        #expect(
            try AnyImageProcessor.flatten(on: Colour(red: 0, green: 100, blue: 0)).process(flat(1, 1, [200, 0]))
                == flat(1, 1, [0, 100, 0]))
        #expect(try AnyImageProcessor.flatten(on: .black).process(flat(1, 1, [200, 51])) == flat(1, 1, [40]))
        #expect(try AnyImageProcessor.flatten(on: red).process(flat(1, 1, [1, 2, 3])) == flat(1, 1, [1, 2, 3]))

        #expect(try AnyImageProcessor.grayscale.process(flat(1, 1, [255, 0, 0, 7])) == flat(1, 1, [76, 7]))
        #expect(try AnyImageProcessor.grayscale.process(flat(1, 1, [9])) == flat(1, 1, [9]))
    }

    @Test("Padding between rows makes no difference", arguments: PixelFormat.allCases)
    func padding(format: PixelFormat) throws {
        let picture = try Pictures.gradient(12, 9, format)
        let rowBytes = 12 * format.bytesPerPixel
        var bytes: [UInt8] = []
        for y in 0..<9 {
            bytes += picture.bytes[(y * rowBytes)..<((y + 1) * rowBytes)]
            bytes += [99, 99, 99, 99, 99]
        }
        let padded = try #require(
            Image(size: picture.size, format: format, bytes: bytes, bytesPerRow: rowBytes + 5))
        #expect(padded == picture)
        let steps: [AnyImageProcessor] = [
            .resize(in: size(5, 5)), .crop(size(4, 4)), .roundedCorners(radius: 3), .circle, .blur(sigma: 1),
            .tint(Colour(red: 1, green: 2, blue: 3, alpha: 100)), .flatten(), .grayscale,
        ]
        for step in steps { #expect(try step.process(padded) == step.process(picture), "\(step.identifier)") }
    }

    @Test("Steps follow one another, and one that fails ends them")
    func composition() throws {
        let picture = try Pictures.gradient(40, 30)
        let steps: [AnyImageProcessor] = [.crop(size(20, 20)), .grayscale, .resize(in: size(10, 10))]
        let expected = try steps.reduce(picture) { try $1.process($0) }
        #expect(try AnyImageProcessor.composition(steps).process(picture) == expected)
        #expect(try AnyImageProcessor.composition([]).process(picture) == picture)
        #expect(throws: ProcessingError.self) {
            try AnyImageProcessor.composition([.grayscale, .crop(PixelRect(x: 99, y: 0, width: 1, height: 1))])
                .process(picture)
        }
    }

    @Test("Different steps have different identifiers, and identifiers never change")
    func identifiers() {
        let pink = Colour(red: 255, green: 0, blue: 128, alpha: 9)
        let steps: [(AnyImageProcessor, String)] = [
            (.resize(in: size(1, 2)), "imagestreams.resize(1x2 fit false lanczos3)"),
            (
                .resize(in: size(1, 2), mode: .fill(gravity: .topLeft), enlarges: true, filter: .box),
                "imagestreams.resize(1x2 fill-topLeft true box)"
            ),
            (.crop(PixelRect(x: 1, y: 2, width: 3, height: 4)), "imagestreams.crop(1 2 3 4)"),
            (.crop(size(3, 4)), "imagestreams.crop(3x4 centre)"),
            (.roundedCorners(radius: 2.5), "imagestreams.rounded-corners(2.5)"),
            (.circle, "imagestreams.circle"),
            (.blur(sigma: 3), "imagestreams.blur(3.0)"),
            (.tint(pink), "imagestreams.tint(255 0 128 9)"),
            (.flatten(), "imagestreams.flatten(255 255 255 255)"),
            (.grayscale, "imagestreams.grayscale"),
            (
                .composition([.circle, .grayscale]),
                "imagestreams.composition(19:imagestreams.circle22:imagestreams.grayscale)"
            ),
        ]
        for (step, identifier) in steps { #expect(step.identifier == identifier) }
        #expect(Set(steps.map(\.0)).count == steps.count)
    }
}
