import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Times of a provenance")
struct ProvenanceTests {
    @Test("A time that is set later passes from then on, as one that it began with")
    func setLater() {
        var fresh = Provenance(.network)
        fresh.freshness = .nanoseconds(1)
        #expect(comesTrue { fresh.aged().freshness == .zero })
        var kept = Provenance(.network)
        kept.lifetime = .zero
        #expect(comesTrue { kept.aged().lifetime ?? .zero < .zero })
    }

    @Test("A time that is set does not count from before, and the other one goes on")
    func other() {
        var provenance = Provenance(.network, lifetime: .zero, isLossy: true)
        #expect(comesTrue { provenance.aged().lifetime ?? .zero < .milliseconds(-2) })
        let before = provenance.aged()
        provenance.freshness = .seconds(9_000)
        #expect(provenance.freshness == .seconds(9_000) && provenance.isLossy)
        #expect(provenance.lifetime ?? .zero <= before.lifetime ?? .zero)
        #expect(comesTrue { provenance.aged().freshness ?? .zero < .seconds(9_000) })
    }

    @Test("A time that is taken away stays away")
    func without() {
        var provenance = Provenance(.network, freshFor: .seconds(9), lifetime: .seconds(9))
        provenance.freshness = nil
        #expect(provenance.freshness == nil && provenance.aged().freshness == nil)
        #expect(provenance.lifetime != nil)
    }
}
