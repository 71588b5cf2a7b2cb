//! The bytes of every learner, as its documentation states them.
//!
//! A model has the same size here as on a 32-bit core: it holds `f32` and `u32` and nothing that is wider on a PC.
//! The formulas are read from the table in `src/learners.rs`, so what is tested is what a user reads.

use std::{collections::BTreeMap, mem};

use pocketron::{
    budget::NoBudget, learners::Normal, prelude::*, storage::Inline, wrap::Standardized,
};

const LEARNERS: &str = include_str!("../../../src/learners.rs");

/// `D`, `B` and `A` of a formula.
#[derive(Clone, Copy, Debug)]
struct Shape {
    d: usize,
    b: usize,
    a: usize,
}

/// `C` of every formula.
const C: usize = 6;

/// Reads and evaluates `sum := product {+ product}`, `product := power {[*] power}`, `power := atom [^ digit]`.
struct Formula<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    shape: Shape,
}

impl Formula<'_> {
    fn value(text: &str, shape: Shape) -> usize {
        let rest = text.chars().peekable();
        let mut formula = Formula { rest, shape };
        let value = formula.sum();
        assert_eq!(formula.next(), None, "what follows `{text}`");
        value
    }

    fn next(&mut self) -> Option<char> {
        while self.rest.next_if_eq(&' ').is_some() {}
        self.rest.peek().copied()
    }

    fn sum(&mut self) -> usize {
        let mut sum = self.product();
        while self.next() == Some('+') {
            self.rest.next();
            sum += self.product();
        }
        sum
    }

    fn product(&mut self) -> usize {
        let mut product = self.power();
        while let Some(sign) = self.next() {
            match sign {
                '*' => drop(self.rest.next()),
                '(' | 'A'..='D' | '0'..='9' => {}
                _ => break,
            }
            product *= self.power();
        }
        product
    }

    fn power(&mut self) -> usize {
        let base = self.atom();
        if self.next() != Some('^') {
            return base;
        }
        self.rest.next();
        base.pow(self.atom() as u32)
    }

    fn atom(&mut self) -> usize {
        let first = self.next();
        let Some(digit) = first.and_then(|c| c.to_digit(10)) else {
            self.rest.next();
            return match first {
                Some('D') => self.shape.d,
                Some('B') => self.shape.b,
                Some('A') => self.shape.a,
                Some('C') => C,
                Some('(') => {
                    let inner = self.sum();
                    assert_eq!(self.next(), Some(')'));
                    self.rest.next();
                    inner
                }
                other => panic!("{other:?} in a formula"),
            };
        };
        self.rest.next();
        let mut number = digit as usize;
        while let Some(digit) = self.rest.peek().and_then(|c| c.to_digit(10)) {
            self.rest.next();
            number = 10 * number + digit as usize;
        }
        number
    }
}

/// Formulas of the documented table by the name of the alias.
fn documented() -> BTreeMap<&'static str, &'static str> {
    let rows = LEARNERS.lines().filter(|line| line.starts_with("//! |"));
    let cells = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    let learners = cells.filter(|cells| cells[3].starts_with("[`") || cells[2].starts_with("[`"));
    let named = learners.map(|cells| {
        let name = cells[2].trim_start_matches("[`").split('<').next();
        (name.expect("a name"), cells[3].trim_matches('`'))
    });
    named.collect()
}

/// Sizes and alignments of every alias in one shape.
fn measured<const D: usize, const B: usize, const A: usize>() -> Vec<(&'static str, usize, usize)> {
    fn of<T>(name: &'static str) -> (&'static str, usize, usize) {
        (name, mem::size_of::<T>(), mem::align_of::<T>())
    }
    vec![
        of::<Normal<D, B>>("Normal"),
        of::<Unbounded<D, B>>("Unbounded"),
        of::<Stoptron<D, B>>("Stoptron"),
        of::<RandomBudget<D, B>>("RandomBudget"),
        of::<RemoveOldest<D, B>>("RemoveOldest"),
        of::<FixedBudget<D, B>>("FixedBudget"),
        of::<Forgetron<D, B>>("Forgetron"),
        of::<Tighter0<D, B>>("Tighter0"),
        of::<Tighter<D, B, A>>("Tighter"),
        of::<TighterFull<D, B, A>>("TighterFull"),
        of::<Tightest<D, B>>("Tightest"),
        of::<TightestCached<D, B>>("TightestCached"),
        of::<Projectron<D, B>>("Projectron"),
        of::<ProjectronPlus<D, B>>("ProjectronPlus"),
        of::<BpaS<D, B>>("BpaS"),
        of::<MergingPerceptron<D, B>>("MergingPerceptron"),
        of::<Bsgd<D, B>>("Bsgd"),
        of::<Pocketron<D, B>>("Pocketron"),
        of::<PocketronMulti<D, B, C>>("PocketronMulti"),
        of::<PocketronRare<D, B>>("PocketronRare"),
    ]
}

