//! Text of others on a terminal.

use std::borrow::Cow;

/// The text without characters that a terminal obeys or that turn the order of others round: an escape is shown, not
/// carried out.
///
/// ```
/// use pocketron_table::escape;
///
/// assert_eq!(escape::controls("walk\x1b[2J\r"), r"walk\u{1b}[2J\r");
/// assert_eq!(escape::controls("Gehen, über α"), "Gehen, über α");
/// ```
pub fn controls(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_obeyed) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    for one in text.chars() {
        match is_obeyed(one) {
            true => shown.extend(one.escape_default()),
            false => shown.push(one),
        }
    }
    shown.into()
}

/// The same for text of several lines, which stay.
pub fn controls_in_lines(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(controls).collect();
    lines.join("\n")
}

/// A text of others as a message quotes it: at most so many characters, on one line.
pub fn quoted(text: &str, most: usize) -> String {
    let mut rest = text.chars();
    let start: String = rest.by_ref().take(most).collect();
    let end = if rest.next().is_some() { "..." } else { "" };
    format!("{}{end}", controls(&start))
}

/// Controls of terminals, and of the direction of writing.
fn is_obeyed(one: char) -> bool {
    let turns =
        matches!(one, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    one.is_control() || turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_text_is_short_and_cannot_move_the_cursor() {
        assert_eq!(quoted("walk", 4), "walk");
        assert_eq!(quoted("walking", 4), "walk...");
        assert_eq!(quoted("\u{1b}]0;title\u{7}", 9), r"\u{1b}]0;title...");
        assert_eq!(quoted("a\nb", 9), r"a\nb");
        assert_eq!(controls_in_lines("a\nb\u{9b}\n"), "a\nb\\u{9b}\n");
        assert_eq!(controls("\u{202e}evil"), r"\u{202e}evil");
    }
}
