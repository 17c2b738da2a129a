#pragma once

#include "../shim/state.h"

// Whether a component's transform at its scale looks at a frequency, by its place in zigzag order.
int cjpeg_is_visible(const jpeg_component_info *component, int coefficient);
// All for which that is so, a bit each.
uint64_t cjpeg_visible_frequencies(const jpeg_component_info *component);
// The lowest `size` each way, a bit each.
uint64_t cjpeg_lowest_frequencies(int size);
