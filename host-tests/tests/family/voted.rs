//! The voted perceptron.

use pocketron_cli::family;

use super::traces::{json, number, numbers, single};
use crate::common::golden::Golden;

#[test]
fn the_voted_perceptron_follows_its_trace() {
    for (golden, data) in Golden::of("500_voted_poly3_T2") {
        let kernel = "poly:3".parse().expect("a kernel");
        let trace = json(family::voted(&single(&data), kernel, 2).expect("good options"));
        assert_eq!(Some(number(&trace, "mistakes") as usize), golden.mistakes);
        let sv: Vec<usize> = numbers(&trace, "sv")
            .iter()
            .map(|row| *row as usize)
            .collect();
        assert_eq!(sv, golden.sv);
        assert_eq!(
            (numbers(&trace, "sign"), numbers(&trace, "counts")),
            (golden.sign, golden.counts)
        );
    }
}
