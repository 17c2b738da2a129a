import CCurl
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("The time that a transfer takes")
struct TransferTimeTests {
    private struct Nobody: HTTPReceiver {
        func didReceive(_ head: HTTPResponseHead) {}
        func didReceive(_ bytes: [UInt8]) {}
        func didEnd(_ error: TransportError?) {}
    }

    @Test("Looking names up and being under way count, over all redirects; waiting for one's turn does not")
    func phases() {
        var options = TransportOptions()
        options.limits = TransferLimits(connect: .seconds(10), total: .seconds(100))
        let loop = CurlLoop(options)
        defer { loop.post(.stop) }
        let transfer = CurlTransfer(
            HTTPRequest(url: "http://127.0.0.1:1/"), receiver: Nobody(), on: loop, of: CurlTransport(options))
        let start = ContinuousClock.now
        func at(_ seconds: Double) -> ContinuousClock.Instant { start + .milliseconds(seconds * 1_000) }
        func limits(_ times: Double...) -> [TransportError.TimeLimit?] {
            times.map { transfer.reachedLimit(at: at($0)) }
        }

        #expect(transfer.deadline == nil)
        transfer.enter(.lookingUp, at: at(0))
        #expect(transfer.deadline == at(10))
        #expect(limits(0, 9.999, 10) == [nil, nil, .lookup])
        transfer.enter(.waiting, at: at(4))
        #expect(transfer.deadline == nil)
        transfer.enter(.running, at: at(1_000))
        #expect(transfer.deadline == at(1_096))
        #expect(limits(1_000, 1_095.999, 1_096) == [nil, nil, .total])
        // A redirect: the rest of the time is for it.
        transfer.enter(.lookingUp, at: at(1_090))
        #expect(transfer.deadline == at(1_096))
        #expect(limits(1_095.999, 1_096) == [nil, .total])
        transfer.enter(.waiting, at: at(1_095))
        transfer.enter(.running, at: at(5_000))
        #expect(transfer.deadline == at(5_001))
        #expect(limits(5_000.999, 5_001) == [nil, .total])
        // What has taken too long already is over at once.
        transfer.enter(.running, at: at(6_000))
        #expect(transfer.deadline == at(6_000))
        transfer.enter(.over, at: at(7_000))
        #expect(transfer.deadline == nil)
    }

    @Test("A request's own limits replace the transport's, and what has come is counted anew in each phase")
    func ownLimits() {
        let loop = CurlLoop(TransportOptions())
        defer { loop.post(.stop) }
        let transport = CurlTransport()
        func transfer(_ limits: TransferLimits?) -> CurlTransfer {
            let request = HTTPRequest(url: "http://127.0.0.1:1/", limits: limits)
            return CurlTransfer(request, receiver: Nobody(), on: loop, of: transport)
        }
        #expect(transfer(nil).limits == TransferLimits())
        let own = transfer(TransferLimits(total: .seconds(7)))
        let start = ContinuousClock.now
        own.enter(.running, at: start)
        #expect(own.deadline == start + .seconds(7))
        #expect(own.progressSinceLook() == nil)
        #expect(own.progressSinceLook() == 0)
        own.enter(.running, at: start)
        #expect(own.progressSinceLook() == nil)
    }

    @Test("A transfer that is not connected is looked at soon, and no later than its time is over")
    func connecting() throws {
        let loop = CurlLoop(TransportOptions())
        defer { loop.post(.stop) }
        let transport = CurlTransport()
        let now = ContinuousClock.now
        for (total, isShort) in [(Duration.seconds(3_600), false), (.milliseconds(1), true)] {
            let request = HTTPRequest(url: "http://127.0.0.1:1/", limits: TransferLimits(total: total))
            let transfer = CurlTransfer(request, receiver: Nobody(), on: loop, of: transport)
            try transfer.begin()
            transfer.enter(.running, at: now)
            let deadline = try #require(transfer.deadline)
            let soon = ContinuousClock.now + .milliseconds(50)
            #expect(isShort ? deadline == now + total : deadline > now && deadline <= soon)
        }
    }

    @Test("What comes of the head counts for the rate of a transfer as the body does")
    func rate() throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX-A: b\r\n\r\nabc"
        let server = try #require(
            RawServer { connection in
                connection.readHead()
                connection.write(answer)
            })
        try #require(ccurl_initialize() == CURLE_OK)
        var options = TransportOptions.patient
        options.proxy = .none
        let (handle, request) = (try CurlHandle(options), HTTPRequest(url: server.url()))
        let hop = try CurlHop(
            TransferURL(request.url), of: ObjectIdentifier(handle), limits: options.limits, options: options)
        try hop.prepare(handle, for: request, headers: [], addresses: [], options: options)
        #expect(curl_easy_perform(handle.easy) == CURLE_OK)
        #expect(hop.recent == answer.utf8.count && hop.total == answer.utf8.count)
    }

    @Test("A moment is waited for until it has come, a minute at most")
    func moments() {
        let now = ContinuousClock.now
        #expect((now + .seconds(1 << 20)).pollTime == 60_000)
        #expect(now.pollTime == 0 && (now - .seconds(1 << 20)).pollTime == 0)
    }

    @Test("A wait is a whole number of milliseconds, none too few, a minute at most, and none for what is over")
    func waits() {
        let waits: [(Duration, Int32)] = [
            (.zero, 0), (.nanoseconds(-1), 0), (.milliseconds(-998), 0), (.seconds(-1), 0), (.seconds(-1 << 40), 0),
            (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1_001), 2), (.milliseconds(999), 999),
            (.microseconds(999_001), 1_000), (.seconds(1), 1_000), (.milliseconds(59_999), 59_999),
            (.microseconds(59_999_001), 60_000), (.seconds(60), 60_000), (.seconds(61), 60_000),
            (.seconds(1 << 40), 60_000),
        ]
        for (duration, wait) in waits { #expect(duration.pollTime == wait, "\(duration)") }
    }
}
