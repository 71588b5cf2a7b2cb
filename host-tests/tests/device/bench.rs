//! A device on the table: a small model, a strict flash, and somebody who talks to it.

use std::{cell::RefCell, rc::Rc};

use pocketron::{
    device::{
        Access, BoardStatus, Device, RemoteModel, Sensor, frame,
        message::{
            DeviceStatus, Floats, Identity, Learned, Message, Reply, Request, StoreErrorCode,
        },
    },
    label::Sign,
    num::rng::XorShift32,
    persist::store::{
        SlotRing, WearLimit,
        nor_flash::{ErrorType, NorFlash, ReadNorFlash},
    },
    prelude::*,
};
pub use pocketron_cli::model::image_of;
use pocketron_testkit::flash::{Failure, SimFlash};

pub const FRAME: usize = 128;
pub const KERNEL: Gaussian = Gaussian::constant(1.5);

pub type Model = Tightest<2, 8>;
pub type Unit<'m, F = Flash> = Device<'m, Model, F, 2, FRAME>;

pub fn fresh() -> Model {
    Model::new(KERNEL)
}

pub fn reset(model: &mut Model) {
    *model = fresh();
}

/// Saves whenever it is asked to.
pub const EAGER: WearLimit = WearLimit::new(0, u32::MAX);

/// Examples of two classes that no line divides.
pub fn examples(seed: u32) -> impl Iterator<Item = ([f32; 2], u8)> {
    let mut random = XorShift32::new(seed);
    let mut coordinate = move || random.below(4096) as f32 / 1024.0 - 2.0;
    std::iter::repeat_with(move || {
        let x = [coordinate(), coordinate()];
        (x, u8::from(x[0] * x[1] > 0.0))
    })
}

/// A model that was taught without any device.
pub fn taught(seed: u32, count: usize) -> Model {
    let mut model = fresh();
    for (x, class) in examples(seed).take(count) {
        teach(&mut model, &x, class);
    }
    model
}

pub fn teach(model: &mut Model, x: &[f32; 2], class: u8) {
    let label = [Sign::Neg, Sign::Pos][usize::from(class)];
    model.learn(x, label).expect("a good example");
}

// ---- Flash ----

pub type Sim = SimFlash<4, 4, 256>;

/// A strict flash of two slots that others may touch, too, and that can be made to fail.
#[derive(Clone)]
pub struct Flash {
    pub sim: Rc<RefCell<Sim>>,
    /// Reads until one fails.
    pub reads_left: Rc<RefCell<Option<u32>>>,
}

impl Flash {
    pub fn new() -> Self {
        Self::holding(Sim::new(6))
    }

    pub fn holding(sim: Sim) -> Self {
        Flash {
            sim: Rc::new(RefCell::new(sim)),
            reads_left: Rc::default(),
        }
    }

    pub fn cells(&self) -> Vec<u8> {
        self.sim.borrow().cells().to_vec()
    }

    pub fn mount(&self) -> Result<SlotRing<Flash>, StoreErrorCode> {
        let end = self.capacity() as u32;
        SlotRing::mount(self.clone(), 0..end).map_err(Into::into)
    }

    /// A device that has just been switched on.
    pub fn unit<'m>(&self, model: &'m mut Model, limit: WearLimit) -> Unit<'m> {
        reset(model);
        Unit::new(model, reset, self.mount(), limit)
    }

    /// What a device that is switched on finds.
    pub fn found(&self) -> Vec<u8> {
        let mut model = fresh();
        image_of(self.unit(&mut model, EAGER).model())
    }
}

impl ErrorType for Flash {
    type Error = Failure;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = 4;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Failure> {
        match &mut *self.reads_left.borrow_mut() {
            Some(0) => return Err(Failure::Unreadable),
            Some(left) => *left -= 1,
            None => {}
        }
        self.sim.borrow_mut().read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.sim.borrow().capacity()
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = 256;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Failure> {
        self.sim.borrow_mut().erase(from, to)
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Failure> {
        self.sim.borrow_mut().write(offset, bytes)
    }
}

// ---- Conversation ----

/// Any device at the other end of a line.
pub trait Line {
    fn take(&mut self, byte: u8, board_status: &BoardStatus) -> Option<Vec<u8>>;
}

impl<L, F, const D: usize, const FRAME: usize, const SLOTS: usize, S, A> Line
    for Device<'_, L, F, D, FRAME, SLOTS, S, A>
where
    L: RemoteModel<Input = [f32; D]>,
    F: NorFlash,
    S: Sensor<L>,
    A: Access,
{
    fn take(&mut self, byte: u8, board_status: &BoardStatus) -> Option<Vec<u8>> {
        self.receive(byte, board_status).map(<[u8]>::to_vec)
    }
}

/// Somebody who talks to a device, and numbers commands as one should.
pub struct Host<'d> {
    device: &'d mut dyn Line,
    pub board_status: BoardStatus,
    /// Number of the next command.
    pub next: u32,
}

impl<'d> Host<'d> {
    /// Asks where to begin.
    pub fn new(device: &'d mut dyn Line) -> Self {
        let mut host = Host {
            device,
            board_status: BoardStatus::default(),
            next: 0,
        };
        host.next = host.identity().next;
        host
    }

