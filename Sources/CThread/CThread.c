#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CThread.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

struct start {
    void (*body)(void *);
    void *argument;
    // The kernel's limit, the end included; a longer name would not be taken at all.
    char name[16];
};

static void *run(void *opaque) {
    struct start start = *(struct start *)opaque;
    free(opaque);
#if defined(__APPLE__)
    pthread_setname_np(start.name);
#else
    pthread_setname_np(pthread_self(), start.name);
#endif
    start.body(start.argument);
    return NULL;
}

int start_thread(const char *name, size_t stack_size, void (*body)(void *), void *argument) {
    struct start *start = calloc(1, sizeof *start);
    if (!start) return ENOMEM;
    start->body = body;
    start->argument = argument;
    strncpy(start->name, name, sizeof start->name - 1);

    pthread_attr_t attributes;
    int status = pthread_attr_init(&attributes);
    if (status == 0) {
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        if (stack_size > 0) status = pthread_attr_setstacksize(&attributes, stack_size);
        pthread_t thread;
        if (status == 0) status = pthread_create(&thread, &attributes, run, start);
        pthread_attr_destroy(&attributes);
    }
    if (status != 0) free(start);
    return status;
}
