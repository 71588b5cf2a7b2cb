//! Files that are whole or not there.

use std::{
    fs::{self, Permissions},
    io::Write,
    path::Path,
};

use anyhow::{Context, Result};
use tempfile::{Builder, NamedTempFile};

/// Writes a file. It takes the place of an older one when all of it is on the disk: whatever ends this program, one of
/// them is there, and whole. What is no file, such as a pipe, is written to directly.
///
/// # Errors
///
/// It cannot be written; an older one is as it was.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    written(path, bytes).with_context(|| format!("{} cannot be written", path.display()))
}

fn written(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    // A link stays one: what it leads to is replaced.
    let real = fs::canonicalize(path);
    let path = real.as_deref().unwrap_or(path);
    let known = fs::metadata(path);
    if known.as_ref().is_ok_and(|known| !known.is_file()) {
        return fs::write(path, bytes);
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let mut beside = beside(folder.unwrap_or(Path::new(".")))?;
    beside.write_all(bytes)?;
    if let Ok(known) = known {
        beside.as_file().set_permissions(known.permissions())?;
    }
    beside.as_file().sync_all()?;
    beside.persist(path)?;
    Ok(())
}

/// An unfinished file, with the rights that any new one has.
fn beside(folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".pocketron-").suffix(".part");
    match usual_rights() {
        Some(rights) => builder.permissions(rights).tempfile_in(folder),
        None => builder.tempfile_in(folder),
    }
}

#[cfg(unix)]
fn usual_rights() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    // The user's mask takes some away.
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn usual_rights() -> Option<Permissions> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<_> = entries.map(|one| name(one).display().to_string()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.pktn");
        replace(&path, b"old").expect("a new file");
        // Whoever has the old one open goes on reading it: it is another file.
        let mut old = fs::File::open(&path).expect("there");
        replace(&path, b"new").expect("the same again");
        assert_eq!(fs::read(&path).expect("there"), b"new");
        let mut text = String::new();
        std::io::Read::read_to_string(&mut old, &mut text).expect("still there");
        assert_eq!(text, "old");
        assert_eq!(names(folder.path()), ["a.pktn"]);
    }

    #[cfg(unix)]
    #[test]
    fn rights_and_links_stay() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let [real, link, plain] = ["real", "link", "plain"].map(|name| folder.path().join(name));
        fs::write(&plain, "").expect("as usual");
        replace(&real, b"1").expect("a new file");
        let mode = |path: &Path| fs::metadata(path).expect("there").mode();
        assert_eq!(mode(&real), mode(&plain), "as any new file");
        fs::set_permissions(&real, Permissions::from_mode(0o640)).expect("mine");
        symlink(&real, &link).expect("a link");
        replace(&link, b"2").expect("behind the link");
        assert_eq!(fs::read(&real).expect("there"), b"2");
        assert_eq!(mode(&real) & 0o777, 0o640);
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
    }

    #[test]
    fn what_cannot_be_replaced_is_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = replace(&folder.path().join("none/a.pktn"), b"x").expect_err("no folder");
        assert!(error.to_string().ends_with("a.pktn cannot be written"));
        assert!(names(folder.path()).is_empty());
    }
}
