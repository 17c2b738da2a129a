// The floor under every JPEG thumbnailer that stands on libjpeg-turbo: only its decode, at the smallest scale (in
// eighths) that is at least twice the target each way, rows thrown away. Whatever a pipeline adds is measured above this.
//
//     jpeg-floor FILE TARGET [REPETITIONS]

#include "subject.h"

#include <jpeglib.h>

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

static void decode(struct file file, unsigned target) {
    struct jpeg_decompress_struct cinfo;
    struct jpeg_error_mgr errors;
    cinfo.err = jpeg_std_error(&errors);  // exits on errors
    jpeg_create_decompress(&cinfo);
    jpeg_mem_src(&cinfo, file.bytes, file.count);
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
    jpeg_finish_decompress(&cinfo);
    jpeg_destroy_decompress(&cinfo);
    free(lines);
}

int main(int argc, char **argv) { measure(argc, argv, decode); }
