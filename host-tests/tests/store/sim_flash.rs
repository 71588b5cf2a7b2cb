//! The simulated flash itself.

use pocketron::persist::store::nor_flash::{NorFlash, ReadNorFlash};
use pocketron_testkit::flash::{Failure, SimFlash, Tear};

#[test]
fn the_simulated_flash_forgives_nothing() {
    type Flash = SimFlash<4, 8, 64>;
    let panics = |misuse: fn(&mut Flash) -> Result<(), Failure>| {
        let mut flash = Flash::new(2);
        flash.erase(0, 64).expect("has power");
        flash.write(0, &[0xF0; 8]).expect("is erased");
        std::panic::catch_unwind(move || misuse(&mut flash)).is_err()
    };
    assert!(!panics(|flash| flash.write(8, &[0; 56])));
    assert!(panics(|flash| flash.write(4, &[0; 8])), "off the grid");
    assert!(panics(|flash| flash.write(8, &[0; 4])), "half a word");
    assert!(panics(|flash| flash.write(0, &[0; 8])), "a word twice");
    assert!(panics(|flash| flash.write(64, &[0; 8])), "never erased");
    assert!(panics(|flash| flash.write(128, &[0; 8])), "outside");
    assert!(panics(|flash| flash.read(2, &mut [0; 4])), "off the grid");
    assert!(panics(|flash| flash.read(124, &mut [0; 8])), "outside");
    assert!(panics(|flash| flash.erase(0, 32)), "half a sector");
    assert!(panics(|flash| flash.erase(64, 192)), "outside");
    let rewrite = |byte| {
        let mut flash = Flash::new(1).rewritable();
        flash.erase(0, 64).expect("has power");
        flash.write(0, &[0xF0; 8]).expect("is erased");
        std::panic::catch_unwind(move || flash.write(0, &[byte; 8])).is_err()
    };
    assert!(!rewrite(0x30));
    assert!(rewrite(0xF1), "sets a bit");
    for tear in [
        Tear::Subset,
        Tear::Unstable,
        Tear::WeakOld,
        Tear::WeakNew,
        Tear::Unreadable,
    ] {
        let torn = move || {
            let mut flash = Flash::new(1).rewritable();
            flash.erase(0, 64)?;
            flash.write(0, &[0; 64])?;
            flash.cut_after(0, tear, 1);
            assert_eq!(flash.erase(0, 64), Err(Failure::NoPower));
            flash.reboot();
            flash.write(0, &[0xFF; 64])
        };
        let torn = std::panic::catch_unwind(torn);
        assert!(
            torn.is_err(),
            "writes into cells that are half erased: {tear:?}"
        );
    }
}
