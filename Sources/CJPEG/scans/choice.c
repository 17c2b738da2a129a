#include "choice.h"

#include <string.h>

#include "../entropy/progressive.h"
#include "visible.h"

// Decides which scans of a progressive file are left out, and which frequencies are kept of the others, as far as the wish allows.
// Why less will do, and what it costs, is said at each rule.

// MARK: What a scan holds

// Pixels stored of a component per pixel wanted, along the side that is reduced less.
static double reduction_of(const cjpeg_decoder *decoder, const jpeg_component_info *component) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    double across = (double)cinfo->max_h_samp_factor / component->h_samp_factor;
    double down = (double)cinfo->max_v_samp_factor / component->v_samp_factor;
    return decoder->wish.reduction / (down > across ? down : across);
}

static int is_subsampled_colour(const cjpeg_decoder *decoder, const jpeg_component_info *component) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    return component->component_index > 0 && cinfo->num_components == 3 &&
           cinfo->max_h_samp_factor >= 2 * component->h_samp_factor &&
           cinfo->max_v_samp_factor >= 2 * component->v_samp_factor;
}

static const JHUFF_TBL *code_of_scan(const struct jpeg_decompress_struct *cinfo) {
    int number = cinfo->cur_comp_info[0]->ac_tbl_no;
    return number >= 0 && number < NUM_HUFF_TBLS ? cinfo->ac_huff_tbl_ptrs[number] : NULL;
}

static uint64_t hash_of(const JHUFF_TBL *code) {
    uint64_t hash = 14695981039346656037u;  // FNV-1a
    int count = 0;
    for (int length = 1; length <= 16; length++) {
        hash = (hash ^ code->bits[length]) * 1099511628211u;
        count += code->bits[length];
    }
    for (int i = 0; i < count && i < 256; i++) hash = (hash ^ code->huffval[i]) * 1099511628211u;
    return hash;
}

// Whether the scan just begun has a code that need not have been made for it: one that an earlier scan had too, or one of the standard's
// (T.81 tables K.5 and K.6), which are known by how many symbols they have of each length.
static int has_common_code(const cjpeg_decoder *decoder, const JHUFF_TBL *code) {
    static const UINT8 luma[16] = {0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125};
    static const UINT8 colour[16] = {0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119};
    if (!memcmp(code->bits + 1, luma, 16) || !memcmp(code->bits + 1, colour, 16)) return 1;
    uint64_t hash = hash_of(code);
    int capacity = (int)(sizeof decoder->choice.codes_seen / sizeof *decoder->choice.codes_seen);
    for (int i = 0; i < decoder->choice.codes_count && i < capacity; i++)
        if (decoder->choice.codes_seen[i] == hash) return 1;
    return decoder->choice.codes_count >= capacity;
}

// Whether a code has symbols of coefficients that are not zero, and not only of runs of those that are.
static int has_values(const JHUFF_TBL *code) {
    int count = 0;
    for (int length = 1; length <= 16; length++) count += code->bits[length];
    for (int i = 0; i < count && i < 256; i++)
        if (code->huffval[i] & 15) return 1;
    return 0;
}

// The weight of a coefficient in what follows: its step, squared.
static double unit_of_scan(const jpeg_component_info *component) {
    const UINT16 *steps = component->quant_table->quantval;
    double step = (steps[1] + steps[DCTSIZE]) / 2.0;
    return step * step;
}

// The squares of a block's coefficients in the scan just begun, summed: what its band holds, on average over the blocks.
//
// Its Huffman code tells before any of it is decoded. Most files' codes are made for their symbols, one scan at a time: a symbol
// of n bits is about every 2^n-th. But a file may have any codes: what is decoded is held against this (cjpeg_judge_suspect).
static double energy_of_scan(const cjpeg_decoder *decoder, const jpeg_component_info *component) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    const double unknown = 1e9;
    const JHUFF_TBL *code = code_of_scan(cinfo);
    if (!code || !component->quant_table) return unknown;
    // The two colours of a grey picture have the same code as a rule: it has no values, whoever it was made for.
    if (!has_values(code)) return 0;
    if (has_common_code(decoder, code)) return unknown;
    double energy = 0, blocks = 0;  // per symbol
    int at = 0;
    for (int length = 1; length <= 16; length++) {
        for (int i = 0; i < code->bits[length] && at < 256; i++, at++) {
            double share = 1.0 / (1 << length);
            int run = code->huffval[at] >> 4, size = code->huffval[at] & 15;
            if (size) {
                // Values from half of 2^size on, and more of the smaller ones.
                double least = 1 << (size - 1);
                energy += share * least * least * (size == 1 ? 1 : 2.1);
            } else if (run < 15) {
                // The end of 2^run blocks, up to the next power of two.
                blocks += share * (1.5 * (1 << run) - 0.5);
            }
        }
    }
    if (blocks <= 0) return unknown;
    double bits = 1 << cinfo->Al;
    return energy / blocks * bits * bits * unit_of_scan(component);
}

