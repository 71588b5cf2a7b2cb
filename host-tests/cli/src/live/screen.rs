//! The picture: the signal, the classes, the answer, warnings and keys.

use pocketron::{
    classifier::RecallEstimate,
    label::Class,
    signal::{Event, Missing},
};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::{Color, Style, Stylize},
    symbols::Marker,
    text::{Line, Span},
    widgets::{Axis, Block, Chart, Dataset, GraphType, Paragraph},
};

use super::{
    source::ClassState,
    state::{SHOWN, State},
};

const COLOURS: [Color; 3] = [Color::Cyan, Color::Yellow, Color::Magenta];
/// Blocks of a whole bar.
const BAR: usize = 10;

/// Draws everything.
pub fn draw(frame: &mut Frame<'_>, state: &State) {
    let warnings = state.warnings();
    let heights = [
        Constraint::Length(1),
        Constraint::Min(6),
        Constraint::Length(3),
        Constraint::Length(1),
        Constraint::Length(warnings.len().min(4) as u16),
        Constraint::Length(1),
    ];
    let [head, middle, answer, message, notes, keys] =
        Layout::vertical(heights).areas(frame.area());
    let widths = [Constraint::Fill(1), Constraint::Length(46)];
    let [signal, classes] = Layout::horizontal(widths).areas(middle);
    frame.render_widget(header(state), head);
    draw_signal(frame, state, signal);
    draw_classes(frame, state, classes);
    frame.render_widget(
        Paragraph::new(answer_line(state)).block(Block::bordered()),
        answer,
    );
    frame.render_widget(Line::from(state.message.as_str()), message);
    let lines = warnings.iter().take(4);
    let lines: Vec<_> = lines
        .map(|text| Line::from(format!("! {text}")).yellow())
        .collect();
    frame.render_widget(Paragraph::new(lines), notes);
    let help = "1-9 teach (hold or press)  u undo  f forget  s save  r record  q quit";
    frame.render_widget(Line::from(help).dim(), keys);
}

fn header(state: &State) -> Line<'_> {
    let sensor = &state.sensor;
    let mut spans = vec![Span::from(format!(
        " {}  {:.0} Hz",
        sensor.name, sensor.rate
    ))];
    // What changes is on the left: a narrow terminal cuts the line.
    if state.is_recording {
        spans.push("  recording".red());
    }
    if state.is_rehearsing {
        spans.push("  rehearsing".dim());
    } else if state.is_unsaved {
        spans.push("  not saved".yellow());
    }
    let mut text = format!("  {} lost", state.quality.lost);
    if let Some(wear) = state.wear {
        text += &format!("  {wear} erases");
    }
    text += &format!("  {} bytes of RAM", sensor.bytes);
    spans.push(text.into());
    Line::from(spans)
}

fn draw_signal(frame: &mut Frame<'_>, state: &State, area: Rect) {
    let strips = state.sensor.channels.len().max(1);
    let rows = Layout::vertical(vec![Constraint::Fill(1); strips]).split(area);
    for (channel, row) in rows.iter().enumerate() {
        let points: Vec<(f64, f64)> = state
            .samples
            .iter()
            .enumerate()
            .filter_map(|(at, sample)| Some((at as f64, f64::from(*sample.get(channel)?))))
            .collect();
        let values = points.iter().map(|(_, value)| *value);
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let high = values.fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if low < high {
            (low, high)
        } else {
            (low - 1.0, low + 1.0)
        };
        let bounds = if low.is_finite() {
            [low, high]
        } else {
            [0.0, 1.0]
        };
        let colour = COLOURS[channel % COLOURS.len()];
        let line = Dataset::default()
            .marker(Marker::Braille)
            .graph_type(GraphType::Line)
            .style(Style::new().fg(colour))
            .data(&points);
        let name = state.sensor.channels.get(channel);
        let title = format!(
            " {} {:.0} to {:.0} in {:.0} s ",
            name.map_or("", String::as_str),
            bounds[0],
            bounds[1],
            SHOWN as f64 / state.sensor.rate
        );
        let chart = Chart::new(vec![line])
            .block(Block::bordered().title(title))
            .x_axis(Axis::default().bounds([0.0, SHOWN as f64]))
            .y_axis(Axis::default().bounds(bounds));
        frame.render_widget(chart, *row);
    }
}

fn draw_classes(frame: &mut Frame<'_>, state: &State, area: Rect) {
    // A device does not say how many windows it keeps.
    let says_kept = state.classes.iter().any(|class| class.kept.is_some());
    let kept = if says_kept { "kept " } else { "" };
    let heading = format!("  class      answers    taught {kept} recall");
    let mut lines = vec![Line::from(heading).dim()];
    for (index, class) in state.classes.iter().enumerate() {
        let number = Class(index as u8);
        let name: String = state.name_of(number).chars().take(10).collect();
        // By the stored vectors, each without itself: another measure, and marked as one.
        let mark = match class.recall.kind {
            RecallEstimate::LeaveOneOut => "*",
            RecallEstimate::HeldOut => "",
        };
        let recall = match class.recall.asked {
            0 => "-".into(),
            asked => format!("{}/{asked}{mark}", class.recall.right),
        };
        let kept = class.kept.filter(|_| says_kept);
        let kept = kept.map_or(String::new(), |kept| format!("{kept:>4} "));
        let text = format!(
            "{} {name:10} {} {:6} {kept}{recall:>7}",
            index + 1,
            bar(state.share(Some(number))),
            class.windows
        );
        let line = Line::from(text);
        lines.push(if state.teaching == Some(number) {
            line.red().bold()
        } else {
            line
        });
    }
    lines.push(Line::from(format!(
        "  {:10} {}",
        "unknown",
        bar(state.share(None))
    )));
    let is_leave_one_out = |class: &ClassState| {
        class.recall.asked > 0 && class.recall.kind == RecallEstimate::LeaveOneOut
    };
    let title = match state.classes.iter().any(is_leave_one_out) {
        true => " windows: recall held out, * leave-one-out ",
        false => " windows: recall of those held out ",
    };
    frame.render_widget(
        Paragraph::new(lines).block(Block::bordered().title(title)),
        area,
    );
}

fn bar(share: f64) -> String {
    let filled = (share.clamp(0.0, 1.0) * BAR as f64).round() as usize;
    format!("{}{}", "█".repeat(filled), "·".repeat(BAR - filled))
}

fn answer_line(state: &State) -> Line<'_> {
    let said = match state.event {
        Event::Teaching { class, windows } => Span::from(format!(
            " teaching {}: {windows} windows",
            state.name_of(class)
        ))
        .red(),
        Event::Taught { class, windows } => Span::from(format!(
            " {} taught: {windows} windows",
            state.name_of(class)
        )),
        Event::Known { class, probability } => {
            let percent = probability.map_or(String::new(), |p| format!("  {:.0} %", 100.0 * p));
            Span::from(format!(" {}{percent}", state.name_of(class)))
                .green()
                .bold()
        }
        Event::Unknown => Span::from(" unknown").yellow().bold(),
        Event::NotReady(Missing::FirstClass) => {
            Span::from(" nothing taught yet: press 1, move, press 1 again")
        }
        Event::NotReady(Missing::SecondClass) => Span::from(" one class taught: teach another"),
        Event::NotReady(Missing::MoreExamples) => {
            Span::from(" more windows are needed: go on teaching")
        }
        Event::Nothing => Span::from(""),
    };
    let mut spans = vec![said];
    if let Some(truth) = &state.truth {
        spans.push(Span::from(format!("   (the recording says {truth})")).dim());
    }
    Line::from(spans)
}
