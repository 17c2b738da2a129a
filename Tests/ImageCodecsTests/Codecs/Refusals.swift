/// Files that libvips decodes, with grey or black for what they lack, and this refuses. Each with its reason.
enum Refusals {
    enum Kind { case truncated, corrupt, beyondLimits }

    struct Refusal {
        let kind: Kind
        let reason: String
        let names: [String]
        /// Whether libjpeg as it is says that pixels are lost, while it goes on.
        var isWarnedOf = true
    }

    /// The reason for which a file may be refused although libvips decodes it; `nil`: none is known.
    static func entry(_ name: String) -> Refusal? {
        all.first { entry in entry.names.contains { name == $0 || $0.hasPrefix("*") && name.hasSuffix($0.dropFirst()) }
        }
    }

    /// A name that begins with an asterisk is the end of one: `mut_` are PngSuite's files damaged in the same few ways.
    static let all = [
        Refusal(
            kind: .beyondLimits, reason: "a header that says 60,000 × 60,000 or so, over a few kilobytes",
            names: ["*_huge.png"]),
        Refusal(kind: .truncated, reason: "cut off inside its pixels", names: ["*_trunc.png"]),
        Refusal(
            kind: .corrupt, reason: "IDAT's checksum is wrong: libvips goes on in spite of it", names: ["*_badcrc.png"]),
        Refusal(
            kind: .corrupt,
            reason: "a bit of IDAT is flipped: rows are lost to zlib or have a filter that there is not",
            names: ["*_idatflip.png"]),
        Refusal(kind: .corrupt, reason: "IDAT ends before its last row", names: ["*_shortidat.png"]),
        Refusal(
            kind: .truncated,
            reason:
                "the file ends, or its entropy-coded data do, before all coefficients are there: libjpeg warns and paints",
            names: afl([
                "jpeg__edges-only__images__id_001484_src_000666_op_havoc_rep_8",
                "jpeg__edges-only__images__id_002591_src_001868_op_flip2_pos_169",
                "jpeg__edges-only__images__id_002629_src_001887_op_havoc_rep_4",
                "jpeg__edges-only__images__id_002785_src_002292_op_flip2_pos_169",
                "jpeg__edges-only__images__id_002983_src_002706_op_flip2_pos_164",
                "jpeg__full__images__id_002359_src_001447_op_arith8_pos_164_val_-8",
                "jpeg__full__images__id_002587_src_001867_op_havoc_rep_4",
                "jpeg__full__images__id_002819_src_002358_op_arith8_pos_169_val_-14",
                "jpeg__full__images__id_002956_src_002265_op_havoc_rep_4",
                "jpeg__full__images__id_003005_src_002804_op_arith8_pos_163_val_-6",
                "jpeg__full__images__id_003074_src_002956_op_flip2_pos_163",
                "jpeg__full__images__id_003141_sync_jpeg_turbo_src_001694",
                "jpeg__full__images__id_003786_sync_jpeg_turbo_src_001919",
                "jpeg__full__images__id_004059_src_003644_op_arith8_pos_116_val_-26",
                "jpeg__full__images__id_004548_src_004522_op_flip1_pos_98",
                "jpeg__full__images__id_004720_src_004051_op_flip4_pos_252",
                "jpeg__full__images__id_004851_sync_jpeg_turbo_src_003589",
                "jpeg__full__images__id_005367_src_004055_op_havoc_rep_1",
                "jpeg__full__images__id_005564_src_004632_004379_op_splice_rep_4",
                "jpeg__full__images__id_005597_sync_jpeg_turbo_src_004259",
                "jpeg_turbo__edges-only__images__id_001558_sync_jpeg9_src_003008",
                "jpeg_turbo__edges-only__images__id_003998_src_003977_op_flip1_pos_171",
                "jpeg_turbo__full__images__id_001165_sync_jpeg9_src_002276",
                "jpeg_turbo__full__images__id_001715_src_001618_op_flip1_pos_164",
                "jpeg_turbo__full__images__id_001932_src_001927_op_flip1_pos_113__cov",
                "jpeg_turbo__full__images__id_002955_src_002799_op_flip1_pos_241",
            ])),
        Refusal(
            kind: .truncated, reason: "of three components there is one: libjpeg makes the others up without a word",
            names: afl([
                "jpeg_turbo__edges-only__images__id_004019_src_001848_003790_op_splice_rep_4__cov"
            ]), isWarnedOf: false),
        Refusal(
            kind: .corrupt,
            reason: "entropy-coded data that no encoder writes: libjpeg warns of lost pixels and paints",
            names: afl([
                "jpeg__full__images__id_000955_src_000240_op_arith8_pos_175_val__3",
                "jpeg__full__images__id_001381_src_000604_op_int16_pos_224_val_be__127",
                "jpeg__full__images__id_001952_src_000936_op_flip2_pos_172",
                "jpeg__full__images__id_002022_src_001062_op_flip1_pos_164",
                "jpeg__full__images__id_004259_sync_jpeg_turbo_src_002660",
                "jpeg__full__images__id_004753_src_004752_op_int8_pos_146_val__0",
                "jpeg__full__images__id_005239_sync_jpeg_turbo_src_004016",
                "jpeg_turbo__edges-only__images__id_000564_src_000000_op_havoc_rep_2",
                "jpeg_turbo__edges-only__images__id_001347_sync_jpeg9_src_001828__cov",
                "jpeg_turbo__edges-only__images__id_001458_src_000531_op_flip4_pos_287",
                "jpeg_turbo__edges-only__images__id_001542_src_000752_op_flip4_pos_308",
                "jpeg_turbo__edges-only__images__id_001655_src_001333_op_flip2_pos_455",
                "jpeg_turbo__edges-only__images__id_002570_src_002143_op_arith8_pos_266_val_-1",
                "jpeg_turbo__full__images__id_000910_sync_jpeg9_src_000936",
                "jpeg_turbo__full__images__id_001455_src_000531_op_flip4_pos_227",
                "jpeg_turbo__full__images__id_001615_src_001061_op_havoc_rep_32",
                "jpeg_turbo__full__images__id_001842_src_000903_op_havoc_rep_2",
                "jpeg_turbo__full__images__id_003475_sync_jpeg9_src_004752",
                "jpeg_turbo__full__images__id_003852_src_003835_op_flip1_pos_163",
                "jpeg_turbo__full__images__id_004036_src_004034_001612_op_splice_rep_32",
            ])),
    ]

    private static func afl(_ names: [String]) -> [String] { names.map { "afl-testcases__" + $0 + ".jpg" } }
}
