//! A device at the other end of a line that says anything, over a flash that fails.

use pocketron::{
    device::{BoardStatus, frame, message::*},
    persist::store::nor_flash::ReadNorFlash as _,
};
use pocketron_testkit::flash::Tear;
use serde::{Serialize, Serializer, ser::SerializeTuple};

use crate::Input;
use bench::{EAGER, Flash, Line, Unit, fresh, image_of};

#[path = "../../host-tests/tests/device/bench.rs"]
#[allow(dead_code)]
mod bench;

pub fn run(bytes: &[u8]) {
    let input = &mut Input::new(bytes);
    let flash = Flash::new();
    let mut lives = 0;
    while lives < 8 {
        lives += 1;
        flash.sim.borrow_mut().reboot();
        *flash.reads_left.borrow_mut() = None;
        let mut model = fresh();
        let mut unit = flash.unit(&mut model, EAGER);
        let mut talk = Talk {
            unit: &mut unit,
            flash: &flash,
            next: 0,
        };
        talk.next = talk.identify();
        while !input.is_empty() {
            if !talk.step(input) {
                break;
            }
        }
        if input.is_empty() {
            break;
        }
    }
    // Whatever has happened to it, the flash can be mounted and written.
    flash.sim.borrow_mut().reboot();
    *flash.reads_left.borrow_mut() = None;
    assert!(flash.capacity() > 0);
    let mut model = fresh();
    let mut unit = flash.unit(&mut model, EAGER);
    let next = Talk {
        unit: &mut unit,
        flash: &flash,
        next: 0,
    }
    .identify();
    let answers = send(&mut unit, &bench::request(next, Request::Save));
    assert!(matches!(bench::read(&answers[0]).body, Reply::Saved { .. }));
}

struct Talk<'t, 'm> {
    unit: &'t mut Unit<'m>,
    flash: &'t Flash,
    next: u32,
}

fn send(unit: &mut Unit<'_>, bytes: &[u8]) -> Vec<Vec<u8>> {
    let board = BoardStatus::default();
    let answers = bytes.iter().filter_map(|byte| unit.take(*byte, &board));
    answers.collect()
}

impl Talk<'_, '_> {
    /// Whatever came before, it answers who it is; the number of its next command.
    fn identify(&mut self) -> u32 {
        // A zero ends what may have begun.
        send(self.unit, &[0]);
        let answers = send(self.unit, &bench::request(7, Request::Identify));
        assert_eq!(answers.len(), 1, "one answer to who it is");
        match bench::read(&answers[0]).body {
            Reply::Identity(identity) => identity.next,
            other => panic!("{other:?}"),
        }
    }

    /// Says something; false if that was a restart.
    fn step(&mut self, input: &mut Input<'_>) -> bool {
        match input.byte() {
            0..=149 => self.message(input),
            150..=189 => self.made_up(input),
            190..=209 => {
                let len = input.below(200);
                send(self.unit, input.take(len));
                self.next = self.identify();
            }
            210..=229 => {
                let after = u64::from(input.byte());
                let tear = Tear::ALL[input.below(Tear::ALL.len())];
                let seed = u64::from(input.word());
                self.flash.sim.borrow_mut().cut_after(after, tear, seed);
            }
            230..=239 => {
                *self.flash.reads_left.borrow_mut() = Some(input.word() % 256);
            }
            240..=247 => *self.flash.reads_left.borrow_mut() = None,
            _ => return false,
        }
        // Without power it is off.
        self.flash.sim.borrow().is_powered()
    }

    /// A request with any fields, under the right number or another.
    fn message(&mut self, input: &mut Input<'_>) {
        let number = match input.below(8) {
            0 => input.word(),
            1 => self.next.wrapping_sub(1),
            _ => self.next,
        };
        let numbers: Vec<u8> = (0..input.below(5))
            .flat_map(|_| input.number().to_le_bytes())
            .collect();
        let features = Floats(&numbers);
        let stretch = input.below(100);
        let body = match input.below(16) {
            0 => Request::Predict { features },
            1 => Request::Pull {
                offset: input.word() % 1000,
            },
            2 => Request::Pull {
                offset: input.word(),
            },
            3 => Request::Save,
            4 => Request::Load,
            5 => Request::Arm,
            6 => Request::Reset {
                token: input.word(),
            },
            7 => Request::PushBegin {
                len: input.word() % 600,
                digest: input.take(stretch % 40),
                tag: &[],
            },
            8 => Request::PushPart {
                offset: input.word() % 600,
                bytes: input.take(stretch),
            },
            9 => Request::PushEnd,
            10 => Request::Forget {
                class: input.byte(),
            },
            11 => Request::Undo,
            12 => Request::Rehearse {
                steps: input.word() as u16,
            },
            13 => Request::Class {
                class: input.byte(),
            },
            14 => self.own_image_again(input),
            _ => Request::Learn {
                class: input.below(3) as u8,
                features,
            },
        };
        self.exchange(&bench::request(number, body));
    }

    /// Pushes the image that it has, with a change; the last command of it is left to the caller.
    fn own_image_again(&mut self, input: &mut Input<'_>) -> Request<'static> {
        let mut image = image_of(self.unit.model());
        let at = input.word() as usize % image.len();
        image[at] ^= input.byte();
        crate::images::seal(&mut image);
        let len = image.len() as u32;
        self.exchange(&bench::request(self.next, Request::unsigned_push(len)));
        for (bytes, offset) in image.chunks(48).zip((0..).step_by(48)) {
            let part = Request::PushPart { offset, bytes };
            self.exchange(&bench::request(self.next, part));
        }
        Request::PushEnd
    }

    /// A frame with a right checksum around any bytes.
    fn made_up(&mut self, input: &mut Input<'_>) {
        let len = input.below(100);
        let body = Raw(input.take(len));
        let number = self.next;
        let mut buffer = [0; 400];
        let message = Message { number, body };
        let frame = frame::encode(&message, &mut buffer)
            .expect("it fits")
            .to_vec();
        self.exchange(&frame);
    }

    /// One frame, one answer; what is refused has changed nothing that is in memory.
    fn exchange(&mut self, frame: &[u8]) {
        let before = image_of(self.unit.model());
        let answers = send(self.unit, frame);
        assert_eq!(answers.len(), 1, "one answer to {frame:02x?}");
        let answer = bench::read(&answers[0]).body;
        if matches!(answer, Reply::Refused(_)) {
            let after = image_of(self.unit.model());
            assert_eq!(before, after, "changed by what was refused: {answer:?}");
        }
        if self.flash.sim.borrow().is_powered() {
            self.next = self.identify();
        }
    }
}

/// Bytes as they are, without their number.
struct Raw<'a>(&'a [u8]);

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut bytes = serializer.serialize_tuple(self.0.len())?;
        for byte in self.0 {
            bytes.serialize_element(byte)?;
        }
        bytes.end()
    }
}
