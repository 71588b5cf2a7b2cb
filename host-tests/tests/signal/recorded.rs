//! A recording behind the real driver of an accelerometer.

use std::{
    pin::pin,
    task::{Context, Poll, Waker},
};

use embedded_hal::i2c::{Error as _, ErrorKind, ErrorType, I2c, NoAcknowledgeSource, Operation};
use embedded_hal_mock::eh1::delay::NoopDelay;
use lsm303agr::{
    AccelMode, AccelOutputDataRate, AccelScale, Error, Lsm303agr, interface::I2cInterface,
    mode::MagOneShot,
};
use pocketron::{
    label::Class,
    persist::Blank,
    signal::{
        Event, FrontEnd, Motion, Teachable, Teacher, errors::ErrorCounts,
        recorded::RecordedAccelerometer,
    },
};

type Driver<B> = Lsm303agr<I2cInterface<B>, MagOneShot>;

fn started<B: I2c<Error = ErrorKind>>(bus: B, mode: AccelMode, scale: AccelScale) -> Driver<B> {
    let mut driver = Lsm303agr::new_with_i2c(bus);
    driver.init().expect("init");
    driver
        .set_accel_mode_and_odr(&mut NoopDelay, mode, AccelOutputDataRate::Hz50)
        .expect("mode");
    driver.set_accel_scale(scale).expect("scale");
    driver
}

fn milli_g<B: I2c<Error = ErrorKind>>(driver: &mut Driver<B>) -> [i32; 3] {
    let (x, y, z) = driver.acceleration().expect("a sample").xyz_mg();
    [x, y, z]
}

#[test]
fn every_sample_of_the_watch_comes_back_through_the_driver() {
    let recording = pocketron_testkit::data::recording::watch().expect("the recording");
    let samples = recording.samples_i16::<3>().expect("whole numbers");
    let bus = RecordedAccelerometer::new(samples.iter().copied());
    let mut driver = started(bus, AccelMode::HighResolution, AccelScale::G8);
    assert!(driver.accelerometer_id().expect("an answer").is_correct());
    assert!(driver.magnetometer_id().expect("an answer").is_correct());
    for (number, sample) in samples.iter().enumerate() {
        assert!(driver.accel_status().expect("a status").xyz_new_data());
        assert_eq!(
            milli_g(&mut driver),
            sample.map(i32::from),
            "sample {number}"
        );
    }
    let status = driver.accel_status().expect("a status");
    assert!(!status.xyz_new_data() && !status.xyz_overrun(), "the end");
    let last = samples.last().expect("a sample");
    assert_eq!(milli_g(&mut driver), last.map(i32::from), "stays");
}

#[test]
fn a_sample_is_as_fine_and_as_large_as_the_mode_allows() {
    let sample = [1003, -1003, 9000];
    // At 16 g a digit has 12 milli-g by the data sheet, and 8 by the driver.
    let modes = [
        (
            AccelMode::HighResolution,
            AccelScale::G2,
            [1003, -1003, 2047],
        ),
        (
            AccelMode::HighResolution,
            AccelScale::G4,
            [1002, -1002, 4094],
        ),
        (
            AccelMode::HighResolution,
            AccelScale::G8,
            [1000, -1000, 8188],
        ),
        (
            AccelMode::HighResolution,
            AccelScale::G16,
            [664, -664, 6000],
        ),
        (AccelMode::Normal, AccelScale::G2, [1000, -1000, 2044]),
        (AccelMode::Normal, AccelScale::G16, [640, -640, 5984]),
        (AccelMode::LowPower, AccelScale::G2, [992, -992, 2032]),
        (AccelMode::LowPower, AccelScale::G4, [992, -992, 4064]),
    ];
    for (mode, scale, expected) in modes {
        let mut driver = started(
            RecordedAccelerometer::new([sample].into_iter()),
            mode,
            scale,
        );
        assert_eq!(milli_g(&mut driver), expected, "{mode:?} {scale:?}");
    }
}

