//! Votes of as many hypotheses as there are.

use pocketron::{
    history::{VoteStore, vote},
    hypothesis::Snapshots,
    persist::Blank,
};

/// Copies of all past hypotheses with their votes: what a device has no room for.
#[derive(Clone, Debug)]
pub struct AllVoters<S>(Vec<(S, u32)>);

impl<S> Blank for AllVoters<S> {
    const BLANK: Self = AllVoters(Vec::new());
}

impl<H: Snapshots> VoteStore<H> for AllVoters<H::Snapshot> {
    fn store(&mut self, hypothesis: &H, votes: u32) {
        self.0.push((hypothesis.snapshot(), votes));
    }

    fn count(&self, hypothesis: &H, current: u32, x: &H::Input) -> f32 {
        let past = self.0.iter().map(|(voter, votes)| {
            let score = hypothesis.score_at(voter, x);
            vote(*votes, score)
        });
        past.sum::<f32>() + vote(current, hypothesis.score(x))
    }
}
