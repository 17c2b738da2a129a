import Files
import Testing

@testable import ImagePipeline

@Suite("Times and names that a library meets")
struct LibraryTimesTests {
    let folder = PhotoFolder()

    @Test("A file whose time is beyond what nanoseconds since 1970 can say is listed")
    func farFile() throws {
        folder.write("far.jpg")
        let file = try FileDescriptor(opening: "\(folder.path)/far.jpg", O_WRONLY)
        let time = Duration.seconds(9_223_372_036) + .milliseconds(900)
        file.setTimes(lastUse: time, change: time)
        #expect(time.nanoseconds == .max)
        #expect(try PhotoLibrary(folders: [folder.path]).fetch().map(\.name) == ["far.jpg"])
    }

    @Test("A camera's date beyond it is no date to sort by")
    func farDate() {
        let date = CaptureDate(
            year: 2262, month: 4, day: 11, hour: 23, minute: 47, second: 16, nanosecond: 900_000_000,
            offsetFromUTC: nil)
        let facts = StoredFacts(
            PhotoFacts(size: PixelSize(width: 1, height: 1), orientation: .up, captureDate: date))
        #expect(facts.date == nil)
        #expect(facts.facts?.captureDate?.year == 2262)
    }

    @Test("A day before the year 0 has a sign in front of four digits")
    func yearsBefore() {
        #expect(CalendarDay(seconds: -62_167_219_201).description == "-0001-12-31")
        #expect(CalendarDay(seconds: -62_167_219_200).description == "0000-01-01")
    }

    @Test("Two files of one text, written differently, are two places")
    func normalForms() {
        let places: Set = [
            FolderScan.Place(folder: "photos", name: "caf\u{E9}.jpg"),
            FolderScan.Place(folder: "photos", name: "cafe\u{301}.jpg"),
        ]
        #expect(places.count == 2)
    }
}
