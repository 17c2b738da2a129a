import ImageCodecs
import Testing

@Suite("Rendition")
struct RenditionTests {
    private static let size = PixelSize(width: 20, height: 10)

    /// One change of each property of a rendition with a size, by the property's name.
    private static let changes: [String: @Sendable (inout Rendition) -> Void] = [
        "targetSize": { $0.targetSize = PixelSize(width: 10, height: 20) },
        "contentMode": { $0.contentMode = .fill },
        "enlarges": { $0.enlarges = true },
        "filter": { $0.filter = .box },
        "quality": { $0.quality = .exact },
        "linearLight": { $0.linearLight = true },
        "keepsDepth": { $0.keepsDepth = true },
        "appliesGamma": { $0.appliesGamma = false },
        "leavesOutScans": { $0.leavesOutScans = false },
        "damage": { $0.damage = .refuse },
        "processors": { $0.processors = [.circle] },
    ]

    @Test("Each property that changes an image is part of the identifier: none can be forgotten")
    func everyPropertyCounts() {
        let plain = Rendition.fit(Self.size)
        let properties = Mirror(reflecting: plain).children.compactMap(\.label)
        #expect(Set(properties) == Set(Self.changes.keys), "a new property needs a change here")
        var identifiers: Set<String> = [plain.identifier]
        for (property, change) in Self.changes {
            var changed = plain
            change(&changed)
            #expect(identifiers.insert(changed.identifier).inserted, "\(property) is not part of the identifier")
        }
    }

    @Test("At the picture's own size, what only counts where a size changes is no part of the identifier")
    func ownSize() {
        for property in ["contentMode", "enlarges", "filter", "quality", "linearLight", "leavesOutScans"] {
            var changed = Rendition.original
            Self.changes[property]?(&changed)
            #expect(changed.identifier == Rendition.original.identifier, "\(property)")
        }
        for property in ["targetSize", "keepsDepth", "appliesGamma", "damage", "processors"] {
            var changed = Rendition.original
            Self.changes[property]?(&changed)
            #expect(changed.identifier != Rendition.original.identifier, "\(property)")
        }
    }

    @Test("Steps that are split another way have an identifier of their own")
    func steps() {
        let circle = Rendition.original.processed(by: .circle)
        #expect(circle.processed(by: .grayscale) == Rendition.original.processed(by: .circle, .grayscale))
        let identifiers = [
            circle, circle.processed(by: .circle), Rendition.original.processed(by: .grayscale, .circle),
            circle.processed(by: .grayscale), Rendition.original.processed(by: .composition([.circle, .grayscale])),
        ].map(\.identifier)
        #expect(Set(identifiers).count == identifiers.count)
    }
}