#[test]
fn nothing_is_measured_before_the_sensor_is_switched_on() {
    let bus = RecordedAccelerometer::new([[4, 8, 12], [16, 20, 24]].into_iter());
    let mut driver = Lsm303agr::new_with_i2c(bus);
    driver.init().expect("init");
    assert!(!driver.accel_status().expect("a status").xyz_new_data());
    assert_eq!(
        driver.acceleration().expect("registers").xyz_raw(),
        (0, 0, 0)
    );
    let rate = AccelOutputDataRate::Hz50;
    driver
        .set_accel_mode_and_odr(&mut NoopDelay, AccelMode::HighResolution, rate)
        .expect("mode");
    assert_eq!(milli_g(&mut driver), [4, 8, 12], "nothing was lost");
}

#[test]
fn what_nobody_reads_in_time_is_lost_with_an_overrun() {
    let samples = (0..10).map(|n| [n, n, n]);
    let bus = RecordedAccelerometer::new(samples);
    let driver = started(bus, AccelMode::HighResolution, AccelScale::G2);
    let mut bus = driver.destroy();
    bus.miss(3);
    let mut driver = started(bus, AccelMode::HighResolution, AccelScale::G2);
    let status = driver.accel_status().expect("a status");
    assert!(status.xyz_new_data() && status.xyz_overrun());
    assert_eq!(milli_g(&mut driver), [3; 3]);
    assert!(!driver.accel_status().expect("a status").xyz_overrun());
}

#[test]
fn nobody_answers_to_another_address() {
    let mut bus = RecordedAccelerometer::new(std::iter::empty());
    let error = bus.write(0x42, &[0]).expect_err("no such device");
    assert_eq!(
        error,
        ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address)
    );
}

/// A bus of which some transactions fail before they begin.
struct Failing<B> {
    bus: B,
    transactions: u32,
    fails: Box<dyn Fn(u32) -> Option<ErrorKind>>,
}

impl<B: ErrorType> ErrorType for Failing<B> {
    type Error = B::Error;
}

