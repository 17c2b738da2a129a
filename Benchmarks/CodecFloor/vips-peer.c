// A peer in process: libvips' thumbnail of a file that is in memory, to pixels in memory.
//
//     vips-peer FILE TARGET [REPETITIONS] [OUT.ppm]
//
// prints the least CPU time of a repetition (of all its threads) in milliseconds and the peak memory growth in kilobytes.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <vips/vips.h>

static double cpu_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static long peak_kilobytes(void) {
    char line[256];
    long peak = 0;
    FILE *status = fopen("/proc/self/status", "r");
    if (!status) return 0;
    while (fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %ld", &peak) == 1) break;
    fclose(status);
    return peak;
}

int main(int argc, char **argv) {
    gchar *bytes = NULL;
    gsize count = 0;
    if (argc < 3 || vips_init(argv[0]) || !g_file_get_contents(argv[1], &bytes, &count, NULL)) {
        fprintf(stderr, "usage: vips-peer FILE TARGET [REPETITIONS] [OUT.ppm]\n");
        return 2;
    }
    vips_cache_set_max(0);  // or a repetition would find the one before it
    int target = atoi(argv[2]), repetitions = argc > 3 ? atoi(argv[3]) : 1;
    long before = peak_kilobytes();
    double least = 0;
    unsigned char *pixels = NULL;
    int width = 0, height = 0, bands = 0;
    for (int i = 0; i < repetitions; i++) {
        g_free(pixels);
        double start = cpu_milliseconds();
        VipsImage *image = NULL;
        size_t size = 0;
        if (vips_thumbnail_buffer(bytes, count, &image, target, "height", target, "size", VIPS_SIZE_DOWN, NULL) ||
            !(pixels = vips_image_write_to_memory(image, &size)))
            vips_error_exit("%s", argv[1]);
        width = image->Xsize, height = image->Ysize, bands = image->Bands;
        g_object_unref(image);
        double spent = cpu_milliseconds() - start;
        if (i == 0 || spent < least) least = spent;
    }
    printf("cpu_ms %.3f growth_kb %ld\n", least, peak_kilobytes() - before);
    if (argc > 4 && pixels && bands >= 3) {
        FILE *out = fopen(argv[4], "wb");
        if (!out) return 1;
        fprintf(out, "P6\n%d %d\n255\n", width, height);
        for (long i = 0; i < (long)width * height; i++) fwrite(pixels + i * bands, 1, 3, out);
        fclose(out);
    }
    return 0;
}
