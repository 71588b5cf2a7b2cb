//! The loop of an application that a person teaches by hand.

use pocketron::{
    error::{EditError, InputError},
    label::Class,
    persist::{Blank as _, BoundedImage},
    prelude::*,
    signal::{Event, FrontEnd as _, Idle, Missing, Motion, Teachable, Teacher},
};

use crate::kept::bytes_of;

/// Windows of 16 samples, a new one every 8.
type Frontend = Motion<16>;
type Hand = Teachable<12, 16, 3>;
type Device = Teacher<Frontend, Hand>;

const A: Option<Class> = Some(Class(0));
const B: Option<Class> = Some(Class(1));

/// What a sensor gives while a class is done: three of them, and another one.
fn sample(class: usize, t: usize) -> [i16; 3] {
    let noise = |of: usize| ((t * of) % 23) as i16 - 11;
    let swing = ((t % 8) as i16 - 4) * 60;
    match class {
        0 => [noise(37), noise(11), 1000 + noise(7)],
        1 => [swing + noise(37), noise(11), 1000 + noise(7)],
        2 => [noise(37), 1000 + noise(11), swing + noise(7)],
        _ => [5 * swing + noise(37), 9 * swing, -6 * swing + noise(7)],
    }
}

/// All events of some samples.
fn run<L>(
    device: &mut Teacher<Frontend, L>,
    class: usize,
    held: Option<Class>,
    count: usize,
) -> Vec<Event>
where
    L: pocketron::classifier::RemoteModel<Input = [f32; 12]>,
{
    let event = |t| device.sample(&sample(class, t), held).expect("a class");
    (0..count)
        .map(event)
        .filter(|event| *event != Event::Nothing)
        .collect()
}

fn rest<L>(device: &mut Teacher<Frontend, L>) -> (usize, usize)
where
    L: pocketron::classifier::RemoteModel<Input = [f32; 12]>,
{
    let (mut rehearsed, mut saves) = (0, 0);
    loop {
        match device.idle() {
            Idle::Rehearsed => rehearsed += 1,
            Idle::Save => saves += 1,
            Idle::Nothing => return (rehearsed, saves),
        }
    }
}

/// Three classes, 20 seconds each, and idle time.
fn taught() -> Device {
    let mut device = Device::new();
    for class in 0..3 {
        run(&mut device, class, Some(Class(class as u8)), 400);
        run(&mut device, class, None, 1);
        rest(&mut device);
    }
    device
}

#[test]
fn no_window_has_samples_of_two_classes() {
    let presses = [
        (0, A, 45),
        (1, B, 16),
        (0, None, 30),
        (0, A, 60),
        (2, Some(Class(2)), 40),
    ];
    let mut device = Device::new();
    let mut expected = Hand::new();
    for (class, held, count) in presses {
        run(&mut device, class, held, count);
        // Each press alone, through a front end of its own.
        let mut front_end = Frontend::BLANK;
        for t in 0..count {
            if let (Some(features), Some(held)) = (front_end.push(&sample(class, t)), held) {
                expected.learn(&features, held).expect("good");
            }
        }
    }
    assert!(bytes_of(device.model()) == bytes_of(&expected));
    assert_eq!(expected.learner().taught(Class(0)), 4 + 6);
}

#[test]
fn a_block_is_reported_when_the_button_is_released_or_another_one_pressed() {
    let mut device = Device::new();
    let teaching = |class, windows| Event::Teaching {
        class: Class(class),
        windows,
    };
    let events = run(&mut device, 0, A, 33);
    assert_eq!(events, [1, 2, 3].map(|windows| teaching(0, windows)));
    let events = run(&mut device, 1, B, 20);
    let done = |class, windows| Event::Taught {
        class: Class(class),
        windows,
    };
    assert_eq!(events, [done(0, 3), teaching(1, 1)]);
    assert_eq!(run(&mut device, 1, None, 3), [done(1, 1)]);
    // Too short a press.
    assert_eq!(run(&mut device, 0, A, 15), []);
    let before = bytes_of(device.model());
    assert_eq!(run(&mut device, 0, None, 1), [done(0, 0)]);
    assert!(bytes_of(device.model()) == before);
}

#[test]
fn a_lost_sample_is_counted_and_the_loop_goes_on() {
    let mut device = Device::new();
    let mut windows = 0;
    for t in 0..100 {
        let reading = match t {
            10 | 11 | 40 | 41 => Err("bus"),
            _ => Ok(sample(0, t)),
        };
        if let Event::Teaching {
            windows: so_far, ..
        } = device.reading(reading, A).expect("a class")
        {
            windows = so_far;
        }
    }
    // 28 samples between the errors are two windows, 58 behind them are six.
    assert_eq!(windows, 2 + 6);
    let quality = device.front_end().quality();
    assert_eq!((quality.samples, quality.lost), (96, 4));
    let released = device.reading::<&str>(Err("bus"), None);
    let block = Event::Taught {
        class: Class(0),
        windows: 8,
    };
    assert_eq!(released, Ok(block), "the button is seen without a sample");
}

