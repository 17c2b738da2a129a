// Writes a PPM as JPEG with any sampling that libjpeg has, which the library's own encoder does not offer.
//
//     jpeg-writer IN.ppm OUT.jpg SAMPLING QUALITY [progressive]
//
// SAMPLING is that of the first component, the others having one sample each way: 1x1, 2x1, 2x2, 4x1, 1x2.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

static int fail(const char *message) {
    fprintf(stderr, "jpeg-writer: %s\n", message);
    return 1;
}

int main(int argc, char **argv) {
    unsigned width, height;
    int across, down;
    if (argc < 5 || sscanf(argv[3], "%dx%d", &across, &down) != 2)
        return fail("usage: jpeg-writer IN.ppm OUT.jpg SAMPLING QUALITY [progressive]");
    FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
    if (!in || !out || fscanf(in, "P6 %u %u 255", &width, &height) != 2 || fgetc(in) == EOF) return fail("no files");
    unsigned char *row = malloc((size_t)width * 3);
    if (!row) return fail("no memory");
    struct jpeg_compress_struct cinfo;
    struct jpeg_error_mgr errors;
    cinfo.err = jpeg_std_error(&errors);  // exits on errors
    jpeg_create_compress(&cinfo);
    jpeg_stdio_dest(&cinfo, out);
    cinfo.image_width = width;
    cinfo.image_height = height;
    cinfo.input_components = 3;
    cinfo.in_color_space = JCS_RGB;
    jpeg_set_defaults(&cinfo);
    jpeg_set_quality(&cinfo, atoi(argv[4]), TRUE);
    cinfo.comp_info[0].h_samp_factor = across;
    cinfo.comp_info[0].v_samp_factor = down;
    if (argc > 5 && !strcmp(argv[5], "progressive")) jpeg_simple_progression(&cinfo);
    jpeg_start_compress(&cinfo, TRUE);
    while (cinfo.next_scanline < height) {
        if (fread(row, 3, width, in) != width) return fail("a short file");
        jpeg_write_scanlines(&cinfo, &row, 1);
    }
    jpeg_finish_compress(&cinfo);
    jpeg_destroy_compress(&cinfo);
    free(row);
    fclose(in);
    return fclose(out) ? fail("cannot write") : 0;
}
