// A peer in process: libvips' thumbnail of a file that is in memory, to pixels in memory.
//
//     vips-peer FILE TARGET [REPETITIONS] [OUT.ppm]
//     vips-peer --list LIST
//
// OUT.ppm gets the last repetition's pixels. LIST has lines of FILE, WIDTH, HEIGHT and OUT.ppm with tabs between: thumbnails of just that size.

#include "subject.h"

#include <vips/vips.h>

static VipsImage *thumbnail;
static unsigned char *pixels;

static void decode(struct file file, unsigned target) {
    if (thumbnail) g_object_unref(thumbnail);
    g_free(pixels);
    size_t size = 0;
    if (vips_thumbnail_buffer(file.bytes, file.count, &thumbnail, (int)target, "height", (int)target, "size",
                              VIPS_SIZE_DOWN, NULL) ||
        !(pixels = vips_image_write_to_memory(thumbnail, &size)))
        vips_error_exit("thumbnail");
}

static int write_pixels(const char *path) {
    FILE *out = fopen(path, "wb");
    if (!out) return 1;
    fprintf(out, "P6\n%d %d\n255\n", thumbnail->Xsize, thumbnail->Ysize);
    for (long i = 0; i < (long)thumbnail->Xsize * thumbnail->Ysize; i++)
        fwrite(pixels + i * thumbnail->Bands, 1, 3, out);
    return fclose(out) != 0;
}

static int make_list(const char *path) {
    char file[1024], out[1024];
    int width, height;
    FILE *list = fopen(path, "r");
    if (!list) return 1;
    while (fscanf(list, "%1023[^\t]\t%d\t%d\t%1023[^\n]\n", file, &width, &height, out) == 4) {
        size_t size = 0;
        if (vips_thumbnail(file, &thumbnail, width, "height", height, "size", VIPS_SIZE_FORCE, NULL) ||
            !(pixels = vips_image_write_to_memory(thumbnail, &size)))
            vips_error_exit("thumbnail");
        if (thumbnail->Bands < 3 || write_pixels(out)) return 1;
        g_object_unref(thumbnail);
        g_free(pixels);
    }
    return fclose(list) != 0;
}

int main(int argc, char **argv) {
    if (vips_init(argv[0])) vips_error_exit(NULL);
    vips_cache_set_max(0);  // or a repetition would find the one before it
    if (argc == 3 && !strcmp(argv[1], "--list")) return make_list(argv[2]);
    measure(argc, argv, decode);
    return argc > 4 && pixels && thumbnail->Bands >= 3 ? write_pixels(argv[4]) : 0;
}
