#pragma once

#include "../shim/state.h"

// At the start of each scan, once its header has been read: decides what becomes of it (`choice` of the state).
void cjpeg_choose(cjpeg_decoder *decoder);
// After each of its rows: keeps all of the rest if it holds more than may be lost. 1: what it is like where it holds something has been
// seen, and the rest is to be left out.
int cjpeg_choose_again(cjpeg_decoder *decoder);
// Whether no scan that may follow changes the picture at its scale, the one under way being complete.
int cjpeg_shows_all(const cjpeg_decoder *decoder);