/// Bytes over `i8` or `i16`, by the sentence below the table: points of their own size, coefficients of two
/// bytes, a unit, and whole words.
fn whole(f32_bytes: usize, d: usize, b: usize, feature: usize) -> usize {
    (f32_bytes - b * (4 * d + 4) + b * (feature * d + 2) + 4).next_multiple_of(4)
}

#[test]
fn whole_numbers_cost_what_the_documentation_says() {
    fn check<const D: usize, const B: usize>() {
        macro_rules! sizes {
            ($($alias:ident),*) => { $(
                let f32_bytes = mem::size_of::<$alias<D, B>>();
                let found = mem::size_of::<$alias<D, B, Gaussian, i8>>();
                assert_eq!(found, whole(f32_bytes, D, B, 1), "{} {D} {B}", stringify!($alias));
                let found = mem::size_of::<$alias<D, B, Gaussian, i16>>();
                assert_eq!(found, whole(f32_bytes, D, B, 2), "{} {D} {B}", stringify!($alias));
            )* };
        }
        sizes!(
            Unbounded,
            Stoptron,
            RandomBudget,
            RemoveOldest,
            Forgetron,
            Tightest,
            TightestCached
        );
        let cached = mem::size_of::<TightestCached<D, B>>();
        let half = mem::size_of::<TightestCached<D, B, Gaussian, f32, u16>>();
        assert_eq!(half, (cached - 2 * B * B).next_multiple_of(4));
        let merging = mem::size_of::<MergingPerceptron<D, B>>();
        let found = mem::size_of::<MergingPerceptron<D, B, i8>>();
        assert_eq!(found, whole(merging, D, B, 1));
        let alone = mem::size_of::<MergingPerceptron<D, B, i8>>();
        let scaled = mem::size_of::<Standardized<MergingPerceptron<D, B, i8>, D>>();
        assert_eq!(scaled, alone + 8 * D + 4);
    }
    check::<2, 20>();
    check::<3, 7>();
    check::<16, 100>();
}

fn assert_documented<const D: usize, const B: usize, const A: usize>() {
    let table = documented();
    let shape = Shape { d: D, b: B, a: A };
    let measured = measured::<D, B, A>();
    assert_eq!(table.len(), measured.len(), "rows of the table");
    for (name, size, align) in measured {
        let formula = table
            .get(name)
            .unwrap_or_else(|| panic!("{name} is not in the table"));
        assert_eq!(
            size,
            Formula::value(formula, shape).next_multiple_of(4),
            "{name}: {formula}, {shape:?}"
        );
        assert_eq!(align, 4, "{name}");
    }
}

#[test]
fn every_learner_has_the_bytes_that_its_documentation_states() {
    assert_documented::<1, 1, 1>();
    assert_documented::<2, 20, 40>();
    assert_documented::<3, 7, 5>();
    assert_documented::<13, 33, 17>();
    assert_documented::<64, 100, 3>();
}

#[test]
fn rules_of_every_class_cost_what_the_documentation_says() {
    use pocketron::learners::continual::{AllViolating, AnnealedSteps};
    type Alone = PocketronMulti<7, 30, C, AllViolating<AnnealedSteps<35, 3>, C>>;
    let top = mem::size_of::<PocketronMulti<7, 30, C>>();
    assert_eq!(mem::size_of::<Alone>(), top + 8 * C - 8);
}

#[test]
fn every_name_is_in_the_table() {
    let aliases = include_str!("../../../src/learners/named.rs").lines();
    let aliases = aliases.filter_map(|line| line.strip_prefix("pub type "));
    let types = include_str!("../../../src/learners/default.rs").lines();
    let types = types.filter_map(|line| line.strip_prefix("pub struct "));
    let names = aliases.chain(types);
    let mut names: Vec<_> = names.filter_map(|line| line.split('<').next()).collect();
    names.push("Normal");
    let table = documented();
    assert_eq!(names.len(), table.len());
    assert!(
        names.iter().all(|name| table.contains_key(name)),
        "{names:?} {table:?}"
    );
}

/// No padding and no unused field: what the type promises to a small memory.
#[test]
fn a_stoptron_slot_is_a_point_and_a_coefficient() {
    fn slot<const D: usize, const B: usize, const NEXT: usize>() -> usize {
        assert_eq!(NEXT, B + 1);
        mem::size_of::<Stoptron<D, NEXT>>() - mem::size_of::<Stoptron<D, B>>()
    }
    assert_eq!(slot::<1, 1, 2>(), 8);
    assert_eq!(slot::<2, 16, 17>(), 12);
    assert_eq!(slot::<3, 63, 64>(), 16);
    assert_eq!(slot::<17, 100, 101>(), 72);
}

