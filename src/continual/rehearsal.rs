//! Stored vectors are asked again, so that what was taught earlier is not forgotten.

use core::borrow::Borrow;

use super::{ContinualLearner, Row, Tuning, Update};
use crate::{
    memory::{Memory, PerFeature},
    point::QuantisedPoints,
};

/// Rehearsals an example.
const USUAL: u8 = 2;
/// The margin that a vector must have; one that has been merged stands for a cloud and must have more.
const MARGIN: f32 = 1.0;
const MERGED_MARGIN: f32 = 2.0;
/// How far labels must be trusted for rehearsals before the first merger, and for those of a mixed stream after it: where
/// labels are wrong, a stored vector may be, too.
const TRUST_BEFORE: f32 = 0.06;
const TRUST_AFTER: f32 = 0.9;

impl<S, M, U, const C: usize, const N: usize, T> ContinualLearner<S, M, U, C, N, T>
where
    S: PerFeature,
    M: Memory<Points: QuantisedPoints>,
    U: Update<C, N>,
    T: Tuning,
{
    /// Rehearsals that go with every example: 2 unless set otherwise.
    pub fn rehearsals(&self) -> u8 {
        self.rehearsals ^ USUAL
    }

    /// Sets the number of rehearsals that go with every example. Each costs `B` kernel evaluations. A program that is short of
    /// time sets it to zero, and calls [`rehearse`](Self::rehearse) while idle.
    pub fn set_rehearsals(&mut self, count: u8) {
        self.rehearsals = count ^ USUAL;
    }

    /// Rehearses the next `steps` stored vectors, and says how many of them were not sure enough and took a step. To be called in
    /// idle time; each step costs at most `B` kernel evaluations.
    ///
    /// When it returns zero for as many steps as there are vectors, there is nothing left to gain.
    pub fn rehearse(&mut self, steps: u16) -> u16 {
        let margin = self.margin();
        self.rehearse_of(usize::from(steps), margin, None)
    }

    /// Rehearses while an example is learned.
    ///
    /// Before the first merger vectors are examples, and every order of them profits; as long as few are stored, more of
    /// them are rehearsed for the same cost. After it those of absent classes are, and in mixed streams all if the
    /// labels are trusted.
    pub(super) fn rehearse_beside(&mut self, absent: &[bool; C]) {
        let count = usize::from(self.rehearsals());
        let len = self.vectors.len();
        if len < 2 {
            return;
        }
        let trust = self.update.trust();
        if !self.merged {
            if trust >= TRUST_BEFORE {
                let count = count * self.vectors.capacity() / len;
                self.rehearse_of(count.min(len), MARGIN, None);
            }
        } else if absent.contains(&true) {
            self.rehearse_of(count, MERGED_MARGIN, Some(absent));
        } else if trust >= TRUST_AFTER {
            self.rehearse_of(count, MARGIN, None);
        }
    }

    fn margin(&self) -> f32 {
        if self.merged { MERGED_MARGIN } else { MARGIN }
    }

    /// Asks the next vectors of these classes, or of all, for their own class; how many took a step.
    // Not generic over a closure: one copy in flash.
    #[inline(never)]
    fn rehearse_of(&mut self, count: usize, margin: f32, classes: Option<&[bool; C]>) -> u16 {
        let present = self.census.present();
        let (len, slots) = (self.vectors.len(), self.vectors.capacity());
        let (mut left, mut moved) = (count, 0);
        for _ in 0..len {
            if left == 0 {
                break;
            }
            let slot = (usize::from(self.rehearsed) + 1) % len;
            self.rehearsed = slot as u16;
            let mut row = self.vectors.row(slot);
            let class = U::owner(row.values());
            if !classes.is_none_or(|classes| classes.get(class).copied().unwrap_or(false)) {
                continue;
            }
            left -= 1;
            let point = self.vectors.point(slot);
            let scores = self.vectors.scores(&self.kernel, point.borrow());
            if let Some(steps) = self
                .update
                .rehearse(&scores, &present, class, margin, slots)
            {
                let step = Row::of(&steps, &mut self.dice);
                self.saturated |= row.mix(1.0, &step, 1.0, &mut self.dice);
                self.vectors.set_row(slot, row);
                moved += 1;
            }
        }
        moved
    }
}
