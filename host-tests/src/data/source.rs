//! The text of a file, plain or packed, in proportion to the file's size.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Bytes of text that any packed file may hold.
const ANYWAY: u64 = 1 << 20;

/// Beyond that, bytes of text for each byte of the packed file. The sets of the catalogue have 18 at most, a file made to
/// fill the memory a thousand.
const PER_BYTE: u64 = 64;

/// Bytes handled at a time.
const PIECE: usize = 1 << 16;

/// Text, unpacked on the way if it is packed, which its first two bytes tell.
pub struct Text<'a> {
    inner: Inner<'a>,
    bytes: usize,
}

/// Bytes that have left a reader.
type Count = Rc<Cell<u64>>;

enum Inner<'a> {
    Plain(BufReader<Counted<'a>>),
    Packed(Box<BufReader<Unpacked<'a>>>),
}

impl<'a> Text<'a> {
    /// Out of an open source.
    pub fn new(source: impl Read + 'a) -> io::Result<Self> {
        let packed = Count::default();
        let source = Counted {
            source: Box::new(source),
            count: packed.clone(),
        };
        let mut source = BufReader::with_capacity(PIECE, source);
        let inner = if source.fill_buf()?.starts_with(&GZIP_MAGIC) {
            let unpacked = Unpacked {
                decoder: MultiGzDecoder::new(source),
                packed,
                made: 0,
            };
            Inner::Packed(Box::new(BufReader::with_capacity(PIECE, unpacked)))
        } else {
            Inner::Plain(source)
        };
        Ok(Text { inner, bytes: 0 })
    }

    /// Bytes of text that were taken so far.
    pub fn taken(&self) -> usize {
        self.bytes
    }

    /// Whether it is unpacked on the way.
    pub fn is_packed(&self) -> bool {
        matches!(self.inner, Inner::Packed(_))
    }
}

impl Read for Text<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(to)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Text<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match &mut self.inner {
            Inner::Plain(inner) => inner.fill_buf(),
            Inner::Packed(inner) => inner.fill_buf(),
        }
    }

    fn consume(&mut self, count: usize) {
        self.bytes += count;
        match &mut self.inner {
            Inner::Plain(inner) => inner.consume(count),
            Inner::Packed(inner) => inner.consume(count),
        }
    }
}

/// A source whose bytes are counted.
struct Counted<'a> {
    source: Box<dyn Read + 'a>,
    count: Count,
}

impl Read for Counted<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(to)?;
        self.count.set(self.count.get() + count as u64);
        Ok(count)
    }
}

/// Unpacks until it would be out of proportion.
struct Unpacked<'a> {
    decoder: MultiGzDecoder<BufReader<Counted<'a>>>,
    packed: Count,
    made: u64,
}

impl Read for Unpacked<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(to)?;
        self.made += count as u64;
        if self.made > ANYWAY + PER_BYTE * self.packed.get() {
            let reason = format!("more than {PER_BYTE} times the packed file");
            return Err(io::Error::new(ErrorKind::FileTooLarge, reason));
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text).expect("in memory");
        encoder.finish().expect("in memory")
    }

    #[test]
    fn text_is_counted_packed_or_not() {
        let text = b"1 1:2\n".repeat(1000);
        for (bytes, is_packed) in [(packed(&text), true), (text.clone(), false)] {
            let mut source = Text::new(&bytes[..]).expect("in memory");
            assert_eq!(source.is_packed(), is_packed);
            let mut back = Vec::new();
            source.read_to_end(&mut back).expect("text");
            assert_eq!((source.taken(), back), (text.len(), text.clone()));
        }
    }

    #[test]
    fn a_small_file_cannot_unpack_to_a_large_text() {
        let bomb = packed(&vec![b'0'; 64 << 20]);
        let mut source = Text::new(&bomb[..]).expect("a header");
        let mut taken = 0_u64;
        let error = loop {
            match source.fill_buf() {
                Ok([]) => panic!("all of it"),
                Ok(piece) => {
                    let count = piece.len();
                    taken += count as u64;
                    source.consume(count);
                }
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert!(taken <= ANYWAY + PER_BYTE * bomb.len() as u64, "{taken}");
    }
}
