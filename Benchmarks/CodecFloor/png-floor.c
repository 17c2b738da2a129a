// The floor under every PNG thumbnailer that stands on libpng: only its rows, as 8-bit RGB or RGBA, thrown away.
//
//     png-floor FILE TARGET [REPETITIONS]
//
// A PNG has no smaller scale: TARGET is there so that all subjects are called alike. Interlaced files are read whole.

#include "subject.h"

#include <png.h>

static void read_bytes(png_structp png, png_bytep out, size_t count) {
    struct file *rest = png_get_io_ptr(png);
    if (count > rest->count) png_error(png, "truncated");
    memcpy(out, rest->bytes, count);
    rest->bytes += count;
    rest->count -= count;
}

static void decode(struct file file, unsigned target) {
    (void)target;
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);  // aborts on errors
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info) exit(1);
    png_set_read_fn(png, &file, read_bytes);
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

int main(int argc, char **argv) { measure(argc, argv, decode); }
