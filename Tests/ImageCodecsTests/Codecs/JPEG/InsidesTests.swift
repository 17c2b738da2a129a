import CJPEG
import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// Of what is done only where libjpeg's own structures are known (`scripts/jpeg-builds`).
    static var ifCodecsWorkInside: Self {
        .enabled(if: cjpeg_works_inside() != 0, "libjpeg's public interface does all the work")
    }
}

@Suite("libjpeg's insides")
struct InsidesTests {
    private static let build = ProcessInfo.processInfo.environment["JPEG_BUILD"]

    @Test("They are used only if their header is there, and says what is so", .enabled(if: build != nil))
    func works() {
        #expect((cjpeg_works_inside() != 0) == (Self.build == "inside"))
    }

    @Test("Facts asked for before there is a header are none")
    func early() throws {
        let decoder = try #require(cjpeg_decoder_create(0))
        defer { cjpeg_decoder_destroy(decoder) }
        var info = cjpeg_info()
        info.width = 1
        cjpeg_get_info(decoder, &info)
        #expect(info.width == 0)
        #expect(info.has_multiple_scans == 0)
    }
}
