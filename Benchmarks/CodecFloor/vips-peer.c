// A peer in process: libvips' thumbnail of a file that is in memory, to pixels in memory.
//
//     vips-peer FILE TARGET [REPETITIONS] [OUT.ppm]
//
// OUT.ppm gets the last repetition's pixels.

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

int main(int argc, char **argv) {
    if (vips_init(argv[0])) vips_error_exit(NULL);
    vips_cache_set_max(0);  // or a repetition would find the one before it
    measure(argc, argv, decode);
    if (argc > 4 && pixels && thumbnail->Bands >= 3) {
        FILE *out = fopen(argv[4], "wb");
        if (!out) return 1;
        fprintf(out, "P6\n%d %d\n255\n", thumbnail->Xsize, thumbnail->Ysize);
        for (long i = 0; i < (long)thumbnail->Xsize * thumbnail->Ysize; i++)
            fwrite(pixels + i * thumbnail->Bands, 1, 3, out);
        fclose(out);
    }
    return 0;
}
