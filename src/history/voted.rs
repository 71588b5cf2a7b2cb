//! The voted perceptron: every past hypothesis votes.

use heapless::Vec;

use super::{History, Run};
use crate::{
    budget::{Admission, AppendOnly, Guarantee, Policy},
    hypothesis::{Expansion, Snapshots},
    kernel::KernelIn,
    num::Number,
    persist::{Blank, ImageError, Persist, Reader, Shape, Writer},
    storage::{Column, Evaluated, FeatureIn, Memory, Point},
};

/// The voted perceptron: `sum_k c_k sign(f_k(x))`, each hypothesis with as many
/// votes as examples it survived.
///
/// `B` stores the votes: in the dual [`Prefixes`], one count per support vector
/// and no copy; in the primal [`Voters<W, V>`](Voters), `V` copies at most.
#[derive(Clone, Debug)]
pub struct Voted<B, const OPENING: u32 = 1> {
    vote_store: B,
    run: Run<OPENING>,
}

/// The past hypotheses of a voted perceptron with their votes: stores one when it is replaced, and counts the votes for a prediction.
pub trait VoteStore<H: Snapshots> {
    /// Stores a hypothesis that is replaced, with its votes.
    fn store(&mut self, hypothesis: &H, votes: u32);

    /// Votes for the positive side minus votes for the negative side; the
    /// present hypothesis has `current` votes.
    fn count(&self, hypothesis: &H, current: u32, x: &H::Input) -> f32;
}

impl<B, const OPENING: u32> Voted<B, OPENING> {
    /// Without votes so far.
    pub const fn with_votes(vote_store: B) -> Self {
        Voted {
            vote_store,
            run: Run::BLANK,
        }
    }

    /// The votes of past hypotheses.
    pub const fn vote_store(&self) -> &B {
        &self.vote_store
    }

    /// The votes of the present hypothesis.
    pub const fn current_votes(&self) -> u32 {
        self.run.0
    }
}

impl<H: Snapshots, B: VoteStore<H>, const OPENING: u32> History<H> for Voted<B, OPENING> {
    fn survived(&mut self) {
        self.run.survive();
    }

    fn retiring(&mut self, hypothesis: &H) {
        if self.run.0 > 0 {
            self.vote_store.store(hypothesis, self.run.0);
        }
        self.run.end();
    }

    fn moved(&mut self, _: &H, _: &Evaluated<'_, H::Input, H::Number>, _: f32, _: Admission) {
        self.run.begin();
    }

    fn score(&self, hypothesis: &H, x: &H::Input) -> f32 {
        self.vote_store.count(hypothesis, self.run.0, x)
    }
}

/// `votes` with the sign of `score`; a score of zero does not vote.
pub fn vote(votes: u32, score: f32) -> f32 {
    if score > 0.0 {
        votes as f32
    } else if score < 0.0 {
        -(votes as f32)
    } else {
        0.0
    }
}

/// At most `V` copies of past hypotheses with their votes.
///
/// When they run out, the voter with the fewest votes, the earliest on a tie,
/// makes way for a newcomer with more.
#[derive(Clone, Debug)]
pub struct Voters<S, const V: usize> {
    // The length not as `usize`: a model has the same size on a PC as on the core.
    members: Vec<(S, u32), V, u32>,
}

impl<S, const V: usize> Blank for Voters<S, V> {
    const BLANK: Self = {
        assert!(V > 0, "a voted perceptron needs a voter");
        Voters {
            members: Vec::new(),
        }
    };
}

impl<S, const V: usize> Voters<S, V> {
    /// The voters and their votes.
    pub fn members(&self) -> &[(S, u32)] {
        &self.members
    }
}

impl<H: Snapshots, const V: usize> VoteStore<H> for Voters<H::Snapshot, V> {
    fn store(&mut self, hypothesis: &H, votes: u32) {
        if !self.members.is_full() {
            let _ = self.members.push((hypothesis.snapshot(), votes));
            return;
        }
        let weakest = self.members.iter_mut().min_by_key(|(_, votes)| *votes);
        if let Some(member) = weakest.filter(|(_, record)| *record < votes) {
            *member = (hypothesis.snapshot(), votes);
        }
    }

    fn count(&self, hypothesis: &H, current: u32, x: &H::Input) -> f32 {
        let past = self.members.iter();
        let past = past.map(|(voter, votes)| vote(*votes, hypothesis.score_at(voter, x)));
        past.sum::<f32>() + vote(current, hypothesis.score(x))
    }
}

/// One count per support vector of an expansion that only appends: the
/// hypothesis with `j` vectors keeps its votes in slot `j - 1`.
///
/// A prediction needs each similarity once: the scores of all hypotheses are the
/// prefix sums of one row.
#[derive(Clone, Debug)]
pub struct Prefixes<M: Memory> {
    votes: M::Column<u32>,
}

impl<M: Memory> Prefixes<M> {
    /// Votes of the hypotheses with one vector, two vectors and so on.
    pub fn votes(&self) -> &[u32] {
        self.votes.as_slice()
    }
}

impl<K, P, M> VoteStore<Expansion<K, P, M>> for Prefixes<M>
where
    K: KernelIn<FeatureIn<M>>,
    P: Policy<K, M> + Guarantee<AppendOnly>,
    M: Memory,
{
    fn store(&mut self, hypothesis: &Expansion<K, P, M>, votes: u32) {
        let len = hypothesis.support().len();
        self.votes.ensure(len);
        let slot = len.checked_sub(1);
        if let Some(entry) = slot.and_then(|slot| self.votes.as_mut_slice().get_mut(slot)) {
            *entry = entry.saturating_add(votes);
        }
    }

    fn count(&self, hypothesis: &Expansion<K, P, M>, current: u32, x: &Point<M>) -> f32 {
        let set = hypothesis.support();
        let row = set.similarities(hypothesis.kernel(), x);
        let past = self.votes.as_slice().iter().copied();
        let past = past.chain(core::iter::repeat(0));
        let (mut score, mut count) = (0.0, 0.0);
        for ((alpha, near), votes) in set.coefficients().zip(row.as_slice()).zip(past) {
            score += alpha * near.value();
            count += vote(votes, score);
        }
        count + vote(current, score)
    }
}

crate::persist::persist!([B; const OPENING: u32] Voted<B, OPENING> as "voted" { vote_store, run });

/// The number of voters, then each of them with its votes.
impl<S: Persist + Blank, const V: usize> Persist for Voters<S, V> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("voters", |inside| {
            inside.number(V);
            S::BLANK.shape(inside);
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        writer.word(self.members.len() as u32);
        for member in &self.members {
            member.save(writer);
        }
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let taken = reader.word()?;
        if taken as usize > V {
            return Err(ImageError::Malformed);
        }
        if !reader.is_dry_run() {
            self.members.clear();
        }
        for _ in 0..taken {
            let mut member = <(S, u32)>::BLANK;
            member.load(reader)?;
            if !reader.is_dry_run() {
                self.members
                    .push(member)
                    .map_err(|_| ImageError::Malformed)?;
            }
        }
        Ok(())
    }
}

crate::persist::persist!([; M: Memory] Prefixes<M> as "prefixes" { votes });
