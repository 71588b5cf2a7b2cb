//! `pocketron model export`: a model for firmware, as source or as bytes of flash.

pub mod c_header;
pub mod flash;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use super::{HostModel, ImageHeader, ModelFile, default_learner::Sizes};
use crate::files;

/// Options of the command.
#[derive(Args, Debug)]
pub struct ExportOptions {
    /// Model, as `train` or `device pull` writes it
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// What to write
    #[arg(long, value_enum, value_name = "FORM")]
    form: Form,
    /// Where to write it
    #[arg(long, short, value_name = "OUT")]
    out: PathBuf,
    /// bin, hex, uf2: bytes of the region of the store, two slots
    #[arg(long, value_name = "BYTES", value_parser = number)]
    region: Option<u32>,
    /// bin, hex, uf2: bytes that the flash erases together
    #[arg(long, value_name = "BYTES", default_value = "4096", value_parser = number)]
    sector: u32,
    /// hex, uf2: address of the region, where a sector begins
    #[arg(long, value_name = "ADDRESS", value_parser = number)]
    address: Option<u32>,
    /// uf2: number of the family of chips, such as 0xE48BFF56 for RP2040
    #[arg(long, value_name = "NUMBER", value_parser = number)]
    family: Option<u32>,
}

/// What a model is exported as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// The bare image, for include_bytes!
    Image,
    /// A Rust file with the image as a constant and the line that loads it
    Rust,
    /// A C99 header that predicts
    C,
    /// The region of the store, byte by byte
    Bin,
    /// The same as Intel HEX
    Hex,
    /// The same as UF2
    Uf2,
}

/// A number, decimal or with 0x.
fn number(text: &str) -> Result<u32, std::num::ParseIntError> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(&digits.replace('_', ""), 16),
        None => text.parse(),
    }
}

/// Writes one file.
///
/// # Errors
///
/// The model cannot be read or is of another kind, or an option is missing.
pub fn command(options: &ExportOptions) -> Result<()> {
    let path = options.model.display().to_string();
    let file = ModelFile::read(&options.model)?;
    let header = ImageHeader::open(&file.image).with_context(|| path.clone())?;
    let region = || -> Result<Vec<u8>> {
        let bytes = options
            .region
            .context("--region says how many bytes the store has")?;
        flash::region(
            &file.image,
            header.shape_hash,
            options.sector as usize,
            bytes as usize,
        )
    };
    let placed = || -> Result<(u32, Vec<u8>)> {
        let address = options
            .address
            .context("--address says where the store lies")?;
        let bytes = region()?;
        flash::check_address(address, options.sector, bytes.len())?;
        Ok((address, bytes))
    };
    let bytes = match options.form {
        Form::Image => file.image.clone(),
        Form::Rust => rust(&file, &file.open().context(path)?)?.into_bytes(),
        Form::C => c(&file, options)?.into_bytes(),
        Form::Bin => region()?,
        Form::Hex => {
            let (address, bytes) = placed()?;
            flash::hex(address, &bytes).into_bytes()
        }
        Form::Uf2 => {
            let (address, bytes) = placed()?;
            flash::uf2(address, &bytes, options.family)
        }
    };
    files::replace(&options.out, &bytes)?;
    println!("{}: {} bytes", options.out.display(), bytes.len());
    Ok(())
}

/// A constant with the image, and how to load it.
fn rust(file: &ModelFile, model: &HostModel) -> Result<String> {
    let Some(sizes) = Sizes::of(model.shape()) else {
        bail!(
            "{} has no name in Rust here: --form image writes its bytes",
            model.shape()
        );
    };
    let mut text = String::from("//! A trained model of Pocketron.\n//!\n");
    for (number, label) in file.description.labels.iter().enumerate() {
        text += &format!("//! - class {number}: {}\n", label.escape_debug());
    }
    text += &format!(
        "\nuse pocketron::prelude::*;\n\n/// The type of the model.\npub type Model = {};\n\n\
         /// The model: `{}` loads it.\npub const IMAGE: [u8; {}] = [\n",
        sizes.rust_type(),
        match sizes.confident {
            true => "pocketron::persist::restore(&mut model, &mut &IMAGE[..])?",
            false => "Model::from_bytes(&IMAGE)?",
        },
        file.image.len()
    );
    for line in file.image.chunks(20) {
        let bytes: Vec<String> = line.iter().map(u8::to_string).collect();
        text += &format!("    {},\n", bytes.join(", "));
    }
    Ok(text + "];\n")
}

/// A header whose names begin with that of the file.
fn c(file: &ModelFile, options: &ExportOptions) -> Result<String> {
    let model = file
        .open()
        .with_context(|| options.model.display().to_string())?;
    let Some(predictor) = model.predictor() else {
        bail!(
            "{}: only the default learner without wrappers can be written in C",
            model.shape()
        );
    };
    let stem = options
        .out
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or("model");
    let is_name = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !text.starts_with(|first: char| first.is_ascii_digit())
    };
    if !is_name(stem) || stem.is_empty() {
        bail!("`{stem}` begins the names in the header: call the file by letters, digits and _");
    }
    Ok(c_header::c_header(stem, &predictor, &file.description))
}