#[test]
fn another_kernel_changes_the_constant_by_its_own_size() {
    type Cubic = KernelPerceptron<Polynomial, NoBudget, Inline<3, 9>>;
    type Plain = KernelPerceptron<pocketron::kernel::LinearKernel, NoBudget, Inline<3, 9>>;
    let gaussian = mem::size_of::<Unbounded<3, 9>>();
    assert_eq!(mem::size_of::<Cubic>(), gaussian - 4 + 12);
    assert_eq!(mem::size_of::<Plain>(), gaussian - 4);
}

#[test]
fn formulas_are_read_as_they_are_written() {
    let shape = Shape { d: 3, b: 5, a: 7 };
    assert_eq!(Formula::value("B (4 D + 4) + 8", shape), 5 * 16 + 8);
    assert_eq!(Formula::value("4 * B^2 + A (D + 12)", shape), 100 + 7 * 15);
    assert_eq!(Formula::value("B (4 D + 20 + 4 B) + 8", shape), 5 * 52 + 8);
}

#[test]
fn histories_cost_what_their_table_says() {
    use pocketron::history::{
        Averaged, Last, LongestSurvivor, Prefixes, RandomHypothesis, UnitNorm, Voted, Voters,
    };
    use pocketron::storage::Inline;

    fn of<const D: usize, const B: usize, const V: usize>() {
        type Primal<const D: usize> = [f32; D];
        assert_eq!(size_of::<Last>(), 0);
        assert_eq!(size_of::<LongestSurvivor<Primal<D>>>(), 4 * D + 12);
        assert_eq!(size_of::<LongestSurvivor<u32>>(), 16);
        assert_eq!(
            size_of::<Voted<Voters<Primal<D>, V>>>(),
            V * (4 * D + 4) + 8
        );
        assert_eq!(size_of::<Voted<Prefixes<Inline<D, B>>>>(), 4 * B + 4);
        assert_eq!(size_of::<Averaged<Option<Primal<D>>>>(), 4 * D + 8);
        assert_eq!(size_of::<Averaged<[f32; B]>>(), 4 * B + 4);
        assert_eq!(size_of::<RandomHypothesis<Primal<D>>>(), 4 * D + 20);
        assert_eq!(size_of::<RandomHypothesis<u32>>(), 24);
        assert_eq!(size_of::<Averaged<[f32; B], UnitNorm>>(), 4 * B + 8);
    }
    of::<1, 1, 1>();
    of::<3, 20, 5>();
    of::<17, 33, 64>();
}

const BATCH: &str = include_str!("../../../src/learners/batch.rs");

/// `N` stands where budgets have `B`, `R` where reservoirs have `A`.
fn batch_formula(name: &str, shape: Shape) -> usize {
    let rows = BATCH.lines().filter(|line| line.starts_with("//! | [`"));
    let mut cells = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    let named = |cells: &Vec<&str>| cells[1].split('`').nth(1) == Some(name);
    let cells = cells
        .find(named)
        .unwrap_or_else(|| panic!("{name} is not in the table"));
    let formula = cells[3].split('`').nth(1).expect("a formula");
    Formula::value(&formula.replace('N', "B").replace('R', "A"), shape)
}

#[test]
fn batch_learners_have_the_bytes_that_their_documentation_states() {
    use pocketron::learners::batch::{
        AdaBoost, AveragedPerceptron, Ensemble, LeastSquaresDescent, Pocket, RandomPerceptron,
        Ranges, Rcd, Replay, ReweightedAverage, ReweightedPocket, Scratch,
    };

    fn of<const D: usize, const N: usize, const R: usize>() {
        let shape = Shape { d: D, b: N, a: R };
        let stated = |name| batch_formula(name, shape);
        assert_eq!(size_of::<Rcd<D>>(), stated("Rcd"));
        assert_eq!(size_of::<Pocket<D>>(), stated("Pocket"));
        assert_eq!(size_of::<RandomPerceptron<D>>(), stated("RandomPerceptron"));
        let averaged = size_of::<AveragedPerceptron<D>>();
        assert_eq!(averaged, stated("AveragedPerceptron"));
        assert_eq!(size_of::<ReweightedPocket<D>>(), stated("ReweightedPocket"));
        assert_eq!(
            size_of::<ReweightedAverage<D>>(),
            stated("ReweightedAverage")
        );
        let descent = size_of::<LeastSquaresDescent<D>>();
        assert_eq!(descent, stated("LeastSquaresDescent"));
        let boost = size_of::<AdaBoost<Rcd<D>, D, R>>() - size_of::<Rcd<D>>();
        assert_eq!(boost, stated("AdaBoost"));
        assert_eq!(size_of::<Ensemble<D, R>>(), stated("Ensemble"));
        assert_eq!(size_of::<Replay<D, N>>(), stated("Replay"));
        assert_eq!(size_of::<Ranges<D>>(), stated("Ranges"));
        assert_eq!(size_of::<Scratch<N>>(), stated("Scratch"));
        assert_eq!(align_of::<Replay<D, N>>(), 4);
    }
    of::<1, 2, 1>();
    of::<4, 200, 8>();
    of::<17, 33, 50>();
}
