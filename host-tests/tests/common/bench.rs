//! A device on the bench: the real handler in a thread, at the other end of a line.

use std::{
    io::{ErrorKind, Read, Write},
    os::{fd::AsRawFd, unix::net::UnixStream},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
    time::Duration,
};

use pocketron::{
    classifier::OnlineClassifier,
    device::{
        BoardStatus, Device, RemoteModel,
        message::{Fault, Permissions},
    },
    kernel::Gaussian,
    label::Class,
    learners::{MergingPerceptron, PocketronMulti, multiclass::OneVsRest},
    persist::{
        Blank,
        store::{RamFlash, SlotRing, WearLimit},
    },
    rule::MarginRule,
    wrap::Undo,
};
use pocketron_cli::device::Timeouts;
pub use pocketron_cli::model::image_of;

/// Two features, three classes, small enough to be full soon.
pub type Model = OneVsRest<MergingPerceptron<2, 8>, 3>;

/// Nothing learned.
pub fn fresh(model: &mut Model) {
    let rule = MarginRule::new(1.0).with_margin(1.0);
    *model = OneVsRest::of(&MergingPerceptron::with_rule(Gaussian::constant(2.0), rule));
}

/// The default learner as the firmware has it.
pub type Correctable = Undo<PocketronMulti<2, 20, 3>>;

/// What a model has become that was taught without a line between.
pub fn taught<'a>(examples: impl IntoIterator<Item = (u8, &'a [f32])>) -> Model {
    let mut model = Model::BLANK;
    fresh(&mut model);
    for (class, x) in examples {
        let x = x.try_into().expect("two features");
        model.learn(x, Class(class)).expect("a good example");
    }
    model
}

/// The other end of a line: reads with a bound on the wait, so that the thread can look up.
pub trait End: Read + Write + Send + 'static {
    fn bound_reads(&mut self, wait: Duration);
}

impl End for UnixStream {
    fn bound_reads(&mut self, wait: Duration) {
        self.set_read_timeout(Some(wait)).expect("a timeout");
    }
}

impl End for serial2::SerialPort {
    fn bound_reads(&mut self, wait: Duration) {
        self.set_read_timeout(wait).expect("a timeout");
    }
}

/// How the device on the bench is made.
#[derive(Clone, Copy)]
pub struct Build {
    /// Frames that it says it can hold.
    pub window: u8,
    /// Milliseconds between two saves.
    pub save_interval: u64,
    /// With a [`Correctable`] in place of a [`Model`].
    pub correctable: bool,
    /// What the line may do.
    pub permissions: Permissions,
    /// The key with which images must be signed.
    pub key: Option<&'static [u8; 32]>,
}

impl Default for Build {
    fn default() -> Self {
        Build {
            window: 8,
            save_interval: 0,
            correctable: false,
            permissions: Permissions::ALL,
            key: None,
        }
    }
}

/// A device that runs until its line is closed or [`Bench::finish`] is called.
pub struct Bench {
    restart: Arc<AtomicBool>,
    end: Arc<AtomicBool>,
    thread: Option<JoinHandle<Vec<u8>>>,
}

impl Bench {
    /// Starts a device at this end of a line.
    pub fn start(end: impl End, build: Build) -> Self {
        let (restart, ended) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        let flags = (restart.clone(), ended.clone());
        let thread = std::thread::spawn(move || {
            if build.correctable {
                let fresh = |model: &mut Correctable| *model = Correctable::BLANK;
                live(fresh, end, build, &flags.0, &flags.1)
            } else {
                live(fresh, end, build, &flags.0, &flags.1)
            }
        });
        Bench {
            restart,
            end: ended,
            thread: Some(thread),
        }
    }

    /// Pulls the plug before the next byte; the device comes back and blames its watchdog.
    pub fn restart(&self) {
        self.restart.store(true, Ordering::SeqCst);
    }

    /// Ends the device and gives the image of its model.
    pub fn finish(mut self) -> Vec<u8> {
        self.end.store(true, Ordering::SeqCst);
        let thread = self.thread.take().expect("it ends once");
        thread.join().expect("a device does not panic")
    }
}

