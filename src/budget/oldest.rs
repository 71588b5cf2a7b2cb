//! First in, first out.

use super::{Admission, EvaluatedIn, Policy};
use crate::{
    kernel::Kernel,
    persist::{Blank, ImageError, Persist, Reader, Ready, Shape, Writer},
    storage::{Memory, Point, SupportSet},
};

/// Remove-oldest: overwrites the vector that came first.
///
/// The slots form a ring, so ages cost nothing but the position of the oldest.
#[derive(Clone, Copy, Debug)]
pub struct Oldest {
    slot: u32,
}

impl Oldest {
    /// A ring that starts at slot 0.
    pub const fn new() -> Self {
        Self::BLANK
    }

    /// Slot of the oldest vector of a full set.
    #[inline]
    pub(super) fn slot(&self) -> usize {
        self.slot as usize
    }

    /// Overwrites the oldest vector of a full set, which makes it the newest.
    #[inline]
    pub(super) fn overwrite<M: Memory>(
        &mut self,
        set: &mut SupportSet<M>,
        x: &Point<M>,
        coefficient: f32,
    ) -> Admission {
        let slot = self.slot();
        set.replace(slot, x, coefficient);
        self.slot = if slot + 1 < set.len() {
            self.slot + 1
        } else {
            0
        };
        Admission::Replaced(slot)
    }
}

impl Default for Oldest {
    fn default() -> Self {
        Self::new()
    }
}

crate::persist::blank!([] Oldest { slot });

impl Ready for Oldest {}

impl<K: Kernel, M: Memory> Policy<K, M> for Oldest {
    #[inline]
    fn admit(
        &mut self,
        _: &K,
        set: &mut SupportSet<M>,
        candidate: &EvaluatedIn<'_, M>,
        coefficient: f32,
    ) -> Admission {
        if set.push(candidate.x, coefficient) {
            return Admission::Inserted;
        }
        self.overwrite(set, candidate.x, coefficient)
    }
}

impl Persist for Oldest {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.name("oldest");
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.slot.save(writer);
    }

    /// It is one of the slots in use, or the first of none.
    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let slot = reader.word()?;
        if slot as usize >= reader.slots().max(1) {
            return Err(ImageError::Malformed);
        }
        reader.put(&mut self.slot, slot);
        Ok(())
    }
}
