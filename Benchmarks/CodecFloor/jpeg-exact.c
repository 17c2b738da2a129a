// What a JPEG's samples say, before anything is rounded: components as libjpeg-turbo transforms them, brought to the picture's size by its triangle
// filter, and converted to RGB in floats; what is beyond 0 to 255 is cut off. libjpeg's own RGB is rounded twice on the way, by as much as half a
// level, and alike wherever colours are alike: what a thumbnail is to be measured against should not be.
//
//     jpeg-exact FILE OUT    writes width, height and RGB as 32-bit numbers of the machine: two integers, and floats

#include "subject.h"

#include <jpeglib.h>

static int clamp(int value, int last) { return value < 0 ? 0 : value > last ? last : value; }

struct plane {
    unsigned char *bytes;
    int width, height, stride, across, down;  // pixels for each sample
    int rows;                                 // of an MCU
};

// The two samples that make one of the picture along an axis, the nearer for three quarters, if there is an interpolation.
static void parts(int at, int factor, int count, int smooth, int *near, int *far) {
    *near = clamp(at / factor, count - 1);
    *far = factor == 2 && smooth ? clamp(*near + (at & 1 ? 1 : -1), count - 1) : *near;
}

static float sample(const struct plane *plane, int x, int y) {
    int column, beside, row, beyond, smooth = plane->width > 2 && plane->across <= 2 && plane->down <= 2;
    parts(x, plane->across, plane->width, smooth, &column, &beside);
    parts(y, plane->down, plane->height, smooth, &row, &beyond);
    const unsigned char *upper = plane->bytes + (size_t)row * plane->stride, *lower = plane->bytes + (size_t)beyond * plane->stride;
    return (3 * (3 * upper[column] + lower[column]) + 3 * upper[beside] + lower[beside]) / 16.0f;
}

static float cut(float value) { return value < 0 ? 0 : value > 255 ? 255 : value; }

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: jpeg-exact FILE OUT\n");
        return 2;
    }
    struct file file = read_file(argv[1]);
    struct jpeg_decompress_struct cinfo;
    struct jpeg_error_mgr errors;
    cinfo.err = jpeg_std_error(&errors);  // exits on errors
    jpeg_create_decompress(&cinfo);
    jpeg_mem_src(&cinfo, file.bytes, file.count);
    jpeg_read_header(&cinfo, TRUE);
    if (cinfo.jpeg_color_space != JCS_YCbCr || cinfo.num_components != 3) {
        fprintf(stderr, "%s: not luma and two colours\n", argv[1]);
        return 1;
    }
    cinfo.raw_data_out = TRUE;
    jpeg_start_decompress(&cinfo);
    struct plane planes[3];
    for (int i = 0; i < 3; i++) {
        jpeg_component_info *component = &cinfo.comp_info[i];
        planes[i] = (struct plane){
            .width = (int)component->downsampled_width, .height = (int)component->downsampled_height,
            .stride = (int)component->width_in_blocks * 8, .across = cinfo.max_h_samp_factor / component->h_samp_factor,
            .down = cinfo.max_v_samp_factor / component->v_samp_factor, .rows = component->v_samp_factor * 8};
        planes[i].bytes = calloc((size_t)planes[i].stride, cinfo.total_iMCU_rows * (size_t)planes[i].rows);
        if (!planes[i].bytes) return 1;
    }
    for (unsigned band = 0; band < cinfo.total_iMCU_rows; band++) {
        JSAMPROW rows[3][32];
        JSAMPARRAY arrays[3] = {rows[0], rows[1], rows[2]};
        for (int i = 0; i < 3; i++)
            for (int row = 0; row < planes[i].rows; row++)
                rows[i][row] = planes[i].bytes + ((size_t)band * planes[i].rows + row) * planes[i].stride;
        jpeg_read_raw_data(&cinfo, arrays, 32);
    }
    int width = (int)cinfo.output_width, height = (int)cinfo.output_height, size[2] = {width, height};
    FILE *out = fopen(argv[2], "wb");
    float *line = malloc((size_t)width * 3 * sizeof *line);
    if (!out || !line || fwrite(size, sizeof size, 1, out) != 1) return 1;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            float luma = sample(&planes[0], x, y), blue = sample(&planes[1], x, y) - 128, red = sample(&planes[2], x, y) - 128;
            line[3 * x] = cut(luma + 1.402f * red);
            line[3 * x + 1] = cut(luma - 0.344136f * blue - 0.714136f * red);
            line[3 * x + 2] = cut(luma + 1.772f * blue);
        }
        if (fwrite(line, sizeof *line, (size_t)width * 3, out) != (size_t)width * 3) return 1;
    }
    return fclose(out) == 0 ? 0 : 1;
}
