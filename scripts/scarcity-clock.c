// A clock on the wall that jumps: by a day or by four hundred, ahead and back, fifty times a second. Clocks that only go
// forward do so. Loaded before a program by scripts/scarcity.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

typedef int clock_function(clockid_t, struct timespec *);

static int ask(clockid_t clock, struct timespec *time) {
    static clock_function *system;
    if (!system) system = (clock_function *)dlsym(RTLD_NEXT, "clock_gettime");
    return system(clock, time);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static const int days[] = {0, 1, -1, 400, -400};
    int status = ask(clock, time);
    if (status || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return status;
    struct timespec now;
    if (ask(CLOCK_MONOTONIC, &now)) return -1;
    time->tv_sec += 86400 * days[(now.tv_sec * 50 + now.tv_nsec / 20000000) % 5];
    return 0;
}

int gettimeofday(struct timeval *time, void *zone) {
    (void)zone;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place) *place = now.tv_sec;
    return now.tv_sec;
}
