//! Undo of the last change.

use crate::{
    classifier::{Edit, OnlineClassifier, Outcome, RemoteModel},
    error::{EditError, InputError},
    label::ClassLabel as _,
    persist::{
        self, Blank, BufferTooSmall, Convert, ImageError, Persist, Reader, Ready, Restart, Shape,
        StoredSizes, Writer,
    },
};

/// A learner that can take back the last example, or the last block of examples: it keeps a copy of itself, so it takes twice
/// the bytes of `L`, and 4 more.
///
/// ```
/// use pocketron::prelude::*;
///
/// let mut model = Undo::<PocketronMulti<1, 8, 3>>::new();
/// model.learn(&[0.0], Class(0))?;
/// model.learn(&[5.0], Class(1))?;
///
/// // A finger on the wrong button: a block of examples of the wrong class.
/// model.begin_block();
/// model.learn(&[5.1], Class(2))?;
/// model.learn(&[4.9], Class(2))?;
/// model.end_block();
/// assert!(model.undo());
/// assert_eq!(model.predict(&[5.0])?, Class(1));
/// assert!(!model.undo()); // there is only one copy
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
///
/// It predicts and learns as `L` does, bit for bit, and its image is that of `L`: what can be taken back is not in it.
///
/// It forwards all other methods of the learner inside:
///
/// ```
/// use pocketron::prelude::*;
///
/// let mut model = Undo::<Confident<PocketronMulti<1, 8, 2>, 2>>::new();
/// for n in 0..6 {
///     model.learn(&[n as f32 % 2.0 * 4.0 + n as f32 * 0.1], Class(n % 2))?;
/// }
/// model.rehearse(8)?;
/// assert_eq!(model.answer(&[4.2])?.label, Class(1));
///
/// let mut buffer = [0; 512];
/// let image = model.to_bytes(&mut buffer)?;
/// let mut restored = Undo::<Confident<PocketronMulti<1, 8, 2>, 2>>::from_bytes(image)?;
/// restored.forget(Class(1))?;
/// assert_eq!(restored.predict(&[4.2])?, Class(0));
/// assert!(restored.undo()); // forgetting can be taken back, too
/// assert_eq!(restored.predict(&[4.2])?, Class(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Undo<L> {
    learner: L,
    before: L,
    /// Whether there is something to take back.
    can_undo: bool,
    /// Whether examples belong to one block.
    in_block: bool,
    /// Whether the copy was made before this block.
    block_copied: bool,
}

impl<L: Ready> Undo<L> {
    /// Nothing learned yet.
    pub const fn new() -> Self {
        Self::BLANK
    }
}

impl<L: Ready> Default for Undo<L> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L> Undo<L> {
    /// The learner.
    pub const fn learner(&self) -> &L {
        &self.learner
    }

    /// The learner, to be configured. Examples taught to it directly cannot be taken back.
    pub const fn learner_mut(&mut self) -> &mut L {
        &mut self.learner
    }

    /// Whether there is something to take back.
    pub const fn can_undo(&self) -> bool {
        self.can_undo
    }

    /// From here on, examples are one block.
    ///
    /// The last change before the block can be taken back until the block has its first example.
    pub fn begin_block(&mut self) {
        (self.in_block, self.block_copied) = (true, false);
    }

    /// The block is complete.
    pub fn end_block(&mut self) {
        self.in_block = false;
    }

    /// Takes back the last example or block; false when there is none.
    pub fn undo(&mut self) -> bool
    where
        L: Clone,
    {
        let can_undo = self.can_undo;
        if can_undo {
            self.learner.clone_from(&self.before);
        }
        (self.can_undo, self.in_block) = (false, false);
        can_undo
    }

    /// Keeps a copy of the learner, which is about to change, unless the copy from before the block stays.
    fn before_change(&mut self)
    where
        L: Clone,
    {
        if !(self.in_block && self.block_copied) {
            self.remember();
            self.block_copied = true;
        }
    }

    fn remember(&mut self)
    where
        L: Clone,
    {
        self.before.clone_from(&self.learner);
        self.can_undo = true;
    }
}

impl<L: RemoteModel + Clone> Undo<L> {
    /// Forgets one class; the others stay. That can be taken back.
    ///
    /// # Errors
    ///
    /// When there is no such class, or `L` cannot forget one.
    pub fn forget(&mut self, class: L::Label) -> Result<(), EditError> {
        self.edit(Edit::Forget(class.class()))
    }

    /// Rehearses the next `steps` stored vectors, in idle time; says how many of them took a step.
    ///
    /// # Errors
    ///
    /// When `L` does not rehearse.
    pub fn rehearse(&mut self, steps: u16) -> Result<u16, EditError> {
        self.rehearse_steps(steps)
    }

    /// Writes the image to the front of `buffer`, and returns that part of it.
    pub fn to_bytes<'a>(&self, buffer: &'a mut [u8]) -> Result<&'a [u8], BufferTooSmall> {
        persist::to_bytes(self, buffer)
    }

    /// The model of which these bytes are the image; there is nothing to take back.
    pub fn from_bytes(image: &[u8]) -> Result<Self, ImageError>
    where
        L: Ready,
    {
        let mut model = Self::new();
        persist::restore(&mut model, &mut { image })?;
        Ok(model)
    }
}

crate::persist::blank!([L] Undo<L> { learner, before, can_undo, in_block, block_copied });

impl<L: Ready> Ready for Undo<L> {}

crate::classifier::wrapper!([L: OnlineClassifier + Clone] Undo<L> {
    learn(self, x, label, id) {
        // An example that is refused leaves the copy as it was.
        self.learner.validate(x, label, id)?;
        self.before_change();
        self.learner.learn_with_id(x, label, id)
    }
} {
    /// The copy for undo is not in the image.
    const MAX_OWN_BYTES: usize = 0;

    /// Done here, except that the learner forgets. A wrapper around keeps what it learned itself: this belongs outermost.
    fn wrapped_edit(&mut self, edit: Edit) -> Result<(), EditError>
    where
        L: RemoteModel,
    {
        match edit {
            Edit::Forget(class) => {
                // What is refused leaves the copy as it was.
                self.learner.can_forget(class)?;
                self.before_change();
                self.learner.edit(edit)?;
            }
            Edit::Undo if self.undo() => {}
            Edit::Undo => return Err(EditError::NothingToUndo),
            Edit::BeginBlock => self.begin_block(),
            Edit::EndBlock => self.end_block(),
        }
        Ok(())
    }
});

/// That, too, can be taken back.
impl<L: Restart + Clone> Restart for Undo<L> {
    fn restart(&mut self) {
        self.before_change();
        self.learner.restart();
    }
}

impl<L: Convert> Convert for Undo<L> {
    fn convert(
        &mut self,
        stored: &mut StoredSizes,
        reader: &mut Reader<'_>,
    ) -> Result<(), ImageError> {
        self.learner.convert(stored, reader)?;
        reader.put(&mut self.can_undo, false);
        reader.put(&mut self.in_block, false);
        Ok(())
    }
}

impl<L: Persist> Persist for Undo<L> {
    fn shape(&self, shape: &mut Shape<'_>) {
        self.learner.shape(shape);
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.learner.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.learner.load(reader)?;
        reader.put(&mut self.can_undo, false);
        reader.put(&mut self.in_block, false);
        Ok(())
    }
}
