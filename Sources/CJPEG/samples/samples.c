#include "samples.h"

#include "../entropy/sequential.h"
#include "../shim/internals.h"
#include "../shim/source.h"

// Components as they are stored: neither enlarged to the picture's size nor converted to colours.

int cjpeg_offers_samples(const cjpeg_decoder *decoder) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (cinfo->jpeg_color_space != JCS_YCbCr || cinfo->num_components != 3) return 0;
    const jpeg_component_info *luma = &cinfo->comp_info[0], *blue = &cinfo->comp_info[1], *red = &cinfo->comp_info[2];
    if (blue->h_samp_factor != red->h_samp_factor || blue->v_samp_factor != red->v_samp_factor) return 0;
    int across = cinfo->max_h_samp_factor, down = cinfo->max_v_samp_factor;
    return luma->h_samp_factor == across && luma->v_samp_factor == down &&
           (across == blue->h_samp_factor || across == 2 * blue->h_samp_factor) &&
           (down == blue->v_samp_factor || down == 2 * blue->v_samp_factor);
}

cjpeg_component cjpeg_get_component(const cjpeg_decoder *decoder, int index) {
    const jpeg_component_info *component = &decoder->cinfo.comp_info[index];
    uint32_t size = (uint32_t)cjpeg_scaled_size(component), height = (uint32_t)cjpeg_scaled_height(component);
    return (cjpeg_component){
        .width = component->downsampled_width,
        .height = component->downsampled_height,
        .stride = component->width_in_blocks * size,
        .rows = (uint32_t)component->v_samp_factor * height,
        .columns = (uint32_t)component->h_samp_factor * size,
    };
}

int cjpeg_crop_samples(cjpeg_decoder *decoder, uint32_t *x, uint32_t width) {
#if CJPEG_HAS_INTERNALS
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (!decoder->sequential || cinfo->comps_in_scan != cinfo->num_components || width == 0) return 0;
    uint32_t columns = cjpeg_get_component(decoder, 0).columns;
    uint32_t first = *x / columns, last = (*x + width - 1) / columns;
    if (first > cinfo->master->last_iMCU_col || last > cinfo->master->last_iMCU_col) return 0;
    cjpeg_crop_sequential(decoder, first, last);
    cinfo->master->first_iMCU_col = first;
    cinfo->master->last_iMCU_col = last;
    *x = first * columns;
    return 1;
#else
    (void)decoder, (void)x, (void)width;
    return 0;
#endif
}

cjpeg_status cjpeg_read_samples(cjpeg_decoder *decoder, uint8_t *const planes[3]) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (setjmp(decoder->exit)) return CJPEG_FAILED;
    JSAMPROW rows[3][MAX_SAMP_FACTOR * DCTSIZE];
    JSAMPARRAY arrays[3] = {rows[0], rows[1], rows[2]};
    JDIMENSION count = 0;
    for (int i = 0; i < 3; i++) {
        cjpeg_component component = cjpeg_get_component(decoder, i);
        for (uint32_t row = 0; row < component.rows; row++) rows[i][row] = planes[i] + (size_t)row * component.stride;
        if (component.rows > count) count = component.rows;
    }
    if (jpeg_read_raw_data(cinfo, arrays, count) == 0) return CJPEG_NEEDS_BYTES;
    if (!cinfo->buffered_image) cjpeg_count_overrun(decoder, (uint64_t)count * cinfo->image_width);
    return CJPEG_OK;
}
