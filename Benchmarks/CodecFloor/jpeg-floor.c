// The floor under every JPEG thumbnailer that stands on libjpeg-turbo: only its decode, at the smallest scale (in
// eighths) that is at least twice the target each way, rows thrown away. Whatever a pipeline adds is measured above this.
//
//     jpeg-floor FILE TARGET [REPETITIONS]
//
// prints the scale, the least CPU time of a repetition in milliseconds, and the peak memory growth in kilobytes.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jpeglib.h>

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

static unsigned ceiling(unsigned size, unsigned scale) { return (size * scale + 7) / 8; }

static unsigned smallest_scale(unsigned width, unsigned height, unsigned target) {
    unsigned longer = width > height ? width : height;
    if (longer <= target) return 8;
    double share = (double)target / longer;
    unsigned fitted_width = (unsigned)(width * share + 0.5), fitted_height = (unsigned)(height * share + 0.5);
    for (unsigned scale = 1; scale < 8; scale++)
        if (ceiling(width, scale) >= 2 * fitted_width && ceiling(height, scale) >= 2 * fitted_height) return scale;
    return 8;
}

static unsigned decode(const unsigned char *bytes, size_t count, unsigned target) {
    struct jpeg_decompress_struct cinfo;
    struct jpeg_error_mgr errors;
    cinfo.err = jpeg_std_error(&errors);  // exits on errors
    jpeg_create_decompress(&cinfo);
    jpeg_mem_src(&cinfo, bytes, count);
    jpeg_read_header(&cinfo, TRUE);
    cinfo.scale_num = smallest_scale(cinfo.image_width, cinfo.image_height, target);
    cinfo.scale_denom = 8;
    jpeg_start_decompress(&cinfo);
    size_t stride = (size_t)cinfo.output_width * cinfo.output_components;
    JSAMPROW rows[8];
    unsigned char *lines = malloc(stride * 8);
    if (!lines) exit(1);
    for (int i = 0; i < 8; i++) rows[i] = lines + stride * i;
    while (cinfo.output_scanline < cinfo.output_height) jpeg_read_scanlines(&cinfo, rows, 8);
    unsigned scale = cinfo.scale_num;
    jpeg_finish_decompress(&cinfo);
    jpeg_destroy_decompress(&cinfo);
    free(lines);
    return scale;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: jpeg-floor FILE TARGET [REPETITIONS]\n");
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
    unsigned target = (unsigned)atoi(argv[2]);
    int repetitions = argc > 3 ? atoi(argv[3]) : 1;
    long before = peak_kilobytes();
    double least = 0;
    unsigned scale = 0;
    for (int i = 0; i < repetitions; i++) {
        double start = cpu_milliseconds();
        scale = decode(bytes, (size_t)count, target);
        double spent = cpu_milliseconds() - start;
        if (i == 0 || spent < least) least = spent;
    }
    printf("scale %u/8 cpu_ms %.3f growth_kb %ld\n", scale, least, peak_kilobytes() - before);
    free(bytes);
    return 0;
}
