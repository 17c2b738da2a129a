import Files

/// The facts of a photo's header, of a fixed size, as it lies in memory and in the index.
struct StoredFacts: BitwiseCopyable, Sendable, Equatable {
    enum State: UInt8 {
        case unread = 0
        case known = 1
        /// The file is no picture, or a damaged one.
        case unreadable = 2
        /// The file could not be read, which says nothing about the picture. It is tried again.
        case failed = 3
    }

    /// Seconds of the camera's clock since 1970, as if it showed UTC; `Int64.min` where the file does not say.
    private var captured: Int64 = .min
    private var nanosecond: UInt32 = 0
    private var width: UInt32 = 0
    private var height: UInt32 = 0
    /// In minutes; `Int16.min` where the file does not say.
    private var offset: Int16 = .min
    private var orientation: UInt8 = 1
    private var rawState: UInt8 = 0

    /// Facts that have not been read.
    init() {}

    /// The mark of a file that could not be read.
    static let failed: StoredFacts = {
        var facts = StoredFacts()
        facts.rawState = State.failed.rawValue
        return facts
    }()

    /// - Parameter facts: nil for a file that has none.
    init(_ facts: PhotoFacts?) {
        rawState = (facts == nil ? State.unreadable : .known).rawValue
        guard let facts else { return }
        width = UInt32(clamping: facts.size.width)
        height = UInt32(clamping: facts.size.height)
        orientation = UInt8(facts.orientation.rawValue)
        guard let date = facts.captureDate else { return }
        captured =
            CalendarDay(date).number * CalendarDay.seconds + Int64(date.hour * 3600 + date.minute * 60 + date.second)
        // A leap second has no number of its own.
        if date.second == 60 { captured -= 1 }
        nanosecond = UInt32(date.nanosecond)
        offset = date.offsetFromUTC.map { Int16($0) } ?? .min
    }

    /// An index may hold anything.
    var state: State { State(rawValue: rawState) ?? .unread }

    /// Whether the file has been read, and need not be again while it is the same.
    var isRead: Bool { state == .known || state == .unreadable }

    /// Nanoseconds of the camera's clock since 1970; nil where that is not known.
    var date: Int64? {
        guard state == .known, captured != .min else { return nil }
        let (nanoseconds, overflow) = captured.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isBeyond) = nanoseconds.addingReportingOverflow(Int64(min(nanosecond, 999_999_999)))
        return overflow || isBeyond ? nil : sum
    }

    /// nil while they are not known.
    var facts: PhotoFacts? {
        guard state == .known, let orientation = Orientation(rawValue: Int(orientation)) else { return nil }
        return PhotoFacts(
            size: PixelSize(width: Int(width), height: Int(height)), orientation: orientation, captureDate: captureDate)
    }

    private var captureDate: CaptureDate? {
        // An index may hold times whose days have no number; no date has one of them.
        guard captured > .min + CalendarDay.seconds else { return nil }
        let day = CalendarDay(seconds: captured)
        let second = Int(captured - day.number * CalendarDay.seconds)
        let (year, month, dayOfMonth) = day.parts
        return CaptureDate(
            year: year, month: month, day: dayOfMonth, hour: second / 3600, minute: second / 60 % 60,
            second: second % 60, nanosecond: Int(nanosecond), offsetFromUTC: offset == .min ? nil : Int(offset))
    }
}

extension StoredFacts {
    /// Reads them from a file's first kilobytes.
    ///
    /// - Returns: The facts, and the file that they are of; nil where there is no file, or none that could be read.
    static func read(_ path: String) -> (facts: StoredFacts, of: FileFacts)? {
        guard let file = try? FileDescriptor.reading(path), let status = try? file.status(),
            let header = try? ImageHeader.read({ count, offset throws(SystemError) in
                try file.read(count, at: offset)
            }) as ImageHeader??
        else { return nil }
        let facts = header.map {
            PhotoFacts(
                size: $0.size, orientation: $0.metadata.storedOrientation, captureDate: $0.metadata.captureDate)
        }
        return (StoredFacts(facts), FileFacts(status))
    }
}
