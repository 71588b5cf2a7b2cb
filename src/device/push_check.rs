//! Whether a pushed image may come in.

use super::message::ErrorReply;
use crate::persist::ByteSource;

#[cfg(feature = "auth")]
use super::signature::{BYTES, digest_of, is_signed};

/// The key of a device that wants signed images, and the signed digest of the image that is under way.
///
/// Without the feature `auth` there is no key, and nothing is left of this.
#[derive(Default)]
pub(super) struct PushCheck<'m> {
    #[cfg(feature = "auth")]
    pub(super) key: Option<&'m [u8; BYTES]>,
    #[cfg(feature = "auth")]
    digest: [u8; BYTES],
    #[cfg(not(feature = "auth"))]
    no_key: core::marker::PhantomData<&'m ()>,
}

impl PushCheck<'_> {
    /// Whether images must be signed.
    pub(super) fn requires_signature(&self) -> bool {
        #[cfg(feature = "auth")]
        return self.key.is_some();
        #[cfg(not(feature = "auth"))]
        return false;
    }

    /// Checks the signature of an image of `len` bytes that is to have this sequence number.
    #[cfg_attr(
        not(feature = "auth"),
        expect(unused_variables, reason = "there is no key")
    )]
    pub(super) fn check(
        &self,
        sequence: u32,
        len: u32,
        digest: &[u8],
        tag: &[u8],
    ) -> Result<(), ErrorReply> {
        #[cfg(feature = "auth")]
        if let Some(key) = self.key {
            let digest = digest.try_into().map_err(|_| ErrorReply::NotAuthentic)?;
            return if is_signed(key, sequence, len, digest, tag) {
                Ok(())
            } else {
                Err(ErrorReply::NotAuthentic)
            };
        }
        // A host that signs must not believe that it was checked.
        if !digest.is_empty() || !tag.is_empty() {
            return Err(ErrorReply::Unsupported);
        }
        Ok(())
    }

    /// The image with this digest, which was [checked](Self::check), is under way now.
    #[cfg_attr(
        not(feature = "auth"),
        expect(unused_variables, reason = "there is no key")
    )]
    pub(super) fn begin(&mut self, digest: &[u8]) {
        #[cfg(feature = "auth")]
        if let Ok(digest) = digest.try_into() {
            self.digest = digest;
        }
    }

    /// Checks that what is in flash is what was signed.
    #[cfg_attr(
        not(feature = "auth"),
        expect(unused_variables, reason = "there is no key")
    )]
    pub(super) fn end(&self, written: &mut dyn ByteSource) -> Result<(), ErrorReply> {
        #[cfg(feature = "auth")]
        if self.key.is_some() && digest_of(written) != Some(self.digest) {
            return Err(ErrorReply::NotAuthentic);
        }
        Ok(())
    }
}
