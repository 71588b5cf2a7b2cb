//! Data that cells share: prepared once.

use std::{
    any::Any,
    collections::{HashMap, VecDeque},
    path::Path,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use anyhow::{Context, Result, bail};

use crate::data::Places;

/// Prepared sets that stay when nobody uses them: cells come in the order of their sets.
const KEPT: usize = 4;

/// Prepared data, or the reason why there is none, for all who waited for it.
type Place = Arc<OnceLock<Result<Arc<dyn Any + Send + Sync>, String>>>;

/// Data for cells.
#[derive(Debug)]
pub struct Bench {
    /// Where files are found.
    pub places: Places,
    prepared: Mutex<Prepared>,
}

#[derive(Debug, Default)]
struct Prepared {
    places: HashMap<String, Place>,
    latest: VecDeque<String>,
}

impl Bench {
    /// A bench that looks for files in `data` first.
    pub fn new(data: Option<&Path>) -> Self {
        Bench {
            places: Places::new(data),
            prepared: Mutex::default(),
        }
    }

    /// Result of `prepare`, from the last time if it was used lately. Others who ask for the same wait until
    /// it is made. A name stands for one type.
    ///
    /// # Errors
    ///
    /// Those of `prepare`.
    pub fn prepared<T: Send + Sync + 'static>(
        &self,
        name: &str,
        prepare: impl FnOnce() -> Result<T>,
    ) -> Result<Arc<T>> {
        let place = self.place(name);
        let found = place.get_or_init(|| match prepare() {
            Ok(made) => Ok(Arc::new(made)),
            Err(error) => Err(format!("{error:#}")),
        });
        match found {
            Ok(found) => {
                let found = Arc::clone(found).downcast();
                found.ok().with_context(|| format!("{name} has two types"))
            }
            Err(why) => {
                self.lock().places.remove(name);
                bail!("{why}")
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Prepared> {
        self.prepared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(&self, name: &str) -> Place {
        let mut prepared = self.lock();
        prepared.latest.retain(|other| other != name);
        prepared.latest.push_back(name.to_owned());
        if prepared.latest.len() > KEPT
            && let Some(oldest) = prepared.latest.pop_front()
        {
            prepared.places.remove(&oldest);
        }
        Arc::clone(prepared.places.entry(name.to_owned()).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_prepared_once_and_forgotten_after_others() {
        let bench = Bench::new(None);
        let ask = |name: &str, value: u32| *bench.prepared(name, || Ok(value)).unwrap();
        assert_eq!(ask("a", 1), 1);
        assert_eq!(ask("a", 2), 1);
        for (name, value) in [("b", 3), ("c", 4), ("d", 5)] {
            assert_eq!(ask(name, value), value);
        }
        assert_eq!(ask("a", 6), 1);
        for name in ["e", "f", "g", "h"] {
            ask(name, 0);
        }
        assert_eq!(ask("a", 7), 7);
    }

    /// A second one who asks waits for the first, and is told the same.
    #[test]
    fn everybody_hears_why_a_set_could_not_be_prepared() {
        let bench = Bench::new(None);
        let ask = |wait: &std::sync::Barrier| -> String {
            wait.wait();
            let asked: Result<Arc<u32>> = bench.prepared("a", || {
                std::thread::sleep(std::time::Duration::from_millis(50));
                bail!("no file")
            });
            asked.unwrap_err().to_string()
        };
        let wait = std::sync::Barrier::new(2);
        let answers = std::thread::scope(|scope| {
            let others = [(); 2].map(|()| scope.spawn(|| ask(&wait)));
            others.map(|other| other.join().unwrap())
        });
        assert_eq!(answers, ["no file", "no file"]);
    }

    #[test]
    fn a_failure_is_not_kept() {
        let bench = Bench::new(None);
        let failed: Result<Arc<u32>> = bench.prepared("a", || bail!("no file"));
        assert_eq!(failed.unwrap_err().to_string(), "no file");
        assert_eq!(*bench.prepared("a", || Ok(5_u32)).unwrap(), 5);
    }
}
