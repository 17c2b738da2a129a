#include "entropy/sequential.h"
#include "shim/internals.h"
#include "shim/source.h"
#include "shim/state.h"

// Rows of samples on their way out, and which of them, and which of their columns, are made at all.

// Samples each way that the picture's scale makes of a block. Of components that are stored smaller it may be more.
static int least_scaled_size(const struct jpeg_decompress_struct *cinfo) {
    int least = cjpeg_scaled_size(&cinfo->comp_info[0]);
    for (int i = 1; i < cinfo->num_components; i++) {
        int size = cjpeg_scaled_size(&cinfo->comp_info[i]);
        if (size < least) least = size;
    }
    return least;
}

#ifdef LIBJPEG_TURBO_VERSION
// Of components that the inverse transform enlarges, and not to the picture's full size, jpeg_crop_scanline miscounts the
// samples: it takes a row for shorter than it is, and what lies behind would be shown as it was found in memory.
static int crops_rightly(const struct jpeg_decompress_struct *cinfo, int least) {
    for (int i = 0; i < cinfo->num_components; i++) {
        const jpeg_component_info *component = &cinfo->comp_info[i];
        int size = cjpeg_scaled_size(component);
        if (size != least && (component->h_samp_factor * size != cinfo->max_h_samp_factor * least ||
                              component->v_samp_factor * size != cinfo->max_v_samp_factor * least))
            return 0;
    }
    return 1;
}
#endif

int cjpeg_crop(cjpeg_decoder *decoder, uint32_t *x, uint32_t *width) {
#ifdef LIBJPEG_TURBO_VERSION
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    JDIMENSION offset = *x, count = *width;
    if (cinfo->buffered_image || cinfo->comps_in_scan != cinfo->num_components) return 0;
    // What jpeg_crop_scanline refuses.
    if (count == 0 || offset >= cinfo->output_width || count > cinfo->output_width - offset) return 0;
    int least = least_scaled_size(cinfo);
    if (!crops_rightly(cinfo, least)) return 0;
    if (setjmp(decoder->exit)) return 0;
    jpeg_crop_scanline(cinfo, &offset, &count);
    *x = offset;
    *width = count;
    // An MCU's width, of which jpeg_crop_scanline has made `offset` a multiple.
    int mcu = cinfo->num_components > 1 ? least * cinfo->max_h_samp_factor : least;
    cjpeg_crop_sequential(decoder, offset / (JDIMENSION)mcu, (offset + count - 1) / (JDIMENSION)mcu);
    return 1;
#else
    (void)decoder, (void)x, (void)width;
    return 0;
#endif
}

static void convert_nothing(
    j_decompress_ptr cinfo, JSAMPIMAGE input, JDIMENSION row, JSAMPARRAY output, int count) {
    (void)cinfo, (void)input, (void)row, (void)output, (void)count;
}

// Not by jpeg_skip_scanlines: it takes no source that suspends (libjpeg.txt), and it has given wrong rows (libjpeg-turbo issue 915).
void cjpeg_crop_rows(cjpeg_decoder *decoder, uint32_t first_row) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (!decoder->works_inside || cinfo->buffered_image || !cinfo->cconvert || decoder->convert || cinfo->output_scanline >= first_row) return;
    JDIMENSION rows = (JDIMENSION)(cinfo->max_v_samp_factor * least_scaled_size(cinfo));
    if (!cjpeg_crop_rows_sequential(decoder, first_row / rows)) return;
    decoder->first_row = first_row;
    decoder->convert = cinfo->cconvert->color_convert;
    cinfo->cconvert->color_convert = convert_nothing;
}

uint32_t cjpeg_output_width(const cjpeg_decoder *decoder) { return decoder->cinfo.output_width; }
uint32_t cjpeg_output_height(const cjpeg_decoder *decoder) { return decoder->cinfo.output_height; }

cjpeg_status cjpeg_read_rows(
    cjpeg_decoder *decoder, uint8_t *rows, size_t stride, uint32_t capacity, uint32_t *count) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    *count = 0;
    if (setjmp(decoder->exit)) return CJPEG_FAILED;
    while (*count < capacity && cinfo->output_scanline < cinfo->output_height) {
        JSAMPROW lines[8];
        uint32_t wanted = capacity - *count < 8 ? capacity - *count : 8;
        if (decoder->convert) {
            if (cinfo->output_scanline >= decoder->first_row) {
                cinfo->cconvert->color_convert = decoder->convert;
                decoder->convert = NULL;
            } else if (decoder->first_row - cinfo->output_scanline < wanted) {
                wanted = decoder->first_row - cinfo->output_scanline;
            }
        }
        for (uint32_t i = 0; i < wanted; i++) lines[i] = rows + (size_t)(*count + i) * stride;
        JDIMENSION got = jpeg_read_scanlines(cinfo, lines, wanted);
        if (got == 0) return CJPEG_NEEDS_BYTES;
        *count += got;
        if (!cinfo->buffered_image) cjpeg_count_overrun(decoder, (uint64_t)got * cinfo->image_width);
    }
    return CJPEG_OK;
}
