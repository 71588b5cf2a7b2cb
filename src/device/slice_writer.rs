//! Bytes that come in pieces.

/// Puts pieces one behind the other, as many as there is room for.
pub(super) struct SliceWriter<'b> {
    buffer: &'b mut [u8],
    len: usize,
}

impl<'b> SliceWriter<'b> {
    pub(super) fn new(buffer: &'b mut [u8]) -> Self {
        SliceWriter { buffer, len: 0 }
    }

    pub(super) fn push(&mut self, piece: &[u8]) {
        let rest = self.buffer.get_mut(self.len..).unwrap_or_default();
        for (to, from) in rest.iter_mut().zip(piece) {
            *to = *from;
            self.len += 1;
        }
    }

    pub(super) fn finish(self) -> &'b [u8] {
        self.buffer.get(..self.len).unwrap_or_default()
    }
}
