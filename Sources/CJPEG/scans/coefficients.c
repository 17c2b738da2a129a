#include "coefficients.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

// Coefficient arrays of a progressive file that hold only what its reduction shows.
//
// libjpeg keeps 64 coefficients of every block from scan to scan, 128 bytes each. Its memory manager's hooks for virtual
// arrays are replaced here: a component has a plane per frequency, allocated when a scan that brings it is first decoded
// (choice.c says which are kept), and whole blocks only of the rows that libjpeg works on; where it need not work on
// any, planes.c does without.

void cjpeg_store_rows(cjpeg_coefficients *array) {
    if (!array->scan) return;
    array->scan = 0;
    size_t start = array->first * array->columns, count = array->count * array->columns;
    for (int i = 0; i < array->open_count; i++) {
        JCOEF *plane = array->open[i].coefficients + start;
        const JCOEF *from = *array->blocks + array->open[i].place;
        for (size_t block = 0; block < count; block++) plane[block] = from[block * DCTSIZE2];
    }
}

static void load_rows(cjpeg_coefficients *array) {
    size_t start = array->first * array->columns, count = array->count * array->columns;
    for (int i = 0; i < array->open_count; i++) {
        const JCOEF *plane = array->open[i].coefficients + start;
        JCOEF *to = *array->blocks + array->open[i].place;
        for (size_t block = 0; block < count; block++) to[block * DCTSIZE2] = plane[block];
    }
}

JCOEF *cjpeg_plane_of(cjpeg_decoder *decoder, cjpeg_coefficients *array, int k) {
    if (!array->planes[k]) array->planes[k] = cjpeg_reserve(decoder, array->columns * array->rows, sizeof(JCOEF));
    return array->planes[k];
}

static void open_planes(cjpeg_decoder *decoder, cjpeg_coefficients *array, uint64_t kept) {
    array->open_count = 0;
    for (int k = 0; k < DCTSIZE2; k++) {
        if (!((kept >> k) & 1)) continue;
        array->open[array->open_count++] = (cjpeg_plane){cjpeg_plane_of(decoder, array, k), cjpeg_natural_order[k]};
    }
}

static JBLOCKARRAY access_rows(
    j_common_ptr cinfo, jvirt_barray_ptr pointer, JDIMENSION first, JDIMENSION count, boolean is_writable) {
    cjpeg_decoder *decoder = (cjpeg_decoder *)cinfo;
    cjpeg_coefficients *array = (cjpeg_coefficients *)pointer;
    int scan = is_writable ? decoder->cinfo.input_scan_number : 0;
    // A row of MCUs that was suspended goes on.
    if (scan && array->scan == scan && array->first == first && array->count == count) return array->lines;
    cjpeg_store_rows(array);
    JDIMENSION margin = scan ? 0 : (JDIMENSION)decoder->smoothing_margin;
    if (first > array->rows || count > array->rows - first) {
        cinfo->err->msg_code = JERR_BAD_VIRTUAL_ACCESS;
        cinfo->err->error_exit(cinfo);
    }
    // With what lies around, as far as there is any.
    size_t above = margin < first ? margin : first;
    size_t below = margin < array->rows - first - count ? margin : array->rows - first - count;
    size_t lines = count + 2 * margin;
    first -= (JDIMENSION)above;
    count += (JDIMENSION)(above + below);
    if (lines > array->capacity) {
        decoder->coefficient_bytes -= array->capacity * array->columns * sizeof(JBLOCK);
        free(array->blocks);
        free(array->lines);
        array->blocks = NULL;
        array->lines = NULL;
        array->capacity = 0;
        array->blocks = cjpeg_reserve(decoder, lines * array->columns, sizeof(JBLOCK));
        array->lines = calloc(lines, sizeof *array->lines);
        if (!array->lines) cjpeg_fail(decoder, CJPEG_FAILURE_MEMORY, "no memory for coefficients");
        array->capacity = lines;
    }
    for (size_t i = 0; i < lines; i++) {
        // Beyond the array's ends, the row there: nobody uses what is read of it.
        size_t row = i + above < margin ? 0 : i + above - margin;
        array->lines[i] = array->blocks + (row < count ? row : count - 1) * array->columns;
    }
    array->first = first;
    array->count = count;
    if (scan) {
        // What is in the scan and not kept may be left behind in the blocks: a later scan that looked at it is left out, or
        // looks only at which of it is not zero, which progressive.c keeps.
        open_planes(decoder, array, cjpeg_band_of_scan(decoder) & decoder->choice.kept[array->component]);
        array->scan = scan;
    } else {
        uint64_t known = 0;
        for (int k = 0; k < DCTSIZE2; k++) known |= (uint64_t)(array->planes[k] != NULL) << k;
        open_planes(decoder, array, known);
        memset(array->blocks, 0, array->count * array->columns * sizeof(JBLOCK));
    }
    load_rows(array);
    return array->lines + margin;
}

static jvirt_barray_ptr request_array(
    j_common_ptr cinfo, int pool, boolean is_zeroed, JDIMENSION columns, JDIMENSION rows, JDIMENSION window) {
    cjpeg_decoder *decoder = (cjpeg_decoder *)cinfo;
    (void)pool, (void)is_zeroed, (void)window;
    // The coefficient controller asks for one array per component, in their order (jdcoefct.c).
    int component = decoder->coefficients_count;
    if (component >= decoder->cinfo.num_components || component >= MAX_COMPONENTS)
        cjpeg_fail(decoder, CJPEG_FAILURE_UNSUPPORTED, "an array for no component");
    cjpeg_coefficients *array = calloc(1, sizeof *array);
    if (!array) cjpeg_fail(decoder, CJPEG_FAILURE_MEMORY, "no memory for coefficients");
    decoder->coefficients[decoder->coefficients_count++] = array;
    array->component = component;
    array->columns = columns;
    array->rows = rows;
    return (jvirt_barray_ptr)array;
}

void cjpeg_install_coefficients(cjpeg_decoder *decoder) {
    decoder->cinfo.mem->request_virt_barray = request_array;
    decoder->cinfo.mem->access_virt_barray = access_rows;
}

void cjpeg_release_coefficients(cjpeg_decoder *decoder) {
    for (int i = 0; i < decoder->coefficients_count; i++) {
        cjpeg_coefficients *array = decoder->coefficients[i];
        for (int k = 0; k < DCTSIZE2; k++) free(array->planes[k]);
        free(array->blocks);
        free(array->lines);
        free(array);
    }
    decoder->coefficients_count = 0;
}
