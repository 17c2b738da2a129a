// What the subjects have in common: how they are called, and what they measure of themselves.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../measures.h"

struct file {
    unsigned char *bytes;
    size_t count;
};

static struct file read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    long count = ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(count > 0 ? (size_t)count : 1);
    if (count <= 0 || !bytes || fread(bytes, 1, (size_t)count, file) != (size_t)count) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    fclose(file);
    return (struct file){bytes, (size_t)count};
}

/// Decodes FILE for a TARGET as often as is said, and prints the least CPU time of a repetition (of all threads) in
/// milliseconds and the peak memory growth in kilobytes.
static void measure(int argc, char **argv, void (*decode)(struct file file, unsigned target)) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s FILE TARGET [REPETITIONS]\n", argv[0]);
        exit(2);
    }
    struct file file = read_file(argv[1]);
    int repetitions = argc > 3 ? atoi(argv[3]) : 1;
    long before = peak_kilobytes();
    double least = 0;
    for (int i = 0; i < repetitions; i++) {
        double start = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
        decode(file, (unsigned)atoi(argv[2]));
        double spent = milliseconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        if (i == 0 || spent < least) least = spent;
    }
    printf("cpu_ms %.3f growth_kb %ld\n", least, peak_kilobytes() - before);
    free(file.bytes);
}
