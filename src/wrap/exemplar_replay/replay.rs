//! Exemplars are learned again in idle time.

use super::{ExemplarReplay, novelty::FARTHEST, store::Exemplar};
use crate::{
    classifier::{Edit, OnlineClassifier, RemoteModel},
    label::{Class, ClassLabel as _},
    wrap::confidence::EvidenceSource,
};

/// Passes over the exemplars after something was taught.
const ROUNDS: u16 = 5;

impl<L, const D: usize, const C: usize, const K: usize, const H: usize>
    ExemplarReplay<L, D, C, K, H>
{
    /// Replays still to be done after what was taught last.
    pub const fn pending_replays(&self) -> u16 {
        self.pending_replays
    }

    /// All exemplars are to be replayed, each as often as there are rounds.
    pub(super) fn request_replays(&mut self) {
        let total = u16::try_from(self.kept.total()).unwrap_or(u16::MAX);
        self.pending_replays = total.saturating_mul(ROUNDS);
    }
}

impl<L, const D: usize, const C: usize, const K: usize, const H: usize>
    ExemplarReplay<L, D, C, K, H>
where
    L: EvidenceSource + RemoteModel + OnlineClassifier<Input = [f32; D]>,
{
    /// Replays up to `steps` exemplars; how many were replayed. Zero: nothing is left to do. For idle time, after a block; each costs an
    /// example of `L` and `C K D` differences.
    pub fn rehearse(&mut self, steps: u16) -> u16 {
        let steps = steps.min(self.pending_replays);
        for _ in 0..steps {
            self.replay_next();
            self.pending_replays -= 1;
        }
        steps
    }

    /// Learns the next exemplar again, in turn over the classes, and measures how far it is from the others.
    fn replay_next(&mut self) {
        let places = C * K;
        let mut place = usize::from(self.next);
        for _ in 0..places {
            let (slot, class) = (place / C, place % C);
            place = if place + 1 < places { place + 1 } else { 0 };
            if let Some(exemplar) = self.kept.of(class).get(slot).copied() {
                self.learn_again(&exemplar, class);
                let nearest = self.nearest(&exemplar.query(), Some((class, slot)));
                // A lone exemplar has no distance.
                if nearest < f32::MAX {
                    self.sum += nearest.min(FARTHEST);
                    self.count = self.count.saturating_add(1);
                }
                break;
            }
        }
        self.next = place as u16;
        if self.count > 0 && usize::from(self.count) >= self.kept.total() {
            self.spacing = self.sum / f32::from(self.count);
            (self.sum, self.count) = (0.0, 0);
        }
    }

    fn learn_again(&mut self, exemplar: &Exemplar<D>, class: usize) {
        if let Some(label) = L::Label::of_class(Class(class as u8)) {
            // It was taken before, and would be again.
            let _ = self
                .learner
                .learn(&self.exponents.features(exemplar), label);
        }
    }

    /// The owner has taught enough of a class: what came before is forgotten. The exemplars are replayed in idle time.
    pub(super) fn replace_earlier(&mut self, class: usize) {
        if let Some(taught) = self.taught.get_mut(class) {
            taught.has_earlier = false;
        }
        // The default learner forgets any class that it has.
        let _ = self.learner.edit(Edit::Forget(Class(class as u8)));
        self.request_replays();
    }
}
