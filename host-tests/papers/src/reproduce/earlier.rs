//! Sections of an earlier document: those that are not written anew stay as they are.

use std::{collections::HashMap, fs, io::ErrorKind, path::Path};

use anyhow::{Context, Result};

/// The sections of a document and their rows in its table of contents, by name.
#[derive(Debug, Default)]
pub struct Earlier {
    rows: HashMap<String, String>,
    sections: HashMap<String, String>,
}

impl Earlier {
    /// Reads a document, which need not be there.
    ///
    /// # Errors
    ///
    /// It is there and cannot be read.
    pub fn read(path: &Path) -> Result<Self> {
        match fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Earlier::default()),
            text => {
                let text = text.with_context(|| format!("cannot read {}", path.display()))?;
                Ok(Earlier::parse(&text))
            }
        }
    }

    fn parse(text: &str) -> Self {
        let mut earlier = Earlier::default();
        let mut parts = text.split("\n## ");
        for line in parts.next().unwrap_or_default().lines() {
            let name = line
                .strip_prefix("| [")
                .and_then(|rest| rest.split(']').next());
            if let Some(name) = name {
                earlier.rows.insert(name.into(), format!("{line}\n"));
            }
        }
        for part in parts {
            let name = part.lines().next().unwrap_or_default().trim();
            let section = format!("\n## {}\n", part.trim_end());
            earlier.sections.insert(name.into(), section);
        }
        earlier
    }

    /// The row and the section of that name, if the document has both.
    pub fn take(&mut self, name: &str) -> Option<(String, String)> {
        Some((self.rows.remove(name)?, self.sections.remove(name)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_comes_back_as_it_was() {
        let text = "# Results\n\nA\n\n| table | n |\n|---|---|\n| [wv2](#wv2): a | 1 |\n| [fs1](#fs1): b | 2 |\n\
                    \n## wv2\n\n**A.** B\n\n### deeper\n\n| x | y |\n\n## fs1\n\nC\n";
        let mut earlier = Earlier::parse(text);
        let (row, section) = earlier.take("wv2").unwrap();
        assert_eq!(row, "| [wv2](#wv2): a | 1 |\n");
        assert_eq!(section, "\n## wv2\n\n**A.** B\n\n### deeper\n\n| x | y |\n");
        let (row, section) = earlier.take("fs1").unwrap();
        assert_eq!(row + &section, "| [fs1](#fs1): b | 2 |\n\n## fs1\n\nC\n");
        assert_eq!(earlier.take("fs1"), None);
        assert_eq!(earlier.take("kw2"), None);
    }
}