// Whether what the scan just begun lacks of a component's lowest frequencies is too little to show: bits that only further
// scans have, the larger the coarser the quantisation is, and the less visible the more is reduced.
//
// What a band of first bits loses, its component's refinements lose too: both are judged by the bits that would be missing.
static int lacks_little(const cjpeg_decoder *decoder, const jpeg_component_info *component) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (!component->quant_table) return 0;
    const UINT16 *steps = component->quant_table->quantval;  // row by row: [1] and [8] are the lowest frequency each way
    double step = steps[1] > steps[DCTSIZE] ? steps[1] : steps[DCTSIZE];
    int bits = cinfo->Ah > 0 ? cinfo->Ah : cinfo->Al;
    double ratio = reduction_of(decoder, component) / 14;
    return step * ((1 << bits) - 1) <= (component->component_index > 0 ? 24 : 20) * ratio * ratio * ratio;
}

// Whether the scan just begun is lost altogether if it shows little: of a band that begins within the lowest two frequencies each way
// those are kept, unless it is colour of which the reduction leaves less than a sample of each block.
static int is_lost_whole(const cjpeg_decoder *decoder, const jpeg_component_info *component) {
    return decoder->cinfo.Ss > 4 || (is_subsampled_colour(decoder, component) && reduction_of(decoder, component) >= 14);
}

// How large the squares of a block's coefficients in the scan just begun may be, summed, for it to show little.
static double most_of_scan(const cjpeg_decoder *decoder, const jpeg_component_info *component) {
    double most = is_subsampled_colour(decoder, component) && reduction_of(decoder, component) < 10 ? 2000 : 100000;
    return is_lost_whole(decoder, component) ? most / 20 : most;
}

// Whether little more than the first bits of a component's lowest frequencies shows, given the scan just begun.
//
// A frequency of u/16 cycles per sample lies far beyond what the reduction lets through once a pixel wanted spans most of
// two blocks; there, only the first bits of the lowest two frequencies each way matter: unless there is as much of them as
// in a grid of black and white. A colour component stored at half size may lose as much sooner where it holds little; red
// and blue side by side are more than that.
static int shows_little(const cjpeg_decoder *decoder, const jpeg_component_info *component) {
    double least = is_subsampled_colour(decoder, component) ? 6 : 14;
    if (reduction_of(decoder, component) < least || !lacks_little(decoder, component)) return 0;
    if (decoder->cinfo.Ah > 0) return 1;
    return energy_of_scan(decoder, component) <= most_of_scan(decoder, component);
}

// MARK: What becomes of it

// Whether the picture is about the same without the scan just begun, by its header alone. Only AC scans, which have one component each.
static int can_leave_out(const cjpeg_decoder *decoder, const jpeg_component_info *component) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (!cjpeg_is_selective(decoder) || cinfo->Ss == 0 || cinfo->comps_in_scan != 1) return 0;
    // A refinement presupposes what came before it.
    if (cinfo->Ah > 0 && (decoder->choice.thinned[component->component_index] & cjpeg_band_of_scan(decoder))) return 1;
    int may_lose = decoder->wish.reduction > 0;
    // A transform of one sample per block looks at none of them.
    if ((decoder->wish.is_final_only || may_lose) && cjpeg_scaled_size(component) == 1) return 1;
    if (!may_lose || !shows_little(decoder, component)) return 0;
    // Of first bits something is decoded in any case, unless there are none.
    return cinfo->Ah > 0 || (is_lost_whole(decoder, component) && energy_of_scan(decoder, component) == 0);
}

// Whether the scan just begun, of first bits, is a suspect: by its code it holds little.
static void look_for_suspect(cjpeg_decoder *decoder, const jpeg_component_info *component) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    cjpeg_choice *choice = &decoder->choice;
    if (!cjpeg_decodes_progressive(decoder) || cinfo->Ss == 0) return;
    if (!choice->is_left_out && decoder->wish.reduction > 0 && cinfo->Ah == 0 &&
        (decoder->wish.kept == CJPEG_KEPT_SHOWN || is_lost_whole(decoder, component)) && shows_little(decoder, component)) {
        choice->suspect.is_under_way = 1;
        choice->suspect.may_be_left_out = is_lost_whole(decoder, component);
        choice->suspect.claim = energy_of_scan(decoder, component);
        choice->suspect.most = most_of_scan(decoder, component);
        choice->suspect.unit = unit_of_scan(component);
        // Its refinements would look at what is not kept; they are left out.
        choice->thinned[component->component_index] |= cjpeg_band_of_scan(decoder);
    }
    const JHUFF_TBL *code = code_of_scan(cinfo);
    int capacity = (int)(sizeof choice->codes_seen / sizeof *choice->codes_seen);
    if (code && choice->codes_count < capacity) choice->codes_seen[choice->codes_count++] = hash_of(code);
}

