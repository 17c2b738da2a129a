import StreamsTesting
import Testing

@testable import ImagePipeline

@Suite("What degraded images may take of a load's time")
struct PreviewBudgetTests {
    @Test("The first one is made at once, and another one when four times as much has passed as both take")
    func quarter() throws {
        let scheduler = VirtualTimeScheduler()
        var budget = PreviewBudget(scheduler: scheduler)
        #expect(budget.hasRoom)
        try budget.spending { scheduler.advance(by: .milliseconds(10)) }
        // 10 and another 10, four times.
        for _ in 11...79 {
            #expect(!budget.hasRoom)
            scheduler.advance(by: .milliseconds(1))
        }
        scheduler.advance(by: .milliseconds(1))
        #expect(budget.hasRoom)
        try budget.spending { scheduler.advance(by: .milliseconds(2)) }
        // 12 and the longest again.
        #expect(!budget.hasRoom)
        scheduler.advance(by: .milliseconds(6))
        #expect(budget.hasRoom)
    }

    @Test("What takes no time is always within it")
    func nothing() throws {
        let scheduler = VirtualTimeScheduler()
        var budget = PreviewBudget(scheduler: scheduler)
        for _ in 0..<10 {
            try budget.spending {}
            #expect(budget.hasRoom)
        }
    }
}