    /// Sends bytes, and returns what comes back: whole frames.
    pub fn send(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let answers = bytes
            .iter()
            .filter_map(|byte| self.device.take(*byte, &self.board_status));
        answers.collect()
    }

    /// Sends bytes that must be answered once.
    pub fn exchange(&mut self, bytes: &[u8]) -> Message<Reply<'static>> {
        let answers = self.send(bytes);
        assert_eq!(answers.len(), 1, "one answer to {bytes:02x?}: {answers:?}");
        read(&answers[0])
    }

    /// Asks under any number.
    pub fn ask(&mut self, number: u32, body: Request<'_>) -> Reply<'static> {
        let answer = self.exchange(&request(number, body));
        assert_eq!(answer.number, number, "{:?}", answer.body);
        answer.body
    }

    pub fn question(&mut self, body: Request<'_>) -> Reply<'static> {
        assert!(!body.is_command());
        self.ask(77, body)
    }

    /// Gives the next command.
    pub fn command(&mut self, body: Request<'_>) -> Reply<'static> {
        assert!(body.is_command());
        let number = self.next;
        self.next = number.wrapping_add(1);
        self.ask(number, body)
    }

    pub fn identity(&mut self) -> Identity<'static> {
        match self.question(Request::Identify) {
            Reply::Identity(identity) => identity,
            other => panic!("{other:?}"),
        }
    }

    pub fn status(&mut self) -> DeviceStatus {
        match self.question(Request::Status) {
            Reply::Status(status) => status,
            other => panic!("{other:?}"),
        }
    }

    /// Class, its score, and all scores.
    pub fn predicted(&mut self, x: &[f32]) -> (u8, f32, Vec<f32>) {
        let features = bytes_of(x);
        let features = Floats(&features);
        match self.question(Request::Predict { features }) {
            Reply::Predicted {
                class,
                score,
                scores,
                ..
            } => (class, score, scores.iter().collect()),
            other => panic!("{other:?}"),
        }
    }

    pub fn learn(&mut self, x: &[f32; 2], class: u8) -> Learned {
        match self.command(learn(&bytes_of(x), class)) {
            Reply::Learned(learned) => learned,
            other => panic!("{other:?}"),
        }
    }

    pub fn learn_all(&mut self, seed: u32, count: usize) {
        for (x, class) in examples(seed).take(count) {
            self.learn(&x, class);
        }
    }

    /// The whole image of the model.
    pub fn pull(&mut self) -> Vec<u8> {
        let mut image = Vec::new();
        loop {
            let offset = image.len() as u32;
            assert!(offset < 10_000, "no end in sight");
            match self.question(Request::Pull { offset }) {
                Reply::Part { bytes: [], len, .. } => {
                    assert_eq!(len, offset);
                    return image;
                }
                Reply::Part { bytes, .. } => image.extend(bytes),
                other => panic!("{other:?}"),
            }
        }
    }

    /// Pushes an image as far as it is taken, and returns the last answer.
    pub fn push(&mut self, image: &[u8]) -> Reply<'static> {
        match self.push_parts(image) {
            Reply::Done => self.command(Request::PushEnd),
            refused => refused,
        }
    }

    /// A push of which only the end is missing.
    pub fn push_parts(&mut self, image: &[u8]) -> Reply<'static> {
        let len = image.len() as u32;
        let begun = self.command(Request::unsigned_push(len));
        if begun != Reply::Done {
            return begun;
        }
        let part = usize::from(self.identity().part);
        for (bytes, offset) in image.chunks(part).zip((0..).step_by(part)) {
            let taken = self.command(Request::PushPart { offset, bytes });
            if taken != Reply::Done {
                return taken;
            }
        }
        Reply::Done
    }
}

/// The frame of a request.
pub fn request(number: u32, body: Request<'_>) -> Vec<u8> {
    let mut buffer = vec![0; 4096];
    let frame = frame::encode(&Message { number, body }, &mut buffer);
    frame.expect("fits").to_vec()
}

/// The message in the frame of a reply; its memory is never given back, for convenience.
pub fn read(frame: &[u8]) -> Message<Reply<'static>> {
    let (zero, frame) = frame.split_last().expect("not empty");
    assert!(*zero == 0 && !frame.contains(&0), "{frame:02x?}");
    frame::decode(frame.to_vec().leak()).expect("a reply")
}

/// A number of the kind that hosts send.
pub fn bytes_of(x: &[f32]) -> Vec<u8> {
    x.iter().flat_map(|x| x.to_le_bytes()).collect()
}

pub fn learn(features: &[u8], class: u8) -> Request<'_> {
    let features = Floats(features);
    Request::Learn { class, features }
}
