#include "JPEGReference.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../Sources/System/libjpeg/shim.h"

#include <jerror.h>

typedef struct error_manager {
    struct jpeg_error_mgr base;
    jmp_buf exit;
    int has_lost_pixels;
} error_manager;

static void error_exit(j_common_ptr cinfo) { longjmp(((error_manager *)cinfo->err)->exit, 1); }

static void emit_message(j_common_ptr cinfo, int level) {
    if (level >= 0) return;
    switch (cinfo->err->msg_code) {
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_JPEG_EOF:
        ((error_manager *)cinfo->err)->has_lost_pixels = 1;
        break;
    default:
        break;
    }
}

static void set_up(error_manager *errors) {
    jpeg_std_error(&errors->base);
    errors->base.error_exit = error_exit;
    errors->base.emit_message = emit_message;
    errors->has_lost_pixels = 0;
}

jpeg_reference jpeg_reference_decode(const uint8_t *bytes, size_t count, int scale) {
    jpeg_reference result = {0, 0, 0, NULL, 0};
    struct jpeg_decompress_struct cinfo;
    error_manager errors;
    uint8_t *volatile pixels = NULL;
    set_up(&errors);
    cinfo.err = &errors.base;
    if (setjmp(errors.exit)) {
        jpeg_destroy_decompress(&cinfo);
        free(pixels);
        return result;
    }
    jpeg_create_decompress(&cinfo);
    jpeg_mem_src(&cinfo, bytes, count);
    jpeg_read_header(&cinfo, TRUE);
    cinfo.scale_num = (unsigned)scale;
    cinfo.scale_denom = 8;
    if (cinfo.jpeg_color_space == JCS_YCCK) cinfo.out_color_space = JCS_CMYK;
    if (scale == 1) cinfo.do_block_smoothing = FALSE;
    jpeg_start_decompress(&cinfo);
    size_t stride = (size_t)cinfo.output_width * (size_t)cinfo.output_components;
    pixels = calloc(stride, cinfo.output_height);
    while (pixels && cinfo.output_scanline < cinfo.output_height) {
        JSAMPROW row = pixels + stride * cinfo.output_scanline;
        jpeg_read_scanlines(&cinfo, &row, 1);
    }
    result = (jpeg_reference){
        cinfo.output_width, cinfo.output_height, cinfo.output_components, pixels, errors.has_lost_pixels};
    jpeg_destroy_decompress(&cinfo);
    return result;
}

static uint32_t random_below(uint32_t *seed, uint32_t bound) {
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 16) % bound;
}

// What scans one after the other bring more and more bits of.
typedef struct band {
    jpeg_scan_info next;
    int is_begun, is_done;
} band;

#define MOST_BANDS 20
#define MOST_SCANS 80

// DC of all components together or one by one, up to three bands of AC of each, their bits one after the other, in any order.
static int make_script(jpeg_scan_info *scans, int components, uint32_t seed) {
    band bands[MOST_BANDS] = {0};
    int count = 0, dc_count = random_below(&seed, 2) ? 1 : components;
    for (int i = 0; i < dc_count; i++) {
        jpeg_scan_info *next = &bands[count++].next;
        next->comps_in_scan = components / dc_count;
        for (int j = 0; j < next->comps_in_scan; j++) next->component_index[j] = i + j;
        next->Al = (int)random_below(&seed, 3);
    }
    for (int i = 0; i < components; i++) {
        int first = 1;
        while (first < 64) {
            jpeg_scan_info *next = &bands[count++].next;
            next->comps_in_scan = 1;
            next->component_index[0] = i;
            next->Ss = first;
            next->Se = count % 3 && first < 60 ? first + 1 + (int)random_below(&seed, (uint32_t)(62 - first)) : 63;
            if (next->Se > 63 || count > MOST_BANDS - 4) next->Se = 63;
            next->Al = (int)random_below(&seed, 3);
            first = next->Se + 1;
        }
    }
    int scan_count = 0, left = count;
    while (left > 0 && scan_count < MOST_SCANS) {
        band *one = &bands[random_below(&seed, (uint32_t)count)];
        int dc = dc_count == 1 ? 0 : one->next.component_index[0];
        if (one->is_done || (one->next.Ss > 0 && !bands[dc].is_begun)) continue;
        scans[scan_count++] = one->next;
        one->is_begun = 1;
        one->is_done = one->next.Al == 0;
        left -= one->is_done;
        one->next.Ah = one->next.Al;
        one->next.Al--;
    }
    return scan_count;
}

uint8_t *jpeg_reference_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, jpeg_reference_settings settings, size_t *count) {
    struct jpeg_compress_struct cinfo;
    error_manager errors;
    unsigned char *out = NULL;
    unsigned long out_count = 0;
    set_up(&errors);
    cinfo.err = &errors.base;
    if (setjmp(errors.exit)) {
        jpeg_destroy_compress(&cinfo);
        return NULL;
    }
    jpeg_create_compress(&cinfo);
    jpeg_mem_dest(&cinfo, &out, &out_count);
    cinfo.image_width = width;
    cinfo.image_height = height;
    cinfo.input_components = settings.components;
    cinfo.in_color_space = settings.components == 1   ? JCS_GRAYSCALE
                           : settings.components == 3 ? JCS_RGB
                                                      : JCS_CMYK;
    jpeg_set_defaults(&cinfo);
    jpeg_set_quality(&cinfo, settings.quality, TRUE);
    if (settings.components == 3) {
        cinfo.comp_info[0].h_samp_factor = settings.horizontal;
        cinfo.comp_info[0].v_samp_factor = settings.vertical;
    }
    cinfo.restart_interval = (unsigned)settings.restart_interval;
    cinfo.optimize_coding = settings.optimises ? TRUE : FALSE;
    jpeg_scan_info scans[MOST_SCANS];
    if (settings.is_progressive && settings.script) {
        cinfo.num_scans = make_script(scans, cinfo.num_components, settings.script);
        cinfo.scan_info = scans;
    } else if (settings.is_progressive) {
        jpeg_simple_progression(&cinfo);
    }
    jpeg_start_compress(&cinfo, TRUE);
    while (cinfo.next_scanline < height) {
        JSAMPROW row = (JSAMPROW)(uintptr_t)(pixels + (size_t)cinfo.next_scanline * width * (size_t)settings.components);
        jpeg_write_scanlines(&cinfo, &row, 1);
    }
    jpeg_finish_compress(&cinfo);
    jpeg_destroy_compress(&cinfo);
    *count = out_count;
    return out;
}