#[test]
fn idle_time_rehearses_then_says_once_to_save() {
    let mut device = Device::new();
    assert_eq!(device.idle(), Idle::Nothing);
    run(&mut device, 0, A, 60);
    assert_eq!(device.idle(), Idle::Nothing, "while the button is held");
    run(&mut device, 0, None, 1);
    // Six windows, of which all are kept.
    assert_eq!(rest(&mut device), (30, 1));
    assert_eq!(rest(&mut device), (0, 0));
    let before = bytes_of(device.model());
    run(&mut device, 0, None, 100);
    assert_eq!(rest(&mut device), (0, 0), "asking changes nothing");
    assert!(bytes_of(device.model()) == before);
    run(&mut device, 1, B, 24);
    run(&mut device, 1, None, 1);
    assert_eq!(rest(&mut device), (5 * 8, 1));
    device.forget(Class(0)).expect("it can");
    assert_eq!(rest(&mut device).1, 1);
}

#[test]
fn a_save_that_failed_is_asked_for_again() {
    let mut device = Device::new();
    run(&mut device, 0, A, 60);
    run(&mut device, 0, None, 1);
    assert_eq!(rest(&mut device), (30, 1));
    device.save_failed();
    for _ in 0..100 {
        assert_eq!(device.idle(), Idle::Nothing);
    }
    assert_eq!(device.idle(), Idle::Save);
    assert_eq!(rest(&mut device), (0, 0), "said once more");
    // What is taught meanwhile is saved at once.
    device.save_failed();
    run(&mut device, 1, B, 24);
    run(&mut device, 1, None, 1);
    assert_eq!(rest(&mut device), (5 * 8, 1));
    // What is loaded is in flash.
    device.save_failed();
    let bytes = bytes_of(&device);
    crate::kept::restore(&mut device, &bytes).expect("its own image");
    assert!((0..1000).all(|_| device.idle() != Idle::Save));
}

/// One pass over the vectors gives both.
#[test]
fn the_class_of_an_answer_is_that_of_a_prediction() {
    use pocketron::classifier::RemoteModel as _;
    let device = taught();
    let mut front_end = Frontend::BLANK;
    let mut asked = 0;
    for class in 0..4 {
        for t in 0..100 {
            if let Some(features) = front_end.push(&sample(class, t)) {
                let confidence = device.model().confidence(&features).expect("good");
                let predicted = device.model().predict(&features).expect("good");
                assert_eq!(confidence.class, Some(predicted));
                asked += 1;
            }
        }
    }
    assert!(asked > 40);
}

#[test]
fn it_says_what_is_missing() {
    let mut device = Device::new();
    let missing = |device: &mut Device| run(device, 0, None, 17).pop();
    let (first, second) = (Missing::FirstClass, Missing::SecondClass);
    assert_eq!(missing(&mut device), Some(Event::NotReady(first)));
    run(&mut device, 0, A, 40);
    assert_eq!(missing(&mut device), Some(Event::NotReady(second)));
    run(&mut device, 1, B, 40);
    rest(&mut device);
    assert!(matches!(
        missing(&mut device),
        Some(Event::Known { .. } | Event::Unknown)
    ));
    device.forget(Class(0)).expect("it can");
    assert_eq!(missing(&mut device), Some(Event::NotReady(second)));
}

#[test]
fn what_was_taught_is_known_and_another_movement_is_not() {
    let mut device = taught();
    for class in 0..3 {
        let events = run(&mut device, class, None, 200);
        let is_right = |event: &&Event| matches!(event, Event::Known { class: found, probability: Some(_) } if found.0 == class as u8);
        let right = events.iter().filter(is_right).count();
        assert!(right * 10 >= events.len() * 8, "{class}: {events:?}");
        let recall = device.recall(Class(class as u8)).expect("it can tell");
        assert!(recall.asked == 4 && recall.right >= 3, "{recall:?}");
    }
    run(&mut device, 3, A, 1);
    run(&mut device, 3, None, 1);
    let events = run(&mut device, 3, None, 200);
    assert!(
        !events.is_empty() && events.iter().all(|event| *event == Event::Unknown),
        "{events:?}"
    );
}

#[test]
fn a_class_that_there_is_not_is_refused_and_nothing_changes() {
    let mut device = taught();
    let before = bytes_of(&device);
    let refusal = device.sample(&[0; 3], Some(Class(3)));
    assert_eq!(refusal, Err(InputError::UnknownClass));
    assert!(device.forget(Class(3)).is_err());
    assert!(bytes_of(&device) == before);
    assert_eq!(device.idle(), Idle::Nothing);
}

#[test]
fn the_last_block_is_taken_back_with_its_rehearsal() {
    let mut device = Teacher::<Frontend, Undo<Hand>>::new();
    run(&mut device, 0, A, 200);
    run(&mut device, 1, B, 200);
    run(&mut device, 1, None, 1);
    rest(&mut device);
    let before = bytes_of(device.model());
    run(&mut device, 2, A, 200);
    run(&mut device, 2, None, 1);
    rest(&mut device);
    assert!(bytes_of(device.model()) != before);
    device.undo().expect("there is a block");
    assert!(bytes_of(device.model()) == before);
    assert_eq!(rest(&mut device).1, 1, "to be saved");
    assert!(device.undo().is_err(), "only one");
    // A model without undo says so.
    assert_eq!(taught().undo(), Err(EditError::Unsupported));
}

