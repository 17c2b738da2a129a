import Streams

/// What the loop is told to do, and the way of a transfer to its turn: its name is looked up, then it waits for a place.
extension CurlLoop {
    func carryOut(_ command: Command) {
        switch command {
        case .start(let transfer):
            guard !transfer.isCancelled else { return transfer.release() }
            transfers[transfer.id] = transfer
            do throws(TransportError) {
                try transfer.begin()
                proceed(transfer)
            } catch {
                end(transfer, error)
            }
        case .request(let transfer, let chunks): transfer.grant(chunks)
        case .cancel(let transfer): drop(transfer)
        case .prioritise(let transfer): queue.setLevel(transfer.request.priority.level, of: transfer.id)
        case .found(let name, let result):
            lookups[name] = nil
            for id in names.settle(name, result, at: .now) {
                guard let transfer = transfers[id], transfer.phase == .lookingUp else { continue }
                settleName(of: transfer, result)
            }
        case .stop: break
        }
    }

    /// Brings a transfer to its turn as soon as the name of its peer is known. Who waits for a name has no place that others could use.
    func proceed(_ transfer: CurlTransfer) {
        guard let hop = transfer.hop else { return }
        if hop.peer.literalAddress == nil {
            switch names.look(up: hop.peer.host, for: transfer.id, at: .now) {
            case .known(let result): return settleName(of: transfer, result)
            case .awaited(let isNew):
                transfer.enter(.lookingUp, at: .now)
                updateDeadline(of: transfer)
                if isNew { lookUp(hop.peer.host) }
                return
            }
        }
        queueUp(transfer)
    }

    private func settleName(of transfer: CurlTransfer, _ result: Result<[IPAddress], NameError>) {
        switch result {
        case .success(let addresses):
            transfer.addresses = addresses
            queueUp(transfer)
        case .failure(let error):
            let host = transfer.hop?.peer.host ?? ""
            end(transfer, .nameNotFound(host: host, reason: error.reason))
        }
    }

    private func queueUp(_ transfer: CurlTransfer) {
        guard let hop = transfer.hop else { return }
        transfer.enter(.waiting, at: .now)
        updateDeadline(of: transfer)
        // The level is read when its changes are heard of already: none falls between the two.
        if case .live(let priority) = transfer.request.priority, transfer.priorityChanges == nil {
            transfer.priorityChanges = priority.observe { [weak self, weak transfer] _ in
                if let transfer { self?.post(.prioritise(transfer)) }
            }
        }
        transfer.place = queue.append(
            transfer.id, to: hop.peer.origin, level: transfer.request.priority.level, at: transfer.place)
    }

    private func lookUp(_ name: String) {
        lookups[name] = options.resolver.addresses(of: name).first().sink(
            receiveCompletion: { [weak self] completion in
                if case .failure(let error) = completion { self?.post(.found(name, .failure(error))) }
            },
            receiveValue: { [weak self] addresses in
                self?.post(
                    .found(name, addresses.isEmpty ? .failure(NameError("it has no address")) : .success(addresses)))
            })
    }
}
