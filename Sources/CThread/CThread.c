// The header is all there is; a target has to have a source file.
#include "CThread.h"