impl<B: I2c<Error = ErrorKind>> I2c for Failing<B> {
    fn transaction(
        &mut self,
        address: u8,
        operations: &mut [Operation<'_>],
    ) -> Result<(), ErrorKind> {
        self.transactions += 1;
        match (self.fails)(self.transactions) {
            Some(error) => Err(error),
            None => self.bus.transaction(address, operations),
        }
    }
}

#[test]
fn reads_that_fail_are_counted_by_kind_and_the_loop_goes_on() {
    let fails = |transaction: u32| match transaction {
        ..=6 => None, // switched on
        n if n % 50 == 0 => Some(ErrorKind::NoAcknowledge(NoAcknowledgeSource::Unknown)),
        n if n % 77 == 0 => Some(ErrorKind::ArbitrationLoss),
        n if n % 101 == 0 => Some(ErrorKind::Bus),
        n if n % 103 == 0 => Some(ErrorKind::Overrun),
        n if n % 107 == 0 => Some(ErrorKind::Other),
        _ => None,
    };
    let samples = (0..4000).map(|t| [t % 50, t % 7, 1000]);
    let bus = Failing {
        bus: RecordedAccelerometer::new(samples),
        transactions: 0,
        fails: Box::new(fails),
    };
    let mut driver = started(bus, AccelMode::HighResolution, AccelScale::G2);
    let (mut front_end, mut errors, mut windows) = (Motion::<32>::BLANK, ErrorCounts::default(), 0);
    for _ in 0..4000 {
        match driver.acceleration() {
            Ok(sample) => {
                let (x, y, z) = sample.xyz_mg();
                windows += u32::from(front_end.push(&[x, y, z].map(|axis| axis as i16)).is_some());
            }
            Err(Error::Comm(error)) => {
                errors.i2c(&error.kind());
                front_end.skip(1);
            }
            Err(_) => errors.other(),
        }
    }
    assert_eq!(errors.no_acknowledge, 80);
    assert_eq!(
        (
            errors.arbitration_loss,
            errors.bus,
            errors.overrun,
            errors.other
        ),
        (51, 39, 38, 37)
    );
    assert_eq!(front_end.quality().lost, errors.total());
    assert_eq!(front_end.quality().samples + errors.total(), 4000);
    assert!(windows > 20, "{windows}");
}

fn switch_on<B: I2c<Error = ErrorKind>>(driver: &mut Driver<B>) -> Result<(), Error<ErrorKind>> {
    driver.init()?;
    let (mode, rate) = (AccelMode::HighResolution, AccelOutputDataRate::Hz50);
    driver.set_accel_mode_and_odr(&mut NoopDelay, mode, rate)?;
    driver.set_accel_scale(AccelScale::G2)
}

/// Switching on is tried again, a reading is lost; then all is as if nothing had been.
#[test]
fn any_transaction_may_fail() {
    let kinds = [
        ErrorKind::NoAcknowledge(NoAcknowledgeSource::Data),
        ErrorKind::Bus,
        ErrorKind::ArbitrationLoss,
        ErrorKind::Overrun,
        ErrorKind::Other,
    ];
    let (mut in_the_beginning, mut later) = (0, 0);
    for failing in 0..140 {
        let kind = kinds[failing as usize % kinds.len()];
        let mut driver = Lsm303agr::new_with_i2c(Failing {
            bus: RecordedAccelerometer::new((0..120).map(|t| [t % 20, t % 7, 1000])),
            transactions: 0,
            fails: Box::new(move |n| (n == failing).then_some(kind)),
        });
        let mut errors = ErrorCounts::default();
        let mut count = |error: &Error<ErrorKind>| match error {
            Error::Comm(error) => errors.i2c(error),
            _ => errors.other(),
        };
        while switch_on(&mut driver).inspect_err(&mut count).is_err() {
            in_the_beginning += 1;
        }
        let mut device = Teacher::<Motion<32>, Teachable<12, 8, 2>>::new();
        let mut taught = 0;
        for _ in 0..100 {
            let reading = driver.acceleration().inspect_err(&mut count).map(|sample| {
                let (x, y, z) = sample.xyz_mg();
                [x, y, z].map(|axis| axis as i16)
            });
            let event = device.reading(reading, Some(Class(1))).expect("a class");
            taught += u32::from(matches!(event, Event::Teaching { .. }));
        }
        let lost = device.front_end().quality().lost;
        later += lost;
        // The sample of a single error is bridged, wherever it is.
        assert!(taught >= 4, "{taught} windows, transaction {failing} fails");
        assert_eq!(device.front_end().quality().samples + lost, 100);
        assert!(errors.total() <= 1 && lost <= errors.total(), "{errors:?}");
        let counted = match kind {
            ErrorKind::NoAcknowledge(_) => errors.no_acknowledge,
            ErrorKind::Bus => errors.bus,
            ErrorKind::ArbitrationLoss => errors.arbitration_loss,
            ErrorKind::Overrun => errors.overrun,
            _ => errors.other,
        };
        assert_eq!(counted, errors.total());
    }
    assert!(
        in_the_beginning >= 4 && later == 100,
        "{in_the_beginning} {later}"
    );
}

/// A driver in three lines, as asynchronous ones are.
async fn read_axes(bus: &mut impl embedded_hal_async::i2c::I2c) -> Option<[i16; 3]> {
    let mut bytes = [0; 6];
    bus.write_read(0x19, &[0x28 | 0x80], &mut bytes)
        .await
        .ok()?;
    let (axes, _) = bytes.as_chunks();
    let mut sample = [0; 3];
    for (axis, bytes) in sample.iter_mut().zip(axes) {
        *axis = i16::from_le_bytes(*bytes) >> 4;
    }
    Some(sample)
}

async fn switch_on_async(bus: &mut impl embedded_hal_async::i2c::I2c) {
    // 50 Hz; high resolution, 2 g.
    for (register, value) in [(0x20, 0x47), (0x23, 0x08)] {
        bus.write(0x19, &[register, value])
            .await
            .expect("an answer");
    }
}

/// What never waits is ready when it is first asked.
fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("it waits"),
    }
}

#[test]
fn an_asynchronous_driver_reads_the_same_samples() {
    let samples = (0..200).map(|t| [t % 50, -t, 1000]);
    let mut bus = RecordedAccelerometer::new(samples.clone());
    ready(switch_on_async(&mut bus));
    let (mut front_end, mut plain) = (Motion::<32>::BLANK, Motion::<32>::BLANK);
    let mut rows = 0;
    for sample in samples {
        let read = ready(read_axes(&mut bus)).expect("a sample");
        assert_eq!(read, sample);
        let (row, expected) = (front_end.push(&read), plain.push(&sample));
        assert_eq!(row, expected);
        rows += u32::from(row.is_some());
    }
    assert_eq!(rows, 11);
    let wrong = ready(embedded_hal_async::i2c::I2c::write(&mut bus, 0x42, &[0]));
    assert!(wrong.is_err());
}
