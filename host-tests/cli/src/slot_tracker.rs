//! Rows of a file by the slots that store them.

use pocketron::budget::Admission;

/// Follows admissions, so that support vectors can be named by their rows.
#[derive(Clone, Debug, Default)]
pub struct SlotTracker {
    /// Row and time of insertion of each slot.
    slots: Vec<(usize, usize)>,
    clock: usize,
}

impl SlotTracker {
    /// Row `row` was learned with this result.
    pub fn follow(&mut self, row: usize, admission: Admission) {
        self.clock += 1;
        let newcomer = (row, self.clock);
        match admission {
            Admission::Inserted => self.slots.push(newcomer),
            Admission::Replaced(slot) => self.slots[slot] = newcomer,
            Admission::Shifted(slot) => {
                self.slots.remove(slot);
                self.slots.push(newcomer);
            }
            Admission::Merged {
                freed: Some(slot), ..
            } => {
                self.slots.remove(slot);
                self.slots.push(newcomer);
            }
            Admission::Merged { freed: None, .. }
            | Admission::Joined(_)
            | Admission::Absorbed
            | Admission::Refused
            | Admission::Exhausted => {}
        }
    }

    /// Slots from the oldest to the newest.
    pub fn by_age(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.slots.len()).collect();
        order.sort_by_key(|&slot| self.slots[slot].1);
        order
    }

    /// Slots in the order of their rows.
    pub fn by_row(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.slots.len()).collect();
        order.sort_by_key(|&slot| self.slots[slot].0);
        order
    }

    /// Row in `slot`.
    pub fn row(&self, slot: usize) -> usize {
        self.slots[slot].0
    }

    /// Number of occupied slots.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether no slot is occupied.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }
}
