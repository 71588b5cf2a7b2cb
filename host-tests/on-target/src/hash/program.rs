//! The frame of a program that prints hashes of streaming learners.

/// Declares such a program: its modules, and `main` over the learners that a function of `all_learners` visits.
macro_rules! parity {
    ($visit:ident) => {
        mod all_learners;
        mod hash;
        #[path = "../../../examples/platform/mod.rs"]
        #[macro_use]
        mod platform;
        #[path = "../../../examples/sensor/mod.rs"]
        mod sensor;
        #[path = "hash/streaming.rs"]
        mod streaming;

        fn demo(out: &mut impl core::fmt::Write) -> core::fmt::Result {
            let visited = all_learners::$visit(&mut streaming::Hashes(out));
            visited.map_err(|all_learners::Failed| core::fmt::Error)
        }

        run_demo!(demo);
    };
}
