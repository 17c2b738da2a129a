#pragma once

#include "../../System/libjpeg/shim.h"