// The frequencies kept of the scan just begun, which is decoded. Those of a suspect may become more.
static uint64_t kept_frequencies(const cjpeg_decoder *decoder, const jpeg_component_info *component) {
    // libjpeg's own decoder would look at what is not kept; progressive.c does not.
    if (decoder->wish.kept == CJPEG_KEPT_ALL || !cjpeg_decodes_progressive(decoder)) return ~(uint64_t)0;
    if (decoder->wish.kept == CJPEG_KEPT_VISIBLE || !decoder->choice.suspect.is_under_way)
        return cjpeg_visible_frequencies(component);
    if (decoder->choice.suspect.may_be_left_out) return 0;
    return cjpeg_lowest_frequencies(cjpeg_scaled_size(component) < 3 ? cjpeg_scaled_size(component) : 3);
}

void cjpeg_choose(cjpeg_decoder *decoder) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    cjpeg_choice *choice = &decoder->choice;
    uint64_t band = cinfo->progressive_mode ? cjpeg_band_of_scan(decoder) : ~(uint64_t)0;
    const jpeg_component_info *first = cinfo->cur_comp_info[0];
    choice->is_left_out = can_leave_out(decoder, first);
    choice->suspect = (cjpeg_suspect){0};
    look_for_suspect(decoder, first);
    choice->is_visible = 0;
    for (int i = 0; i < cinfo->comps_in_scan; i++) {
        const jpeg_component_info *component = cinfo->cur_comp_info[i];
        if (!choice->is_left_out && (cjpeg_visible_frequencies(component) & band)) choice->is_visible = 1;
        choice->kept[component->component_index] = kept_frequencies(decoder, component);
    }
    if (choice->is_left_out) choice->thinned[first->component_index] |= band;
}

int cjpeg_choose_again(cjpeg_decoder *decoder) {
    cjpeg_choice *choice = &decoder->choice;
    cjpeg_suspect *suspect = &choice->suspect;
    if (!suspect->is_under_way) return 0;
    size_t blocks = cjpeg_blocks_decoded(decoder);
    if (blocks == 0) return 0;
    const jpeg_component_info *component = decoder->cinfo.cur_comp_info[0];
    double all = (double)component->width_in_blocks * component->height_in_blocks;
    // Rows where there is next to nothing, such as a sky's, say nothing of the others, and take next to no time.
    double energy = suspect->energy - suspect->judged_energy, count = (double)(blocks - suspect->judged_blocks);
    if (energy > suspect->most / 100 * count) {
        suspect->sample_energy += energy;
        suspect->sample_blocks += count;
    }
    suspect->judged_energy = suspect->energy;
    suspect->judged_blocks = blocks;
    double seen = suspect->energy / (double)blocks;
    if (suspect->may_be_left_out && suspect->sample_blocks > 0) seen = suspect->sample_energy / suspect->sample_blocks;
    // All that may be lost of the whole scan is lost, or the code has said much less than there is.
    if (suspect->energy > suspect->most * all || (seen > suspect->most && seen > 4 * suspect->claim)) {
        suspect->is_under_way = 0;
        choice->kept[component->component_index] = cjpeg_visible_frequencies(component);
        return 0;
    }
    if (!suspect->may_be_left_out || suspect->sample_blocks < all / 32) return 0;
    suspect->is_under_way = 0;
    choice->is_left_out = 1;
    choice->is_visible = 0;
    return 1;
}

int cjpeg_shows_all(const cjpeg_decoder *decoder) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (!decoder->works_inside || !decoder->wish.is_final_only || !cinfo->progressive_mode || !cinfo->coef_bits) return 0;
    int is_more_to_come = 0;
    for (int i = 0; i < cinfo->num_components; i++) {
        for (int k = 0; k < DCTSIZE2; k++) {
            int missing_bits = cinfo->coef_bits[i][k];
            if (missing_bits == 0) continue;
            is_more_to_come = 1;
            if (!cjpeg_is_visible(&cinfo->comp_info[i], k)) continue;
            // Only refinements of it follow, and they are left out.
            if (((decoder->choice.thinned[i] >> k) & 1) && missing_bits > 0) continue;
            return 0;
        }
    }
    // If nothing is missing at all, the file's end is next.
    return is_more_to_come;
}
