import Streams

/// Feeds the decoder and takes its images, for one caller at a time.
extension DecodingSubscriber {
    enum Outcome: Sendable {
        case nothing
        case events(LoadProgress, DegradedImage?)
        case images([Image], isEarly: Bool)
    }

    func feed(
        _ bytes: ArraySlice<UInt8>, _ decoder: inout ContentDecoder, _ state: inout DecodingState<WorkTurn<Context>>,
        isWhole: Bool
    ) throws(DecodeError) -> Outcome {
        _ = try renew(&decoder, &state, isLast: state.progress.received + bytes.count > Self.openBytes)
        if pass.isCancelled { return .nothing }
        state.notePrefix(bytes)
        let before = turn.now
        try append(bytes, to: decoder)
        let spent = before.distance(to: turn.now)
        if let held = decoder.memoryNeeded, held != state.heldBytes {
            state.heldBytes = held
            state.waitsForRoom = !turn.hold(held)
        }
        state.adaptPiece(to: spent, for: bytes.count, within: Self.slice)
        state.beginning?.append(bytes)
        state.progress.received += bytes.count
        if pass.isCancelled { return .nothing }
        if state.response?.isProvisional == true { return try showProvisionally(&decoder, &state) }
        var canStop = state.canStop(decoder)
        // Somebody may have joined who needs more.
        if canStop, try renew(&decoder, &state, isLast: true) { canStop = state.canStop(decoder) }
        if pass.isCancelled { return .nothing }
        if canStop { return .images(try finish(decoder), isEarly: true) }
        // The first one may be in the first kilobytes of a file that comes as one chunk.
        guard isWhole || !state.hasPreview else { return .nothing }
        // A preview costs time: none is made while nobody waits for one.
        guard pass.wantsPreview, state.budget.hasRoom,
            let preview = try state.budget.spending({ () throws(DecodeError) in try decoder.takePreview() })
        else { return isWhole ? .events(state.progress, nil) : .nothing }
        state.hasPreview = true
        return .events(state.progress, preview)
    }

    /// Makes the images of a body that another may take the place of, once it is whole.
    private func showProvisionally(_ decoder: inout ContentDecoder, _ state: inout DecodingState<WorkTurn<Context>>)
        throws(DecodeError) -> Outcome
    {
        guard state.progress.received == state.progress.expected else { return .events(state.progress, nil) }
        _ = try renew(&decoder, &state, isLast: true)
        let images = try finish(decoder)
        state.provisional = images
        guard pass.wantsPreview, let first = images.first else { return .events(state.progress, nil) }
        let further = images.dropFirst().map { DegradedImage(image: $0, quality: 1) }
        return .events(state.progress, DegradedImage(image: first, quality: 1, further: further))
    }

    /// Has another decoder make what is wanted by now, if that is more than what this one makes.
    ///
    /// - Parameter isLast: nobody is let in after this.
    /// - Returns: whether there is another one.
    func renew(
        _ decoder: inout ContentDecoder, _ state: inout DecodingState<WorkTurn<Context>>, isLast: Bool
    ) throws(DecodeError) -> Bool {
        guard let beginning = state.beginning else { return false }
        let wanted = pass.renditions(isLast: isLast)
        if isLast { state.beginning = nil }
        guard wanted != state.renditions else { return false }
        state.renditions = wanted
        decoder = makeDecoder(wanted)
        decoder.expect(state.response)
        for bytes in beginning where !pass.isCancelled { try append(bytes, to: decoder) }
        return true
    }

    private func append(_ bytes: ArraySlice<UInt8>, to decoder: ContentDecoder) throws(DecodeError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(DecodeError) in
            try decoder.append(UnsafeRawBufferPointer(buffer))
        }
    }

    func finish(_ decoder: ContentDecoder) throws(DecodeError) -> [Image] {
        let image = try decoder.finish()
        return [image] + decoder.furtherImages
    }
}
