//! Learners inside of others that watch them.

use pocketron::{
    learners::multiclass::OneVsRest,
    prelude::*,
    signal::Teachable,
    wrap::{
        ExemplarReplay,
        confidence::{Calibrated, Confident, NoveltyDetector},
        drift::{DriftMonitor, Freeze, Reset, RollBack, Snapshot},
    },
};

use super::{BUDGET, Failed, Visitor};
use crate::sensor::{FEATURES, Sensor};

type Default = Pocketron<FEATURES, BUDGET>;
type Several = PocketronMulti<FEATURES, BUDGET, CLASSES>;
type Binary = Forgetron<FEATURES, BUDGET>;

const KERNEL: Gaussian = Gaussian::constant(2.0);
const CLASSES: usize = 4;

pub(super) fn visit(visitor: &mut impl Visitor) -> Result<(), Failed> {
    visitor.visit("calibrated", Calibrated::<Default>::new(), Sensor::new())?;
    visitor.visit(
        "novelty-detector",
        NoveltyDetector::<Default>::new(),
        Sensor::new(),
    )?;
    let confident = Confident::<Default, 2>::new();
    visitor.visit("confident", confident, Sensor::new())?;
    let confident = Confident::<Several, CLASSES>::new();
    visitor.visit_classes("confident-classes", confident, Sensor::fields())?;
    let replay = ExemplarReplay::<Several, FEATURES, CLASSES, 6, 2>::new();
    visitor.visit_classes("exemplar-replay", replay, Sensor::fields())?;
    let teachable = Teachable::<FEATURES, BUDGET, CLASSES>::new();
    visitor.visit_classes("teachable", teachable, Sensor::fields())?;
    let separate = || OneVsRest::<_, CLASSES>::of(&Binary::new(KERNEL));
    let (detector, monitor) = (
        NoveltyDetector::<_, 10>::of(separate()),
        DriftMonitor::of(separate(), Reset),
    );
    visitor.visit_classes("novelty-detector-classes", detector, Sensor::fields())?;
    visitor.visit_classes("drift-monitor-classes", monitor, Sensor::fields())?;
    drifting(visitor)
}

fn drifting(visitor: &mut impl Visitor) -> Result<(), Failed> {
    let stream = Sensor::turning;
    let empty = DriftMonitor::<Default, Reset>::new();
    visitor.visit("drift-monitor-empty", empty, stream())?;
    let freeze = DriftMonitor::<Calibrated<Default>, Freeze>::new();
    visitor.visit("drift-monitor-freeze", freeze, stream())?;
    let back = DriftMonitor::<Default, RollBack<Default>>::new();
    visitor.visit("drift-monitor-roll-back", back, stream())?;
    let snapshot = DriftMonitor::<Default, Snapshot<Default, Reset>>::new();
    visitor.visit("drift-monitor-snapshot", snapshot, stream())
}
