//! The shape of a model as text.

/// Collects the names and sizes of a model's parts: `name(part,part,...)`.
pub struct Shape<'a> {
    out: &'a mut dyn FnMut(&str),
    before_next: &'static str,
}

impl<'a> Shape<'a> {
    pub(super) fn new(out: &'a mut dyn FnMut(&str)) -> Self {
        Shape {
            out,
            before_next: "",
        }
    }

    /// A part and, in `inside`, what it is made of.
    pub fn part(&mut self, name: &str, inside: impl FnOnce(&mut Self)) {
        (self.out)(self.before_next);
        (self.out)(name);
        self.before_next = "(";
        inside(self);
        if self.before_next == "," {
            (self.out)(")");
        }
        self.before_next = ",";
    }

    /// A part that is a plain name.
    pub fn name(&mut self, name: &str) {
        self.part(name, |_| ());
    }

    /// A size.
    pub fn number(&mut self, number: usize) {
        // By hand, because the formatting of `core` is large and may panic.
        let mut digits = [0; 20];
        let mut rest = number;
        let mut used = 0;
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (rest % 10) as u8;
            rest /= 10;
            used += 1;
            if rest == 0 {
                break;
            }
        }
        let digits = digits.get(20 - used..).unwrap_or_default();
        self.name(core::str::from_utf8(digits).unwrap_or_default());
    }
}
