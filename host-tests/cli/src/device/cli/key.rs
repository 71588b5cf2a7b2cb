//! Keys of devices that take only signed images.

use std::{fs, path::Path};

use anyhow::{Context, Result, bail};
use pocketron::device::signature::BYTES;

/// Reads a key: 64 hexadecimal digits, as `openssl rand -hex 32` writes them. The digits never get into a message.
pub fn read(file: &Path) -> Result<[u8; BYTES]> {
    let name = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("{name} cannot be read"))?;
    let digits: Option<Vec<u8>> = text.trim().chars().map(digit).collect();
    let bytes = digits.map(|digits| {
        let (pairs, rest) = digits.as_chunks::<2>();
        (
            pairs
                .iter()
                .map(|[high, low]| 16 * high + low)
                .collect::<Vec<_>>(),
            rest.len(),
        )
    });
    match bytes {
        Some((bytes, 0)) if bytes.len() == BYTES => {
            let mut key = [0; BYTES];
            key.copy_from_slice(&bytes);
            Ok(key)
        }
        _ => {
            bail!("{name} is no key: 64 hexadecimal digits, as `openssl rand -hex 32` writes them")
        }
    }
}

fn digit(letter: char) -> Option<u8> {
    letter.to_digit(16).map(|digit| digit as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_64_digits_are_a_key() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let read_back = |text: &str| {
            fs::write(file.path(), text).expect("written");
            read(file.path())
        };
        let digits = "0123456789abcdefABCDEF".repeat(3);
        let key = read_back(&format!(" {}\n", &digits[..64])).expect("a key");
        assert_eq!(key[..4], [0x01, 0x23, 0x45, 0x67]);
        for wrong in [
            &digits[..63],
            &digits[..65],
            "",
            &"x".repeat(64),
            &"é".repeat(32),
        ] {
            let error = read_back(wrong).expect_err(wrong).to_string();
            assert!(error.contains("no key") && (wrong.is_empty() || !error.contains(wrong)));
        }
        assert!(read(Path::new("/nowhere/key")).is_err());
    }
}
