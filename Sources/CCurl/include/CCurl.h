#pragma once

#include "../../System/libcurl/shim.h"
