//! The line to a device: what is asked arrives once, whatever the line does to it.

use std::{
    io::{Read, Write},
    ops::ControlFlow,
    os::unix::net::UnixStream,
    time::Duration,
};

use pocketron::{
    classifier::OnlineClassifier,
    device::{
        frame,
        message::{ErrorReply, Fault, Message, Reply, Request, SCHEMA, StoreErrorCode},
        self_test,
    },
};
use pocketron_cli::device::{Client, LinkError, Timeouts};

use crate::common::{
    bench::{Bench, Build, eager, image_of, taught},
    lossy::{Lossy, Mischief},
    streams::TestRng,
};

/// Three overlapping classes in a plane.
fn examples(count: usize, seed: u64) -> Vec<(u8, [f32; 2])> {
    let mut rng = TestRng::new(seed);
    let mut example = |i: usize| {
        let class = (i % 3) as u8;
        let angle = f32::from(class);
        let x = [
            angle.cos() + 0.4 * rng.normal(),
            angle.sin() + 0.4 * rng.normal(),
        ];
        (class, x)
    };
    (0..count).map(&mut example).collect()
}

fn slices(examples: &[(u8, [f32; 2])]) -> impl Iterator<Item = (u8, &[f32])> {
    examples.iter().map(|(class, x)| (*class, x.as_slice()))
}

fn connected(build: Build) -> (Client, Bench) {
    let (here, there) = UnixStream::pair().expect("a pair");
    let bench = Bench::start(there, build);
    let client = Client::connect(Box::new(here), Timeouts::default()).expect("a device");
    (client, bench)
}

fn teach(client: &mut Client, examples: &[(u8, [f32; 2])]) -> Vec<Option<bool>> {
    let mut mistakes = Vec::new();
    let result = client.learn_all(slices(examples), |taught| {
        let learned = taught.expect("a good example");
        mistakes.push(learned.map(|learned| learned.mistake));
        ControlFlow::Continue(())
    });
    result.expect("a line that works in the end");
    mistakes
}

#[test]
fn a_device_does_what_it_can_do() {
    let (mut client, bench) = connected(Build::default());
    let identity = client.identity().clone();
    assert_eq!(identity.firmware, "bench 1");
    assert_eq!((identity.features, identity.classes), (2, 3));
    assert_eq!((identity.window, identity.next), (8, 0));
    assert_eq!(client.self_test().expect("a hash"), self_test());

    let rows = examples(200, 1);
    let (some, rest) = rows.split_at(150);
    teach(&mut client, some);
    let twin = taught(slices(some));
    for (_, x) in rest {
        let found = client.predict(x).expect("a prediction");
        let (scores, class) = (twin.scores(x), twin.predict(x));
        assert_eq!(class.map(|class| class.0), Ok(found.class));
        let bits = |scores: &[f32]| {
            scores
                .iter()
                .map(|score| score.to_bits())
                .collect::<Vec<_>>()
        };
        assert_eq!(scores.map(|scores| bits(&scores)), Ok(bits(&found.scores)));
    }

    let saved = client.save().expect("room in flash");
    let status = client.status().expect("a status");
    assert_eq!((status.seen, status.saved), (150, Some(saved.sequence)));
    let pulled = client.pull(&mut |_, _| ()).expect("an image");
    assert_eq!(pulled, image_of(&twin));

    teach(&mut client, rest);
    assert_eq!(
        client.pull(&mut |_, _| ()).expect("an image"),
        image_of(&taught(slices(&rows)))
    );
    assert_eq!(client.load().expect("what was saved"), saved.sequence);
    assert_eq!(client.pull(&mut |_, _| ()).expect("an image"), pulled);
    client.reset().expect("armed by itself");
    assert_eq!(
        client.pull(&mut |_, _| ()).expect("an image"),
        image_of(&taught([]))
    );
    let pushed = client
        .push(&pulled, &mut |_, _| ())
        .expect("the right kind");
    assert!(pushed.sequence > saved.sequence);
    drop(client);
    assert_eq!(bench.finish(), pulled);
}

