//! What the line may do, and signed images, as a user of the command meets them.

use pocketron::device::message::{Permission, Permissions};

use crate::{
    command::POCKETRON,
    common::{
        bench::{Build, PortBench},
        files::Scratch,
    },
};

#[test]
fn a_device_says_what_its_line_may_do_and_refuses_the_rest_by_name() {
    let device = PortBench::start(Build {
        permissions: Permissions::ASK.with(Permission::Save),
        ..Build::default()
    });
    let command = |command: &str| format!("device --port {} {command}", device.name);
    let identity = POCKETRON.printed(&command("identify"));
    assert!(identity.contains("ask, save"), "{identity}");
    assert!(!identity.contains("signed"), "{identity}");
    for (refused, group) in [
        ("reset --yes", "reset"),
        ("pull /dev/null", "pull"),
        ("undo", "teach"),
    ] {
        let said = POCKETRON.complaint(&command(refused));
        let reason = format!("the line may not do this ({group})");
        assert!(said.contains(&reason), "{refused}: {said}");
    }
    POCKETRON.printed(&command("status"));
}

#[test]
fn images_are_pushed_with_the_key_and_only_with_it() {
    let scratch = Scratch::new("device-security");
    let digits = "00112233445566778899aabbccddeeff".repeat(2);
    let key = scratch.put("key", format!("{digits}\n").as_bytes());
    let wrong = scratch.put("wrong", digits.replace('0', "1").as_bytes());
    let image = scratch.0.join("model.image");
    let (key, wrong, image) = (key.display(), wrong.display(), image.display());
    let bytes: [u8; 16] = std::array::from_fn(|byte| 0x11 * byte as u8);
    let both: &[u8; 32] = Box::leak(Box::new(std::array::from_fn(|byte| bytes[byte % 16])));
    let device = PortBench::start(Build {
        key: Some(both),
        ..Build::default()
    });
    let command = |command: &str| format!("device --port {} {command}", device.name);
    let identity = POCKETRON.printed(&command("identify"));
    assert!(identity.contains("must be signed"), "{identity}");
    POCKETRON.printed(&command(&format!("pull {image}")));
    let said = POCKETRON.complaint(&command(&format!("push {image}")));
    assert!(said.contains("--key FILE"), "{said}");
    let said = POCKETRON.complaint(&command(&format!("push {image} --key {wrong}")));
    assert!(said.contains("not signed with its key"), "{said}");
    // What the device names is not authenticated: the user may say what it must be.
    let with_number = |number| command(&format!("push {image} --key {key} --sequence {number}"));
    let said = POCKETRON.complaint(&with_number(7));
    assert!(
        said.contains("sequence number 0, not 7") && said.contains("nothing was signed"),
        "{said}"
    );
    let said = POCKETRON.printed(&with_number(0));
    assert!(said.contains("the device has become"), "{said}");
    let said = POCKETRON.complaint(&with_number(0));
    assert!(said.contains("sequence number 1, not 0"), "{said}");
    // Twice: the tool asks for the number each time.
    for _ in 0..2 {
        let said = POCKETRON.printed(&command(&format!("push {image} --key {key}")));
        assert!(said.contains("the device has become"), "{said}");
    }

    let device = PortBench::start(Build::default());
    let plain = format!("device --port {} push {image}", device.name);
    let said = POCKETRON.complaint(&format!("{plain} --key {key}"));
    assert!(said.contains("does not check signatures"), "{said}");
    POCKETRON.printed(&plain);
}
