import Foundation
import ImageCodecs
import TestSupport
import Testing

@Suite("Files that we write, beside ExifTool")
struct ExifToolTests {
    private static let program = VipsReference.installed("exiftool")

    @Test(
        "exiftool -validate finds nothing wrong with any JPEG, whatever it says and is made of",
        .enabled(if: program != nil))
    func jpeg() throws {
        let directory = TemporaryDirectory()
        let date = CaptureDate(
            year: 2021, month: 3, day: 4, hour: 5, minute: 6, second: 7, nanosecond: 120_000_000, offsetFromUTC: 60)
        let position = GeographicPosition(latitude: -12.5, longitude: 130.25, altitude: -3.5)
        // One that a JFIF header can say, and one that it cannot.
        let densities = [
            nil, PixelDensity(horizontal: 300, vertical: 300), PixelDensity(horizontal: 72.5, vertical: 71.3),
        ]
        var count = 0
        for density in densities {
            for facts in [
                ImageMetadata(density: density), ImageMetadata(captureDate: date, density: density),
                ImageMetadata(position: position, density: density),
                ImageMetadata(captureDate: date, position: position, density: density),
            ] {
                for format in [PixelFormat.rgb8, .grey8, .rgba16] {
                    for encoding in [
                        ImageEncoding.jpeg(subsampling: .yuv444), .jpeg(progressive: true), .jpeg(tables: .standard),
                    ] {
                        let picture = try Pictures.gradient(48, 40, format).withMetadata(facts)
                        let file = Data(try picture.encoded(as: encoding, metadata: .all))
                        try file.write(to: URL(fileURLWithPath: "\(directory.path)/\(count).jpg"))
                        count += 1
                    }
                }
            }
        }
        try validate(directory.path, count: count)
    }

    @Test("Nor with any PNG", .enabled(if: program != nil))
    func png() throws {
        let directory = TemporaryDirectory()
        let date = CaptureDate(
            year: 2021, month: 3, day: 4, hour: 5, minute: 6, second: 7, nanosecond: 120_000_000, offsetFromUTC: 60)
        let position = GeographicPosition(latitude: -12.5, longitude: 130.25, altitude: -3.5)
        var count = 0
        for facts in [
            ImageMetadata(), ImageMetadata(density: PixelDensity(horizontal: 300, vertical: 300)),
            ImageMetadata(
                captureDate: date, position: position, density: PixelDensity(horizontal: 72.5, vertical: 71.3)),
        ] {
            for format in [PixelFormat.grey8, .greyAlpha8, .rgb8, .rgba8, .grey16, .rgba16] {
                for encoding in [ImageEncoding.png, .png(reduced: false)] {
                    let picture = try Pictures.gradient(48, 40, format).withMetadata(facts)
                    let file = Data(try picture.encoded(as: encoding, metadata: .all))
                    try file.write(to: URL(fileURLWithPath: "\(directory.path)/\(count).png"))
                    count += 1
                }
            }
        }
        try validate(directory.path, count: count)
    }

    private func validate(_ folder: String, count: Int) throws {
        let words = ["-validate", "-T", "-filename", "-validate", folder]
        let rows = try ChildProcess(path: #require(Self.program), words).readOutput().split(separator: "\n")
        #expect(rows.count == count)
        for row in rows { #expect(row.hasSuffix("\tOK"), "\(row)") }
    }
}
