import PhotoGenerator

/// The options of the program.
struct Settings: Sendable {
    var folder: String?
    var photos: Int?
    var port = 8080
    var size = NumberedPhotos.Size.small

    static let usage = """
        usage: gallery-web [--folder DIR] [--photos N] [--large] [--port PORT]

        Serves a gallery of photos to the browsers of this machine, until it is interrupted.
        --folder DIR   the photos in this folder and in those inside it
        --photos N     makes N numbered photos, in the folder if one is given; 2000 without --folder
        --large        makes photos of 2.4 megapixels
        --port PORT    8080 without it; 0 for one that is free
        """

    /// nil for arguments that make no sense.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            if option == "--large" {
                size = .large
                continue
            }
            guard let value = rest.popFirst() else { return nil }
            switch option {
            case "--folder": folder = value
            case "--photos":
                guard let count = Int(value), (1...500_000).contains(count) else { return nil }
                photos = count
            case "--port":
                guard let number = Int(value), (0...65_535).contains(number) else { return nil }
                port = number
            default: return nil
            }
        }
    }
}
