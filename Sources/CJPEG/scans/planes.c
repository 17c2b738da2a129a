#include "planes.h"

#include "coefficients.h"

// Rows of coefficients into their planes and out of them, in place of two functions of libjpeg's coefficient controller
// (jdcoefct.c), which work on rows of whole blocks: 128 bytes for each, most of them zeros.

// MARK: In

// Decodes a row of MCUs. A scan of DC looks at the first coefficient of a block only (T.81 G.1.2.1), so that a place in the
// plane will do for a block.
static int consume_dc(j_decompress_ptr cinfo) {
    cjpeg_decoder *decoder = (cjpeg_decoder *)cinfo;
    const jpeg_component_info *first = cinfo->cur_comp_info[0];
    int is_last = cinfo->input_iMCU_row + 1 >= cinfo->total_iMCU_rows;
    // In a scan of one component an MCU is a block.
    int rows = cinfo->comps_in_scan > 1 ? 1 : is_last ? first->last_row_height : first->v_samp_factor;
    for (; decoder->mcu_row < rows; decoder->mcu_row++, decoder->mcu_column = 0) {
        for (; decoder->mcu_column < cinfo->MCUs_per_row; decoder->mcu_column++) {
            JBLOCKROW blocks[D_MAX_BLOCKS_IN_MCU];
            int count = 0;
            for (int i = 0; i < cinfo->comps_in_scan; i++) {
                const jpeg_component_info *component = cinfo->cur_comp_info[i];
                const cjpeg_coefficients *array = decoder->coefficients[component->component_index];
                size_t row = (size_t)cinfo->input_iMCU_row * (size_t)component->v_samp_factor + (size_t)decoder->mcu_row;
                JCOEF *place = array->planes[0] + row * array->columns + decoder->mcu_column * (size_t)component->MCU_width;
                for (int y = 0; y < component->MCU_height; y++, place += array->columns)
                    for (int x = 0; x < component->MCU_width; x++) blocks[count++] = (JBLOCKROW)(place + x);
            }
#if defined(LIBJPEG_TURBO_VERSION_NUMBER) && LIBJPEG_TURBO_VERSION_NUMBER >= 2001000
            // Smoothing takes what lies below for less complete.
            if (!cinfo->entropy->insufficient_data) cinfo->master->last_good_iMCU_row = cinfo->input_iMCU_row;
#endif
            if (!cinfo->entropy->decode_mcu(cinfo, blocks)) return JPEG_SUSPENDED;
        }
    }
    decoder->mcu_row = 0;
    if (++cinfo->input_iMCU_row < cinfo->total_iMCU_rows) return JPEG_ROW_COMPLETED;
    cinfo->inputctl->finish_input_pass(cinfo);
    return JPEG_SCAN_COMPLETED;
}

void cjpeg_begin_planes(cjpeg_decoder *decoder) {
    j_decompress_ptr cinfo = &decoder->cinfo;
    if (!decoder->coefficients_count || !cinfo->progressive_mode || cinfo->Ss != 0) return;
    for (int i = 0; i < cinfo->comps_in_scan; i++)
        cjpeg_plane_of(decoder, decoder->coefficients[cinfo->cur_comp_info[i]->component_index], 0);
    decoder->mcu_row = 0;
    decoder->mcu_column = 0;
    cinfo->inputctl->consume_input = consume_dc;
}

// MARK: Out

static void transform(
    j_decompress_ptr cinfo, jpeg_component_info *component, cjpeg_coefficients *array, JSAMPARRAY samples) {
    cjpeg_store_rows(array);
    cjpeg_plane known[DCTSIZE2];
    int known_count = 0;
    for (int k = 0; k < DCTSIZE2; k++)
        if (array->planes[k]) known[known_count++] = (cjpeg_plane){array->planes[k], cjpeg_natural_order[k]};
    inverse_DCT_method_ptr inverse = cinfo->idct->inverse_DCT[component->component_index];
    JDIMENSION size = (JDIMENSION)cjpeg_scaled_size(component);
    JDIMENSION row = cinfo->output_iMCU_row * (JDIMENSION)component->v_samp_factor;
    JDIMENSION after = row + (JDIMENSION)component->v_samp_factor;
    if (after > component->height_in_blocks) after = component->height_in_blocks;
    // Of every block the same places are set.
    _Alignas(32) JBLOCK block = {0};
    for (; row < after; row++, samples += cjpeg_scaled_height(component)) {
        size_t index = row * array->columns;
        for (JDIMENSION column = 0; column < component->width_in_blocks; column++, index++) {
            for (int i = 0; i < known_count; i++) block[known[i].place] = known[i].coefficients[index];
            inverse(cinfo, component, block, samples, column * size);
        }
    }
}

// Makes a row of MCUs' samples.
static int decompress(j_decompress_ptr cinfo, JSAMPIMAGE output) {
    cjpeg_decoder *decoder = (cjpeg_decoder *)cinfo;
    // A pass that shows the scan under way waits for its rows.
    while (cinfo->input_scan_number < cinfo->output_scan_number ||
           (cinfo->input_scan_number == cinfo->output_scan_number && cinfo->input_iMCU_row <= cinfo->output_iMCU_row))
        if (cinfo->inputctl->consume_input(cinfo) == JPEG_SUSPENDED) return JPEG_SUSPENDED;
    for (int i = 0; i < cinfo->num_components; i++) {
        jpeg_component_info *component = &cinfo->comp_info[i];
        if (component->component_needed) transform(cinfo, component, decoder->coefficients[i], output[i]);
    }
    return ++cinfo->output_iMCU_row < cinfo->total_iMCU_rows ? JPEG_ROW_COMPLETED : JPEG_SCAN_COMPLETED;
}

void cjpeg_begin_planes_output(cjpeg_decoder *decoder) {
    // libjpeg's own smooths, looking at blocks around.
    if (decoder->coefficients_count && !decoder->cinfo.do_block_smoothing)
        decoder->cinfo.coef->decompress_data = decompress;
}
