//! A flash with anything in it, saves, and power that fails in the middle of any of them.

use pocketron::persist::store::{SlotRing, nor_flash::ReadNorFlash};
use pocketron_testkit::flash::{SimFlash, Tear};

use crate::Input;

const SHAPE: u32 = 0x5EED_CAFE;

pub fn run(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    match input.below(4) {
        0 => Story::<4, 256, 2>::new(&mut input, 6).go_on(&mut input),
        1 => Story::<4, 256, 3>::new(&mut input, 9).go_on(&mut input),
        2 => Story::<8, 512, 2>::new(&mut input, 4).go_on(&mut input),
        _ => Story::<32, 128, 3>::new(&mut input, 6).go_on(&mut input),
    }
}

/// What happens to a flash, and what it must hold.
struct Story<const WRITE: usize, const ERASE: usize, const SLOTS: usize> {
    flash: SimFlash<WRITE, WRITE, ERASE>,
    /// Images of which one must be there: the last that was acknowledged, and those whose saves were cut off since.
    /// `None` is an empty store. Nothing is known of a flash that began with any bytes.
    possible: Option<Vec<Option<Vec<u8>>>>,
    /// Cuts since the last save that was acknowledged.
    cuts: u32,
}

/// What so many cuts in a row may leave is promised: `docs/store.md`.
const PROMISED_CUTS: u32 = 2;

impl<const WRITE: usize, const ERASE: usize, const SLOTS: usize> Story<WRITE, ERASE, SLOTS> {
    fn new(input: &mut Input<'_>, sectors: usize) -> Self {
        let how = input.byte();
        let (flash, possible) = if how & 1 == 0 {
            (SimFlash::new(sectors), Some(vec![None]))
        } else {
            let mut cells = vec![0xFF; sectors * ERASE];
            let len = 1 + input.below(255);
            let stretch = input.take(len);
            for (to, from) in cells.iter_mut().zip(stretch.iter().cycle()) {
                *to = *from;
            }
            (SimFlash::holding(cells), None)
        };
        let flash = if how & 2 == 0 {
            flash.word_by_word()
        } else {
            flash
        };
        let flash = if how & 4 == 0 {
            flash
        } else {
            flash.rewritable()
        };
        Story {
            flash,
            possible,
            cuts: 0,
        }
    }

    fn go_on(&mut self, input: &mut Input<'_>) {
        let mut steps = 0;
        while !input.is_empty() && steps < 40 {
            self.step(input);
            steps += 1;
        }
        // Whatever has happened, the store can be used.
        self.flash.reboot();
        self.look();
        self.save(b"the end");
        self.look();
    }

    fn step(&mut self, input: &mut Input<'_>) {
        match input.byte() {
            0..=99 => {
                let image = image(input);
                self.save(&image);
            }
            how @ 100..=229 => {
                let after = u64::from(input.byte()) | u64::from(how & 1) << 8;
                let tear = Tear::ALL[input.below(Tear::ALL.len())];
                let seed = u64::from(input.word());
                let image = image(input);
                self.flash.cut_after(after, tear, seed);
                self.save(&image);
                self.flash.reboot();
            }
            230..=239 => self.flash.reboot(),
            _ => {
                let at = input.word() as usize % self.flash.cells().len();
                self.flash.flip(at, input.below(8));
                // A flipped bit at rest is more than the store promises to survive: it must notice.
                self.possible = None;
            }
        }
        if self.flash.is_powered() {
            self.look();
        }
    }

    /// Saves, and notes what may be there now.
    fn save(&mut self, image: &[u8]) {
        let end = self.flash.capacity() as u32;
        let Ok(mut ring) = SlotRing::<_, SLOTS>::mount(&mut self.flash, 0..end) else {
            assert!(!self.flash.is_powered(), "a flash with power is mounted");
            return;
        };
        let fits = image.len() <= ring.capacity() as usize;
        let saved = ring.save_slice(SHAPE, image);
        if saved.is_ok() {
            assert!(fits, "a longer image than there is room for");
            self.cuts = 0;
            self.possible = Some(vec![Some(image.to_vec())]);
        } else if !self.flash.is_powered() {
            self.cuts += 1;
            if let Some(possible) = &mut self.possible {
                possible.push(Some(image.to_vec()));
            }
        } else {
            assert!(!fits, "refused although there is power and room: {saved:?}");
        }
    }

    /// What is found is one of those that may be there.
    fn look(&mut self) {
        let mut buffer = vec![0; self.flash.capacity()];
        let end = self.flash.capacity() as u32;
        let ring = SlotRing::<_, SLOTS>::mount(&mut self.flash, 0..end);
        let mut ring = ring.expect("a flash with power is mounted");
        let found = ring.load_slice(SHAPE, &mut buffer).ok();
        let found = found.map(|len| buffer[..len].to_vec());
        let Some(possible) = &mut self.possible else {
            return;
        };
        if self.cuts > PROMISED_CUTS {
            assert!(
                found.is_none() || possible.contains(&found),
                "an image that was never saved"
            );
            return;
        }
        assert!(
            possible.contains(&found),
            "{found:02x?} after {} cuts",
            self.cuts
        );
    }
}

fn image(input: &mut Input<'_>) -> Vec<u8> {
    let (len, fill) = (usize::from(input.byte()) * 3, input.byte());
    (0..len).map(|at| fill.wrapping_add(at as u8)).collect()
}
