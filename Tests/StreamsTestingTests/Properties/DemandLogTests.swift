import Testing

@testable import StreamsTesting

@Suite("The order of what demand goes by")
struct DemandLogTests {
    @Test("Of what happens at one moment the output comes before what is requested then, noted first or last")
    func moments() {
        for requestsFirst in [false, true] {
            let time = VirtualTimeScheduler()
            let log = DemandLog(inputs: 1, clock: time)
            time.advance(by: .milliseconds(5))
            if requestsFirst { log.request(.max(1)) }
            log.note(.value(1), of: 0)
            if !requestsFirst { log.request(.max(1)) }
            let outcome = log.outcome(OperatorModel { $0[0] }, QueueModel(keeping: 0))
            #expect(outcome.values == [])
        }
    }
}
