//! From the name of a set to its file, or to a message that says where to get it.

use std::error::Error;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use super::catalogue::{self, Entry};
use super::csv;
use super::dataset::Dataset;
use super::error::DatasetError;
use super::generate::Sample;
use super::libsvm::{self, ReadError};
use super::names;

/// The environment variable that names a directory of data sets.
pub const VARIABLE: &str = "POCKETRON_DATA";

const SUFFIXES: [&str; 2] = [".libsvm.gz", ".libsvm"];

/// The directories that are searched for a set, first match wins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    dirs: Vec<PathBuf>,
}

impl Places {
    /// An explicit directory (the command's `--data-dir DIR`), `$POCKETRON_DATA`, `data/` at the
    /// repository's root, and last the small sets that the repository carries.
    pub fn new(explicit: Option<&Path>) -> Self {
        Self::with_variable(explicit, std::env::var_os(VARIABLE).as_deref())
    }

    /// As [`Places::new`], with the value of the environment variable given; an empty one counts as
    /// unset.
    pub fn with_variable(explicit: Option<&Path>, variable: Option<&OsStr>) -> Self {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let variable = variable.filter(|value| !value.is_empty()).map(Path::new);
        let own = [
            package.parent().unwrap_or(package).join("data"),
            package.join("data"),
        ];
        Self {
            dirs: [explicit, variable]
                .into_iter()
                .flatten()
                .map(Path::to_owned)
                .chain(own)
                .collect(),
        }
    }

    /// Only these directories.
    pub fn only(dirs: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            dirs: dirs.into_iter().collect(),
        }
    }

    /// The directories in the order they are searched.
    pub fn dirs(&self) -> &[PathBuf] {
        &self.dirs
    }

    /// The file that `name` stands for: itself if it is one, otherwise `NAME.libsvm.gz` or
    /// `NAME.libsvm`, for a path at that place, for a bare name in the first directory that has it.
    ///
    /// # Errors
    ///
    /// There is no such file anywhere; the error says what was tried.
    pub fn find(&self, name: &str) -> Result<PathBuf, NotFound> {
        if Path::new(name).is_file() {
            return Ok(name.into());
        }
        let dirs = if is_path(name) {
            Vec::new()
        } else {
            self.dirs.clone()
        };
        let stem = stem(name);
        let candidate = |dir: &Path| SUFFIXES.map(|suffix| dir.join(format!("{stem}{suffix}")));
        let here = is_path(name).then_some(Path::new(""));
        let found = here
            .into_iter()
            .chain(dirs.iter().map(PathBuf::as_path))
            .flat_map(candidate)
            .find(|file| file.is_file());
        found.ok_or_else(|| NotFound {
            name: name.to_owned(),
            dirs,
        })
    }

    /// Finds and reads a set, in LIBSVM form or, as `NAME.csv`, in columns; or draws one, as
    /// [`Sample`] says. Its dimension is the catalogue's where the set is known, else the highest index in
    /// it.
    ///
    /// # Errors
    ///
    /// There is no such file, it is malformed, or it has other rows or more features than the catalogue says for that
    /// name.
    pub fn load(&self, name: &str) -> Result<Dataset, LoadError> {
        let path = match (self.find(name), Sample::parse(name)) {
            (Ok(path), _) => path,
            (_, Some(Ok(sample))) => return Ok(Dataset::from_dense(name, &sample.draw())),
            (_, Some(Err(message))) => return Err(LoadError::NotDrawn(message)),
            (Err(error), None) => return Err(LoadError::NotFound(error)),
        };
        let stem = stem(path.file_name().and_then(OsStr::to_str).unwrap_or(name)).to_owned();
        let rows = if csv::is_csv(&path) {
            csv::read_file(&path)
        } else {
            libsvm::read_file(&path)
        };
        let rows = rows.map_err(LoadError::Read)?;
        let mut data = Dataset::new(stem.as_str(), rows);
        if csv::is_csv(&path) {
            let columns = data.dim();
            data = data.with_dim(columns).expect("no row has more");
        }
        // A file given by its path may share its name with a known set by chance: then it speaks
        // for itself.
        let chosen = is_path(name) || path == Path::new(name);
        let unlike = |error| LoadError::Unlike {
            path: path.clone(),
            error,
        };
        match catalogue::lookup(&stem) {
            Some(entry) if !chosen => {
                let data = data.with_dim(entry.features).map_err(unlike)?;
                let part = entry.parts.iter().find(|part| part.file == stem);
                part.map_or(Ok(()), |part| part.check(&data))
                    .map_err(unlike)?;
                Ok(data)
            }
            Some(entry) if data.dim() <= entry.features => {
                data.with_dim(entry.features).map_err(unlike)
            }
            _ => Ok(data),
        }
    }

    /// Both parts of a set: its train and test files, or one file divided where the papers divide
    /// it.
    ///
    /// # Errors
    ///
    /// As [`Places::load`]; a single file of unknown division is a [`LoadError::NoSplit`].
    pub fn load_split(&self, name: &str) -> Result<(Dataset, Dataset), LoadError> {
        let entry = catalogue::lookup(name);
        if entry.is_none_or(|entry| entry.parts.len() == 1) {
            let whole = self.load(name)?;
            let rows = entry
                .and_then(|entry| entry.train_rows)
                .ok_or_else(|| LoadError::NoSplit(name.to_owned()))?;
            return whole.split(rows).map_err(|error| LoadError::Unlike {
                path: name.into(),
                error,
            });
        }
        Ok((
            self.load(&format!("{name}.train"))?,
            self.load(&format!("{name}.test"))?,
        ))
    }
}

