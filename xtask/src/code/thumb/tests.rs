//! Encodings as the disassembler shows them.

use super::{decode::far, *};

fn of(code: &[u16]) -> Result<Walk> {
    let bytes: Vec<u8> = code.iter().flat_map(|half| half.to_le_bytes()).collect();
    walk(&bytes, 0x100, bytes.len() as u32, |address| address < 0x400)
}

fn deepest(code: &[u16]) -> u32 {
    of(code).unwrap().deepest
}

#[test]
fn branches_go_where_the_disassembler_says() {
    // 13510: f00b f93f  bl 1e792, and 24: f7ff fffe  bl 24: itself.
    assert_eq!(far(0x13510, 0xf00b, 0xf93f), 0x1e792);
    assert_eq!(far(0x24, 0xf7ff, 0xfffe), 0x24);
    // beq.w 1817a; b 100; bne 100; cbz r0, 10c
    let branch = |code: Option<Effect>| code.unwrap();
    assert_eq!(
        branch(long_effect(0x180cc, 0xf000, 0x8055)),
        Effect::Branch(0x1817a)
    );
    assert_eq!(branch(short_effect(0x100, 0xe7fe)), Effect::Jump(0x100));
    assert_eq!(branch(short_effect(0x100, 0xd1fe)), Effect::Branch(0x100));
    assert_eq!(branch(short_effect(0x100, 0xb120)), Effect::Branch(0x10c));
}

/// As assembled by LLVM.
#[test]
fn every_way_to_push_is_counted() {
    assert_eq!(
        deepest(&[0xb5f0, 0xb082]),
        20 + 8,
        "push {{r4-r7, lr}}; sub sp, #8"
    );
    assert_eq!(deepest(&[0xe92d, 0x4ff0]), 36, "push.w {{r4-r11, lr}}");
    assert_eq!(deepest(&[0xed2d, 0x8b04]), 16, "vpush {{d8, d9}}");
    assert_eq!(deepest(&[0xf84d, 0x8d04]), 4, "str r8, [sp, #-4]!");
    assert_eq!(deepest(&[0xf5ad, 0x6d80]), 1024, "sub.w sp, sp, #1024");
    assert_eq!(deepest(&[0xf2ad, 0x4d04]), 1028, "subw sp, sp, #1028");
    let composed = [0xf241, 0x0c04, 0xebad, 0x0d0c];
    assert_eq!(
        deepest(&composed),
        0x1004,
        "movw r12, #4100; sub.w sp, sp, r12"
    );
    // ldr r6, [pc, #0]; add sp, r6; the number -512
    assert_eq!(deepest(&[0x4e00, 0x44b5, 0xfe00, 0xffff]), 512);
}

#[test]
fn what_is_popped_no_longer_counts() {
    // push {r4, lr}; pop {r4, lr}; push {r4, lr}; pop {r4, pc}
    assert_eq!(deepest(&[0xb510, 0xe8bd, 0x4010, 0xb510, 0xbd10]), 8);
    // push {r4, lr}; sub sp, #8; bl 200; add sp, #8; pop {r4, pc}
    let walk = of(&[0xb510, 0xb082, 0xf000, 0xf87c, 0xb002, 0xbd10]).unwrap();
    assert_eq!(walk.calls, [(Callee::At(0x200), 16)]);
}

#[test]
fn a_far_branch_within_a_function_is_no_call() {
    // push {r4, lr}; bl 108; pop {r4, pc}; 108: sub sp, #4; pop
    let walk = of(&[0xb510, 0xf000, 0xf801, 0xbd10, 0xb081, 0xbd10]).unwrap();
    assert_eq!((walk.deepest, walk.calls.len()), (12, 0));
    // A call of itself is one.
    let walk = of(&[0xb510, 0xf7ff, 0xfffd, 0xbd10]).unwrap();
    assert_eq!(walk.calls, [(Callee::At(0x100), 8)]);
}

#[test]
fn code_after_a_return_has_the_frame_of_those_who_branch_to_it() {
    // cbz r0, 106; push {r4, lr}; pop {r4, pc}; 106: push {lr}; pop {pc}
    assert_eq!(deepest(&[0xb108, 0xb510, 0xbd10, 0xb500, 0xbd00]), 8);
    // push {r4, lr}; cbz r0, 106; pop {r4, pc}; 106: sub sp, #4; pop
    assert_eq!(deepest(&[0xb510, 0xb100, 0xbd10, 0xb081, 0xbd10]), 12);
}

#[test]
fn an_unknown_way_to_set_the_stack_pointer_is_an_error() {
    // bic.w sp, r0, #7; ldr.w sp, [r0]; msr msp, r0; mov sp, r4; add sp, r4
    for code in [
        &[0xf020, 0x0d07][..],
        &[0xf8d0, 0xd000],
        &[0xf380, 0x8808],
        &[0x46a5],
        &[0x44a5],
    ] {
        assert!(of(code).is_err(), "{code:x?}");
    }
    // cmp.w r0, #7 has no target, though it looks the same.
    assert!(of(&[0xf1b0, 0x0f07]).is_ok());
}

#[test]
fn a_branch_back_with_a_deeper_stack_is_an_error() {
    // b 10a; 102: bl 200; pop {r4-r7}; pop {r0}; 10a: push {r4-r7, lr}; b 102
    let late = [0xe003, 0xf000, 0xf87d, 0xbcf0, 0xbc01, 0xb5f0, 0xe7f9];
    assert!(of(&late).is_err(), "the call would count at depth 0");
    // push {r4-r7, lr}; 102: bl 200; b 102
    let loops = of(&[0xb5f0, 0xf000, 0xf87d, 0xe7fc]).unwrap();
    assert_eq!(loops.calls, [(Callee::At(0x200), 20)]);
}

/// As LLVM makes room for what wants to lie at multiples of 16.
#[test]
fn a_frame_that_is_aligned_takes_what_it_may_skip() {
    // push {r4-r7, lr}; add r7, sp, #12; mov r4, sp; bfc r4, #0, #4; mov sp, r4; sub.w r4, r7, #12; mov sp, r4; pop
    let frame = [
        0xb5f0, 0xaf03, 0x466c, 0xf36f, 0x0403, 0x46a5, 0xf1a7, 0x040c, 0x46a5, 0xb082,
    ];
    assert_eq!(deepest(&frame), 20 + 12);
    // The same by lsrs r4, r4, #4; lsls r4, r4, #4; and sub sp, #8 behind it
    let shifted = [0xb5f0, 0xaf03, 0x466c, 0x0924, 0x0124, 0x46a5, 0xb082];
    assert_eq!(deepest(&shifted), 20 + 12 + 8);
}

#[test]
fn calls_by_pointer_and_composed_addresses_are_seen() {
    // movw r0, #0x1235; movt r0, #1; blx r0; bx r1
    let walk = of(&[0xf241, 0x2035, 0xf2c0, 0x0001, 0x4780, 0x4708]).unwrap();
    assert_eq!(walk.calls, [(Callee::Pointer, 0), (Callee::Pointer, 0)]);
    assert_eq!(walk.constants, [0x1_1235]);
}

#[test]
fn a_return_on_a_condition_goes_on_without_it() {
    // beq 106; push {r4, lr}; pop {r4, pc}; 106: it ne; bxne lr; b 102
    assert_eq!(
        deepest(&[0xd001, 0xb510, 0xbd10, 0xbf18, 0x4770, 0xe7fa]),
        8
    );
    assert_eq!(made_conditional(0xbf04), 2, "itt eq");
    assert_eq!(made_conditional(0xbf00), 0, "nop");
}
