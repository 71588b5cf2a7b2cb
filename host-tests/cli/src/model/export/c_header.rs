//! A predictor in C99, for chips that no Rust reaches.

use std::fmt::{self, Write as _};

use pocketron::num::math::power::half_to_the;

use crate::model::{Description, predictor::Predictor};

/// Digits of an exponent of two that choose a line, and those that say where on it.
const CHOICE: u32 = 6;
const PLACE: u32 = 10;
const FRACTION: u32 = pocketron::num::math::power::FRACTION;

/// The header; `name` begins everything in it.
pub fn c_header(name: &str, predictor: &Predictor, description: &Description) -> String {
    let mut text = String::new();
    write(&mut text, name, predictor, description).expect("a string takes everything");
    text
}

fn write(
    out: &mut String,
    name: &str,
    predictor: &Predictor,
    description: &Description,
) -> fmt::Result {
    let upper = name.to_uppercase();
    let (features, classes) = (predictor.standardisation.len(), predictor.present.len());
    let columns = predictor.rows.first().map_or(1, |(values, _)| values.len());
    let vectors = predictor.vectors.len();
    write!(
        out,
        "/* A model of Pocketron that predicts: {features} features, {vectors} vectors, {classes} classes.\n\
         \x20* C99 without a library but memcpy. The features are single-precision numbers and are standardised as such; all else is integers.\n\
         \x20* The answers are those of the model in Rust, bit for bit. */\n\
         #ifndef {upper}_H\n#define {upper}_H\n\n#include <stdint.h>\n#include <string.h>\n\n\
         #define {upper}_FEATURES {features}\n#define {upper}_CLASSES {classes}\n#define {upper}_SCORES {columns}\n\n"
    )?;
    let labels = (0..classes as u8).map(|class| quoted(&description.label(class)));
    array(
        out,
        &format!("const char *const {name}_labels[{classes}]"),
        labels,
    )?;
    let (offsets, factors): (Vec<f32>, Vec<f32>) =
        predictor.standardisation.iter().copied().unzip();
    for (what, numbers) in [("offsets", offsets), ("factors", factors)] {
        // Bits, so that no compiler rounds.
        let bits = numbers
            .iter()
            .map(|number| format!("0x{:08X}u", number.to_bits()));
        array(
            out,
            &format!("const uint32_t {name}_{what}[{features}]"),
            bits,
        )?;
    }
    let weights = match &predictor.weights {
        Some(weights) => weights.clone(),
        None => vec![1; features],
    };
    array(
        out,
        &format!("const uint16_t {name}_weights[{features}]"),
        weights,
    )?;
    // A model without a vector has an array of one.
    let rows = vectors.max(1);
    let bytes = |rows: Vec<&Vec<i8>>| -> Vec<String> {
        let row = |row: &&Vec<i8>| {
            let cells: Vec<String> = row.iter().map(i8::to_string).collect();
            format!("{{{}}}", cells.join(","))
        };
        match rows.is_empty() {
            true => vec!["{0}".into()],
            false => rows.iter().map(row).collect(),
        }
    };
    let points = bytes(predictor.vectors.iter().collect());
    array(
        out,
        &format!("const int8_t {name}_vectors[{rows}][{features}]"),
        points,
    )?;
    let values = bytes(predictor.rows.iter().map(|(values, _)| values).collect());
    array(
        out,
        &format!("const int8_t {name}_coefficients[{rows}][{columns}]"),
        values,
    )?;
    let mut exponents: Vec<u32> = predictor
        .rows
        .iter()
        .map(|(_, exponent)| *exponent)
        .collect();
    exponents.resize(rows, 0);
    array(
        out,
        &format!("const uint8_t {name}_exponents[{rows}]"),
        exponents,
    )?;
    let present = predictor.present.iter().map(|present| u8::from(*present));
    array(
        out,
        &format!("const uint8_t {name}_present[{classes}]"),
        present,
    )?;
    let lines = (0..1 << CHOICE).map(|line| {
        let start = half_to_the(line << (FRACTION - CHOICE)) >> 8;
        let end = half_to_the(
            (line << (FRACTION - CHOICE)) | (((1 << PLACE) - 1) << (FRACTION - CHOICE - PLACE)),
        ) >> 8;
        format!("{{{start}u,{}u}}", start + 1 - end)
    });
    array(out, &format!("const uint32_t {name}_lines[64][2]"), lines)?;
    let (digits, shift) = predictor.rate;
    let winner = match columns {
        1 => "\
    if (!P_present[0] || !P_present[1])
        return P_present[1];
    return score[0] > 0.0f;
"
        .to_string(),
        _ => "\
    int best = -1;
    for (int c = 0; c < U_CLASSES; c++)
        if (P_present[c] && (best < 0 || score[c] > score[best]))
            best = c;
    return best < 0 ? 0 : best;
"
        .to_string(),
    };
    let code = format!(
        "\
static inline float P_number(uint32_t bits)
{{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}}

/* The byte that stands for one feature. Volatile: each operation rounds by itself, none is fused. */
static inline int32_t P_byte(float x, int feature)
{{
    volatile float z = x - P_number(P_offsets[feature]);
    z = z * P_number(P_factors[feature]);
    if (z < -2.5f) z = -2.5f;
    if (z > 2.5f) z = 2.5f;
    z = z * 31.75f;
    z = z + (z < 0.0f ? -0.5f : 0.5f);
    return (int32_t)z;
}}

/* 2^-t in multiples of 2^-24, for the exponent t in multiples of 2^-27 that belongs to a squared distance. */
static inline uint32_t P_similarity(uint32_t distance)
{{
    const uint32_t digits = {digits}u, shift = {shift}u;
    const uint32_t shifted = (distance + (((uint32_t)1 << shift) >> 1)) >> shift;
    const uint32_t farthest = UINT32_MAX / (digits ? digits : 1u);
    const uint32_t beyond = {beyond};
    const uint32_t t = shifted > farthest ? beyond : shifted * digits;
    const uint32_t *line = P_lines[(t >> 21) & 63u];
    const uint32_t start = (line[0] << 10) | 1023u;
    return (((start - line[1] * ((t >> 11) & 1023u)) >> 10) << 8) >> (t >> 27);
}}

/* The class of x, or -1 if a number is infinite or no number. The scores go to score if it is not null. */
static inline int P_predict(const float x[U_FEATURES], float scores[U_SCORES])
{{
    int32_t point[U_FEATURES];
    int64_t sum[U_SCORES] = {{0}};
    float score[U_SCORES];
    for (int f = 0; f < U_FEATURES; f++) {{
        uint32_t bits;
        memcpy(&bits, &x[f], sizeof bits);
        if ((bits & 0x7F800000u) == 0x7F800000u)
            return -1;
        point[f] = P_byte(x[f], f);
    }}
    for (int v = 0; v < {vectors}; v++) {{
        uint32_t distance = 0;
        for (int f = 0; f < U_FEATURES; f++) {{
            const int32_t apart = point[f] - P_vectors[v][f];
            distance += P_weights[f] * (uint32_t)(apart * apart);
        }}
        const int32_t similarity = (int32_t)(P_similarity(distance) >> (18 - P_exponents[v]));
        for (int c = 0; c < U_SCORES; c++)
            sum[c] += similarity * P_coefficients[v][c];
    }}
    for (int c = 0; c < U_SCORES; c++) {{
        score[c] = (float)sum[c] * (1.0f / 2097152.0f);
        if (scores)
            scores[c] = score[c];
    }}
{winner}}}

#endif
",
        // As the core's loop for wide and for narrow kernels has it.
        beyond = if digits <= 1 << 27 { "farthest * digits" } else { "UINT32_MAX" },
    );
    out.push_str(
        &code
            // Not one after the other in place: the first name may hold the other mark.
            .replace("U_", "\u{1}")
            .replace("P_", &format!("{name}_"))
            .replace('\u{1}', &format!("{upper}_")),
    );
    Ok(())
}

/// An array, some entries a line.
fn array<T: ToString>(
    out: &mut String,
    declaration: &str,
    entries: impl IntoIterator<Item = T>,
) -> fmt::Result {
    let mut line = String::new();
    writeln!(out, "static {declaration} = {{")?;
    for entry in entries {
        let entry = entry.to_string();
        if line.len() + entry.len() > 100 {
            writeln!(out, "    {line}")?;
            line.clear();
        }
        line += &entry;
        line.push(',');
    }
    writeln!(out, "    {line}\n}};\n")
}

/// A string in C.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' | b'?' => write!(quoted, "\\{}", char::from(byte)).expect("memory"),
            b' '..=b'~' => quoted.push(char::from(byte)),
            // Always three digits, so that none that follows belongs to it.
            _ => write!(quoted, "\\{byte:03o}").expect("memory"),
        }
    }
    quoted + "\""
}
