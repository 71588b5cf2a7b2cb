//! Orders in which the same examples are taught.

use std::fmt;

use crate::data::shuffle::permutation;

/// An order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// All classes mixed at random.
    Shuffled,
    /// One example of each class in turn.
    RoundRobin,
    /// All examples of a class, then all of the next; the whole sequence as many times.
    Blocked(u8),
    /// Two classes in turn until they are through, then the next two.
    Pairs,
}

/// The orders of the tables.
pub const ORDERS: [Order; 5] = [
    Order::Shuffled,
    Order::RoundRobin,
    Order::Blocked(1),
    Order::Blocked(2),
    Order::Pairs,
];

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::Shuffled => "shuffled",
            Order::RoundRobin => "round robin",
            Order::Blocked(1) => "blocked",
            Order::Blocked(2) => "blocked twice",
            Order::Blocked(3) => "blocked three times",
            Order::Blocked(times) => return write!(f, "blocked {times} times"),
            Order::Pairs => "pairs",
        })
    }
}

impl Order {
    /// Numbers of examples in the order in which they are taught; `seed` decides which class comes first.
    pub fn sequence(self, classes: &[u8], seed: u64) -> Vec<usize> {
        match self {
            Order::Shuffled => permutation(classes.len(), seed),
            Order::RoundRobin => in_turn(&by_class(classes, seed)),
            Order::Blocked(times) => by_class(classes, seed).concat().repeat(times.into()),
            Order::Pairs => {
                let blocks = by_class(classes, seed);
                blocks.chunks(2).flat_map(in_turn).collect()
            }
        }
    }
}

/// The examples of each class, classes in random order.
fn by_class(classes: &[u8], seed: u64) -> Vec<Vec<usize>> {
    let mut known = classes.to_vec();
    known.sort_unstable();
    known.dedup();
    let block = |class: usize| {
        let own = |example: &usize| classes[*example] == known[class];
        (0..classes.len()).filter(own).collect()
    };
    let order = permutation(known.len(), seed).into_iter();
    order.map(block).collect()
}

/// One of each block in turn, until all are through.
fn in_turn(blocks: &[Vec<usize>]) -> Vec<usize> {
    let longest = blocks.iter().map(Vec::len).max().unwrap_or(0);
    let round = |number: usize| blocks.iter().filter_map(move |block| block.get(number));
    (0..longest).flat_map(round).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five classes, one of them with fewer examples.
    const CLASSES: [u8; 14] = [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3];

    fn taught(order: Order, seed: u64) -> Vec<u8> {
        let sequence = order.sequence(&CLASSES, seed);
        sequence.iter().map(|example| CLASSES[*example]).collect()
    }

    #[test]
    fn every_order_has_each_example_as_many_times() {
        for seed in 0..20 {
            for (order, times) in ORDERS.into_iter().zip([1, 1, 1, 2, 1]) {
                let mut count = [0; CLASSES.len()];
                for example in order.sequence(&CLASSES, seed) {
                    count[example] += 1;
                }
                assert_eq!(count, [times; CLASSES.len()], "{order}");
            }
        }
    }

    #[test]
    fn a_block_holds_one_class_and_a_class_has_one_block() {
        for seed in 0..20 {
            let classes = taught(Order::Blocked(1), seed);
            let blocks = classes.chunk_by(|a, b| a == b);
            assert_eq!(blocks.count(), 5);
            let twice = taught(Order::Blocked(2), seed);
            assert_eq!(twice, [&classes[..], &classes[..]].concat());
        }
        let first: std::collections::BTreeSet<_> = (0..40)
            .map(|seed| taught(Order::Blocked(1), seed)[0])
            .collect();
        assert_eq!(first.len(), 5, "any class may come first");
    }

    #[test]
    fn a_round_has_each_class_that_is_left() {
        for seed in 0..20 {
            let classes = taught(Order::RoundRobin, seed);
            assert_eq!(classes[..5], classes[5..10]);
            let last: Vec<u8> = classes[..5].iter().copied().filter(|it| *it != 4).collect();
            assert_eq!(classes[10..], last);
        }
    }

    #[test]
    fn pairs_take_turns_and_never_come_back() {
        for seed in 0..20 {
            let mut left = taught(Order::Pairs, seed);
            for _ in 0..2 {
                let (a, b) = (left[0], left[1]);
                assert_eq!(left[..4], [a, b, a, b]);
                let both = left.iter().take_while(|it| [a, b].contains(it)).count();
                left.drain(..both);
                assert!(!left.contains(&a) && !left.contains(&b));
            }
            assert!(
                left.windows(2).all(|it| it[0] == it[1]),
                "one without a pair"
            );
        }
    }
}
