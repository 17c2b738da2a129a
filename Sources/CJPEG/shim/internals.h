#pragma once

#include "../include/CJPEG.h"

// libjpeg's insides: the methods by which its modules call each other. Debian's and Ubuntu's packages install the header that
// declares them; upstream's, Homebrew's and others do not.
//
// A function that uses them asks first whether a decoder `works_inside` (state.h). That is so where the header was there, and the library that
// is there at run time has been found to be laid out as it says (fit.c). Elsewhere libjpeg's public interface does all the work,
// and what it makes is the same to the bit where nothing may be left out; it takes longer, and more memory.
#if __has_include(<jpegint.h>) && defined(LIBJPEG_TURBO_VERSION_NUMBER) && !defined(CJPEG_PUBLIC_ONLY)
#include <jpegint.h>
#define CJPEG_HAS_INTERNALS 1
#else
#define CJPEG_HAS_INTERNALS 0

// Declarations of the names that the sources use, so that they compile. No field of them is ever read.
typedef void (*inverse_DCT_method_ptr)(j_decompress_ptr, jpeg_component_info *, JCOEFPTR, JSAMPARRAY, JDIMENSION);
struct jpeg_entropy_decoder {
    void (*start_pass)(j_decompress_ptr);
    boolean (*decode_mcu)(j_decompress_ptr, JBLOCKROW *);
    boolean insufficient_data;
};
struct jpeg_marker_reader {
    boolean (*read_restart_marker)(j_decompress_ptr);
    boolean saw_SOI, saw_SOF;
    unsigned discarded_bytes;
};
struct jpeg_inverse_dct {
    inverse_DCT_method_ptr inverse_DCT[MAX_COMPONENTS];
};
struct jpeg_input_controller {
    int (*consume_input)(j_decompress_ptr);
    void (*finish_input_pass)(j_decompress_ptr);
    boolean has_multiple_scans, eoi_reached;
};
struct jpeg_d_coef_controller {
    int (*consume_data)(j_decompress_ptr);
    int (*decompress_data)(j_decompress_ptr, JSAMPIMAGE);
};
struct jpeg_color_deconverter {
    void (*start_pass)(j_decompress_ptr);
    void (*color_convert)(j_decompress_ptr, JSAMPIMAGE, JDIMENSION, JSAMPARRAY, int);
};
struct jpeg_decomp_master {
    JDIMENSION last_good_iMCU_row;
};
#endif
