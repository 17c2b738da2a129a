#pragma once

#include "../../System/libpng/shim.h"