#[test]
fn a_refusal_reaches_whoever_asked() {
    let (mut client, _bench) = connected(Build::default());
    let refused = |result: Result<_, LinkError>| match result {
        Err(LinkError::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        refused(client.learn(3, &[0.0; 2]).map(drop)),
        ErrorReply::UnknownClass
    );
    assert_eq!(
        refused(client.learn(0, &[f32::NAN; 2]).map(drop)),
        ErrorReply::NonFinite
    );
    assert_eq!(
        refused(client.predict(&[f32::INFINITY; 2]).map(drop)),
        ErrorReply::NonFinite
    );
    assert_eq!(
        refused(client.load().map(drop)),
        ErrorReply::Store(StoreErrorCode::Empty)
    );
    assert!(matches!(
        client.learn(0, &[0.0; 3]),
        Err(LinkError::Features(3, 2))
    ));
    // The line is in order after all that.
    assert!(client.learn(0, &[0.0; 2]).is_ok());
    let bad = client.push(b"not an image", &mut |_, _| ());
    assert!(matches!(bad, Err(LinkError::Image(_))), "{bad:?}");
}

/// The same examples, over every bad line, make the same model: nothing is lost, nothing learned twice.
#[test]
fn mischief_on_the_line_changes_no_bit_of_the_model() {
    let nothing = Mischief::default();
    let bytes = Mischief {
        drop: 8,
        flip: 8,
        double: 8,
        ..nothing
    };
    let frames = Mischief {
        drop_frame: 800,
        double_frame: 800,
        ..nothing
    };
    let late = Mischief {
        hold: 200,
        ..nothing
    };
    let all = Mischief {
        drop: 5,
        flip: 5,
        double: 5,
        drop_frame: 200,
        double_frame: 200,
        hold: 100,
    };
    let rows = examples(400, 5);
    let expected = image_of(&taught(slices(&rows)));
    let (mut repeated, mut forgotten, mut damaged) = (0, 0, 0);
    let lines = [
        (bytes, nothing),
        (nothing, bytes),
        (frames, nothing),
        (nothing, frames),
        (late, late),
        (frames, frames),
        (all, all),
    ];
    for (seed, (there, back)) in (0..).zip(lines) {
        for window in [1, 3, 8] {
            let (here, end) = UnixStream::pair().expect("a pair");
            let build = Build {
                window,
                ..Build::default()
            };
            let bench = Bench::start(end, build);
            let line = Lossy::new(here, seed, there, back);
            let mut client = Client::connect(Box::new(line), eager()).expect("a device");
            let mistakes = teach(&mut client, &rows);
            assert_eq!(mistakes.len(), rows.len(), "{there:?} {back:?}");

            // The device has counted every example once, whatever was answered.
            let status = client.status().expect("a status");
            assert_eq!(status.seen as usize, rows.len(), "{there:?} {back:?}");
            assert_eq!(status.refused, 0);
            let pulled = client.pull(&mut |_, _| ()).expect("an image");
            assert!(pulled == expected, "{there:?} {back:?} window {window}");
            let pushed = client.push(&pulled, &mut |_, _| ());
            pushed.expect("its own image");
            let statistics = client.statistics();
            assert!(
                window > 1 || statistics.forgotten == 0,
                "the last answer is kept"
            );
            repeated += statistics.repeated;
            forgotten += statistics.forgotten;
            damaged += statistics.damaged;
            drop(client);
            assert!(bench.finish() == expected);
        }
    }
    // There was something to mend.
    assert!(
        repeated > 100 && forgotten > 10 && damaged > 10,
        "{repeated} {forgotten} {damaged}"
    );
}

#[test]
fn a_restart_in_the_middle_is_said_and_not_learned_around() {
    for save in [false, true] {
        let (mut client, bench) = connected(Build::default());
        let rows = examples(300, 3);
        teach(&mut client, &rows[..100]);
        if save {
            client.save().expect("room in flash");
        }
        let mut answers = 0;
        let error = client.learn_all(slices(&rows[100..]), |_| {
            answers += 1;
            if answers == 50 {
                bench.restart();
            }
            ControlFlow::Continue(())
        });
        let error = error.expect_err("a restart");
        assert!(
            matches!(error, LinkError::Restarted(Fault::Watchdog)),
            "{error}"
        );
        assert!(error.to_string().contains("watchdog"), "{error}");
    }
}

#[test]
fn a_device_that_says_nothing_is_given_up() {
    let (here, _there) = UnixStream::pair().expect("a pair");
    let timeouts = Timeouts {
        give_up: Duration::from_millis(100),
        ..eager()
    };
    let error = Client::connect(Box::new(here), timeouts)
        .err()
        .expect("silence");
    assert!(matches!(error, LinkError::Silent(_)), "{error}");
}

#[test]
fn a_line_that_is_cut_is_no_device() {
    let (here, there) = UnixStream::pair().expect("a pair");
    drop(there);
    let error = Client::connect(Box::new(here), eager())
        .err()
        .expect("no device");
    assert!(matches!(error, LinkError::Io(_)), "{error}");
}

/// Answers each request as a script says, until the line is closed.
fn scripted(
    mut end: UnixStream,
    mut answer: impl FnMut(Message<Request<'_>>) -> Vec<u8> + Send + 'static,
) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        let (mut frame, mut byte) = (Vec::new(), [0]);
        while end.read(&mut byte).is_ok_and(|count| count == 1) {
            if byte[0] != 0 {
                frame.push(byte[0]);
                continue;
            }
            if let Ok(request) = frame::decode(&mut frame)
                && end.write_all(&answer(request)).is_err()
            {
                break;
            }
            frame.clear();
        }
    })
}

