#pragma once

// The inner loop of the checksum of cache entries (Checksum in ImagePipeline says what it is good for). In C, as it is compiled for
// wider vectors too, which are used where the processor has them. The results are the same to the bit.

#include <stdint.h>

/// The bytes that all lanes take in turn.
#define CCHECKSUM_TURN 128

/// Takes bytes into sixteen lanes.
///
/// - Parameter turns: the number of turns, `CCHECKSUM_TURN` bytes each.
void cchecksum_take(uint64_t *_Nonnull lanes, const void *_Nullable bytes, long turns);

/// Does the same without wider vectors: for tests, which hold one beside the other.
void cchecksum_take_plain(uint64_t *_Nonnull lanes, const void *_Nullable bytes, long turns);