#[test]
fn windows_of_a_block_are_counted_up_to_the_largest_number() {
    let mut device = Teacher::<Motion<4>, Teachable<12, 2, 2>>::new();
    let mut last = 0;
    for t in 0..2 * 65_600 {
        let event = device.sample(&sample(1, t % 1001), A).expect("a class");
        if let Event::Teaching { windows, .. } = event {
            assert!(windows >= last);
            last = windows;
        }
    }
    assert_eq!(last, u16::MAX);
}

/// Vectors that contradict each other move for ever, and this model does not count what it owes.
#[test]
fn idle_time_ends_for_a_model_that_never_comes_to_rest() {
    type Restless = Undo<Confident<PocketronMulti<12, 16, 3>, 3>>;
    let mut device = Teacher::<Frontend, Restless>::new();
    for class in [A, B, A, B] {
        // The same movement, as two classes.
        run(&mut device, 1, class, 400);
        run(&mut device, 1, None, 1);
        let mut steps = 0;
        while device.idle() == Idle::Rehearsed {
            steps += 1;
            assert!(steps <= 512, "no end");
        }
        assert_eq!(rest(&mut device), (0, 0));
    }
}

#[test]
fn a_model_of_normal_data_says_that_it_needs_more_of_it() {
    type Watchman = Teacher<Frontend, Undo<Normal<12, 16>>>;
    const { assert!(Watchman::MAX_BYTES > 0 && <Normal<12, 16> as BoundedImage>::MAX_BYTES > 0) };
    let mut device = Watchman::new();
    let missing = |device: &mut Watchman| run(device, 0, None, 17).pop();
    assert_eq!(
        missing(&mut device),
        Some(Event::NotReady(Missing::FirstClass))
    );
    run(&mut device, 0, A, 40);
    run(&mut device, 0, None, 1);
    assert_eq!(rest(&mut device), (0, 1), "nothing to rehearse");
    assert_eq!(
        missing(&mut device),
        Some(Event::NotReady(Missing::MoreExamples))
    );
    // Anomalies cannot be taught.
    let refusal = device.sample(&[0; 3], B);
    assert_eq!(refusal, Err(InputError::UnknownClass));
    run(&mut device, 0, A, 400);
    run(&mut device, 0, None, 1);
    let share = |device: &mut Watchman, class| {
        let events = run(device, class, None, 200);
        let known = |event: &&Event| {
            matches!(
                event,
                Event::Known {
                    class: Class(0),
                    ..
                }
            )
        };
        events.iter().filter(known).count() * 100 / events.len()
    };
    assert!(share(&mut device, 0) >= 80);
    run(&mut device, 3, A, 0);
    device.front_end_mut().restart();
    assert_eq!(share(&mut device, 3), 0);
    // It is saved and taken back as the others are.
    let bytes = bytes_of(&device);
    assert!(bytes.len() <= Watchman::MAX_BYTES);
    let mut restored = Watchman::new();
    crate::kept::restore(&mut restored, &bytes).expect("its own image");
    assert!(bytes_of(&restored) == bytes);
    device.undo().expect("a block");
    assert_eq!(device.model().learner().seen(), 4);
}

/// Otherwise undo would take back the last window only.
#[test]
fn what_is_taught_after_a_load_is_a_block() {
    type Hands = Teacher<Frontend, Undo<Hand>>;
    let mut device = Hands::new();
    run(&mut device, 0, A, 200);
    run(&mut device, 0, None, 1);
    let saved = bytes_of(&device);
    // The button is held while a host loads a model.
    run(&mut device, 1, B, 100);
    crate::kept::restore(&mut device, &saved).expect("its own image");
    run(&mut device, 1, B, 100);
    assert!(bytes_of(&device) != saved);
    device.undo().expect("a block");
    assert!(bytes_of(&device) == saved, "a part of the block stays");
}

#[test]
fn overlapping_windows_are_kept_apart_by_the_hops_of_the_front_end() {
    type Dense = pocketron::signal::Windowed<
        i16,
        (
            pocketron::signal::features::PerChannel<(
                pocketron::signal::features::MeanLevel,
                pocketron::signal::features::StepLevel,
            )>,
            pocketron::signal::features::Correlations,
        ),
        3,
        16,
        4,
        12,
    >;
    let mut device = Teacher::<Dense, Hand>::new();
    for t in 0..16 + 4 * 23 {
        device.sample(&sample(0, t), A).expect("a class");
    }
    // Nine windows a turn, of which one is held out and two are kept: 24 are six, and two turns.
    assert_eq!(device.model().learner().taught(Class(0)), 24);
    let recall = device.recall(Class(0)).expect("it can tell");
    assert_eq!(
        (recall.asked, device.model().learner().exemplars(Class(0))),
        (2, 10)
    );
}