fn framed(number: u32, body: Reply<'_>) -> Vec<u8> {
    let mut buffer = [0; 1024];
    let message = Message { number, body };
    frame::encode(&message, &mut buffer)
        .expect("it fits")
        .to_vec()
}

fn identity(next: u32, schema: u64) -> Reply<'static> {
    Reply::Identity(pocketron::device::message::Identity {
        schema: schema.to_le_bytes(),
        firmware: "script",
        shape: "script",
        shape_hash: 0,
        features: 1,
        classes: 2,
        model_bytes: 0,
        store_bytes: 0,
        frame: 256,
        part: 16,
        window: 4,
        next,
        fault: Fault::None,
        permissions: pocketron::device::message::Permissions::ALL,
        push_sequence: None,
    })
}

#[test]
fn another_version_of_the_protocol_is_named() {
    // An identity of another time: the same beginning, then whatever.
    #[derive(serde::Serialize)]
    enum Later {
        Identity([u8; 8], [u8; 30]),
    }
    for understood in [true, false] {
        let (here, there) = UnixStream::pair().expect("a pair");
        scripted(there, move |request| match understood {
            true => framed(request.number, identity(0, 7)),
            false => {
                let body = Later::Identity(7_u64.to_le_bytes(), [0xff; 30]);
                let message = Message {
                    number: request.number,
                    body,
                };
                frame::encode(&message, &mut [0; 256])
                    .expect("it fits")
                    .to_vec()
            }
        });
        let error = Client::connect(Box::new(here), eager())
            .err()
            .expect("a stranger");
        assert!(matches!(error, LinkError::OtherProtocol(7)), "{error}");
    }
}

#[test]
fn numbers_may_wrap_around() {
    let (here, there) = UnixStream::pair().expect("a pair");
    let mut next = u32::MAX - 5;
    let mut lost = 0;
    scripted(there, move |Message { number, body }| match body {
        Request::Identify => framed(number, identity(next, SCHEMA)),
        _ if number == next && lost % 3 == 2 => {
            lost += 1;
            Vec::new()
        }
        _ if number == next => {
            next = next.wrapping_add(1);
            lost += 1;
            framed(number, Reply::Done)
        }
        _ => framed(number, Reply::Refused(ErrorReply::OutOfOrder { next })),
    });
    let (mut session, identity) =
        pocketron_cli::device::Session::connect(Box::new(here), eager()).expect("a device");
    assert_eq!(identity.next, u32::MAX - 5);
    let mut answers = 0;
    for _ in 0..20 {
        if !session.has_room() {
            answers += usize::from(session.next_answer().expect("an answer").is_some());
        }
        session.submit(&Request::Save).expect("an open line");
    }
    while session.next_answer().expect("an answer").is_some() {
        answers += 1;
    }
    assert_eq!(answers, 20);
}

#[test]
fn a_pull_starts_over_when_the_model_changes() {
    let image = image_of(&taught(slices(&examples(60, 2))));
    let whole = image.clone();
    let (here, there) = UnixStream::pair().expect("a pair");
    let (mut generation, mut restless) = (0, 3);
    scripted(there, move |Message { number, body }| match body {
        Request::Identify => framed(number, identity(0, SCHEMA)),
        Request::Pull { offset } => {
            let offset = offset as usize;
            if offset > 30 && restless > 0 {
                (generation, restless) = (generation + 1, restless - 1);
            }
            let end = whole.len().min(offset + 16);
            let part = Reply::Part {
                generation,
                len: whole.len() as u32,
                bytes: &whole[offset..end],
            };
            framed(number, part)
        }
        _ => framed(number, Reply::Refused(ErrorReply::Unknown)),
    });
    let mut client = Client::connect(Box::new(here), eager()).expect("a device");
    assert_eq!(client.pull(&mut |_, _| ()).expect("an image"), image);
}

#[test]
fn a_serial_port_is_a_line_too() {
    let (here, there) = serial2::SerialPort::pair().expect("a pseudo-terminal");
    let bench = Bench::start(there, Build::default());
    let mut client = Client::connect(Box::new(here), eager()).expect("a device");
    let rows = examples(100, 9);
    teach(&mut client, &rows);
    assert_eq!(bench.finish(), image_of(&taught(slices(&rows))));
}
