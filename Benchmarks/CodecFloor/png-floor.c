// The floor under every PNG thumbnailer that stands on libpng: only its rows, as 8-bit RGB or RGBA, thrown away.
//
//     png-floor FILE TARGET [REPETITIONS]
//
// prints the least CPU time of a repetition in milliseconds and the peak memory growth in kilobytes. A PNG has no smaller
// scale: TARGET is there so that all subjects are called alike. Interlaced files are read whole.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <png.h>

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

struct bytes {
    const unsigned char *next;
    size_t left;
};

static void read_bytes(png_structp png, png_bytep out, size_t count) {
    struct bytes *bytes = png_get_io_ptr(png);
    if (count > bytes->left) png_error(png, "truncated");
    memcpy(out, bytes->next, count);
    bytes->next += count;
    bytes->left -= count;
}

static void decode(struct bytes bytes) {
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);  // aborts on errors
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info) exit(1);
    png_set_read_fn(png, &bytes, read_bytes);
    png_read_info(png, info);
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    size_t stride = png_get_rowbytes(png, info), height = png_get_image_height(png, info);
    png_bytep rows = malloc(passes == 1 ? stride : stride * height);
    if (!rows) exit(1);
    for (int pass = 0; pass < passes; pass++)
        for (size_t y = 0; y < height; y++) png_read_row(png, passes == 1 ? rows : rows + y * stride, NULL);
    png_read_end(png, NULL);
    png_destroy_read_struct(&png, &info, NULL);
    free(rows);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: png-floor FILE TARGET [REPETITIONS]\n");
        return 2;
    }
    FILE *file = fopen(argv[1], "rb");
    if (!file) {
        perror(argv[1]);
        return 1;
    }
    fseek(file, 0, SEEK_END);
    long count = ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(count > 0 ? (size_t)count : 1);
    if (count <= 0 || !bytes || fread(bytes, 1, (size_t)count, file) != (size_t)count) {
        fprintf(stderr, "%s: cannot be read\n", argv[1]);
        return 1;
    }
    fclose(file);
    int repetitions = argc > 3 ? atoi(argv[3]) : 1;
    long before = peak_kilobytes();
    double least = 0;
    for (int i = 0; i < repetitions; i++) {
        double start = cpu_milliseconds();
        decode((struct bytes){bytes, (size_t)count});
        double spent = cpu_milliseconds() - start;
        if (i == 0 || spent < least) least = spent;
    }
    printf("cpu_ms %.3f growth_kb %ld\n", least, peak_kilobytes() - before);
    free(bytes);
    return 0;
}