fn live<L: RemoteModel<Input = [f32; 2]> + Blank>(
    fresh: fn(&mut L),
    mut end: impl End,
    build: Build,
    restart: &AtomicBool,
    ended: &AtomicBool,
) -> Vec<u8> {
    let mut flash = RamFlash::<16>::new();
    let mut fault = Fault::None;
    end.bound_reads(Duration::from_millis(20));
    loop {
        let mut model = L::BLANK;
        fresh(&mut model);
        let alive = one_life(
            (&mut model, fresh),
            &mut flash,
            fault,
            (&mut end, build),
            &|| restart.swap(false, Ordering::SeqCst),
            ended,
        );
        if !alive {
            return image_of(&model);
        }
        fault = Fault::Watchdog;
    }
}

/// Whether it starts again.
fn one_life<L: RemoteModel<Input = [f32; 2]>>(
    (model, fresh): (&mut L, fn(&mut L)),
    flash: &mut RamFlash<16>,
    fault: Fault,
    (end, build): (&mut impl End, Build),
    restart: &dyn Fn() -> bool,
    ended: &AtomicBool,
) -> bool {
    const { assert!(L::CLASSES == 3) };
    let store = SlotRing::<_, 2>::mount(flash, 0..16 * 1024);
    let limit = WearLimit::new(build.save_interval, 1_000_000);
    let device = Device::<_, _, 2, 256>::new(model, fresh, store.map_err(Into::into), limit);
    let device = device.with_permissions(build.permissions);
    let mut device = device.with_firmware("bench 1").with_window(build.window);
    if let Some(key) = build.key {
        device = device.with_key(key);
    }
    let begun = std::time::Instant::now();
    let mut buffer = [0; 512];
    while !ended.load(Ordering::SeqCst) {
        let count = match end.read(&mut buffer) {
            Ok(0) => return false,
            Ok(count) => count,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => 0,
            // The other side of a pseudo-terminal is not open yet, or not any more.
            Err(_) => {
                std::thread::sleep(Duration::from_millis(5));
                0
            }
        };
        if restart() {
            return true;
        }
        let board_status = BoardStatus {
            now_ms: begun.elapsed().as_millis() as u64,
            fault,
            ..BoardStatus::default()
        };
        for byte in &buffer[..count] {
            if let Some(reply) = device.receive(*byte, &board_status)
                && end.write_all(reply).is_err()
            {
                return false;
            }
        }
    }
    false
}

/// A device on the bench that other programs reach by the name of a serial port.
pub struct PortBench {
    /// The port.
    pub name: String,
    /// The device.
    pub bench: Bench,
    _port: NamedPort,
}

impl PortBench {
    /// Starts a device at a pseudo-terminal.
    pub fn start(build: Build) -> Self {
        let (end, port) = named_terminal();
        PortBench {
            name: port.name.clone(),
            bench: Bench::start(end, build),
            _port: port,
        }
    }
}

/// The end of a pseudo-terminal that has a name. While nobody has it open, the other end is as good as unplugged.
pub struct NamedPort {
    /// As other programs open it.
    pub name: String,
    _open: serial2::SerialPort,
}

/// Both ends of a pseudo-terminal.
pub fn named_terminal() -> (serial2::SerialPort, NamedPort) {
    let (a, b) = serial2::SerialPort::pair().expect("a pseudo-terminal");
    let name = |port: &serial2::SerialPort| {
        let link = format!("/proc/self/fd/{}", port.as_raw_fd());
        let path = std::fs::read_link(link).expect("an open file");
        path.display().to_string()
    };
    let (end, named) = match name(&a).contains("/pts/") {
        true => (b, a),
        false => (a, b),
    };
    let port = NamedPort {
        name: name(&named),
        _open: named,
    };
    (end, port)
}

/// Quick to send again, slow to give up.
pub fn eager() -> Timeouts {
    Timeouts {
        give_up: Duration::from_secs(20),
        first: Duration::from_millis(20),
        least: Duration::from_millis(5),
    }
}
