//! The role of an example.

/// Examples of a class that are kept before one is held out.
const FIRST: u16 = 6;

/// Counters of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taught {
    pub examples: u16,
    /// Whether the learner still has what it had learned before.
    pub has_earlier: bool,
}

impl Taught {
    /// The number of the next example. Beyond the largest number it goes back by a turn of the [roles](Role::of), so that none lasts for ever.
    pub fn next(self, neighbours: u16) -> u16 {
        let next = self.examples.checked_add(1);
        next.unwrap_or(u16::MAX - turn(neighbours) + 1)
    }
}

/// Examples from one that is held out to the next.
const fn turn(neighbours: u16) -> u16 {
    2 * neighbours + 3
}

crate::persist::blank!([] Taught { examples, has_earlier });

/// Role of an example, and its number among those of its class with the same role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Kept(u16),
    HeldOut(u16),
    /// Learned, not kept: it overlaps with one that is held out.
    Beside,
}

impl Role {
    /// Of the `n`th example of a class, of which that many on either side overlap with it: six are kept, then, over and over, one is held out in
    /// the middle of its neighbours, and two are kept.
    pub fn of(n: u16, neighbours: u16) -> Self {
        let Some(later) = n.checked_sub(FIRST) else {
            return Role::Kept(n);
        };
        let every = turn(neighbours);
        let (round, place) = (later / every, later % every);
        let kept = FIRST + 2 * round;
        if place == 0 {
            Role::Kept(kept)
        } else if place == neighbours + 1 {
            Role::HeldOut(round + 1)
        } else if place + 1 == every {
            Role::Kept(kept + 1)
        } else {
            Role::Beside
        }
    }
}
