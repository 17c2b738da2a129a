#pragma once

// The time and memory of a floor's process.

#include <stdio.h>
#include <time.h>

static inline double milliseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static inline long peak_kilobytes(void) {
    char line[256];
    long peak = 0;
    FILE *status = fopen("/proc/self/status", "r");
    if (!status) return 0;
    while (fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %ld", &peak) == 1) break;
    fclose(status);
    return peak;
}