/// Whether `name` says where the file lies and is not to be looked for: sets that are have no columns.
fn is_path(name: &str) -> bool {
    Path::new(name).components().count() != 1 || csv::is_csv(name.as_ref())
}

/// A file name without the ending that says how the set is written.
fn stem(name: &str) -> &str {
    SUFFIXES
        .iter()
        .find_map(|suffix| name.strip_suffix(suffix))
        .unwrap_or(name)
}

/// No file for a set: what was looked for, where, and where the set is to be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotFound {
    /// The name or path that was asked for.
    pub name: String,
    /// The directories that were searched; none for a path.
    pub dirs: Vec<PathBuf>,
}

impl NotFound {
    fn describe(f: &mut fmt::Formatter<'_>, name: &str, entry: &Entry) -> fmt::Result {
        if !entry.parts.iter().any(|part| part.file == name) {
            let parts: Vec<_> = entry.parts.iter().map(|part| part.file).collect();
            writeln!(f, "`{}` comes in parts: {}", entry.name, parts.join(", "))?;
        }
        writeln!(f, "`{}` is: {}", entry.name, entry.source)?;
        writeln!(f, "labels and coding: {}", entry.labels)
    }
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = stem(&self.name);
        if self.dirs.is_empty() {
            let tried = SUFFIXES.map(|suffix| format!("{name}{suffix}"));
            let others: Vec<_> = tried.iter().filter(|tried| **tried != self.name).collect();
            write!(f, "no file `{}`", self.name)?;
            if csv::is_csv(self.name.as_ref()) {
                return Ok(());
            }
            return others
                .iter()
                .try_for_each(|tried| write!(f, ", nor `{tried}`"));
        }
        writeln!(
            f,
            "no data set `{name}`: neither {name}.libsvm.gz nor {name}.libsvm in"
        )?;
        for dir in &self.dirs {
            let absent = if dir.is_dir() {
                ""
            } else {
                " (no such directory)"
            };
            writeln!(f, "  {}{absent}", dir.display())?;
        }
        if let Some(entry) = catalogue::lookup(name) {
            Self::describe(f, name, entry)?;
        } else if let Some(tables) = names::drawn_for(name) {
            return write!(f, "`{name}` is drawn by `reproduce` alone: {tables}");
        } else if let Some(near) = names::nearest(name) {
            writeln!(f, "is it `{near}`?")?;
        } else {
            writeln!(f, "`cargo pocketron data` lists what is known")?;
        }
        write!(
            f,
            "give the file's path, put it into one of these directories, or name another with \
             --data-dir or ${VARIABLE}"
        )
    }
}

impl Error for NotFound {}

/// Why a set cannot be loaded.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum LoadError {
    /// There is no file.
    NotFound(NotFound),
    /// There is no file, and the set of that name is drawn: how.
    NotDrawn(String),
    /// The file is malformed.
    Read(ReadError),
    /// The file is not the set that the catalogue describes under its name.
    Unlike {
        /// The file.
        path: PathBuf,
        /// How it differs.
        error: DatasetError,
    },
    /// The set is one file, and where to divide it is not known.
    NoSplit(String),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(error) => error.fmt(f),
            Self::NotDrawn(how) => f.write_str(how),
            Self::Read(error) => error.fmt(f),
            Self::Unlike { path, error } => {
                write!(f, "{}: not the set of that name: {error}", path.display())
            }
            Self::NoSplit(name) => {
                write!(f, "`{name}` has no division into training and test part")
            }
        }
    }
}

impl Error for LoadError {}
