//! The numbers of a ZIP file: in little-endian order, one behind the other.

/// Bytes that grow.
#[derive(Default)]
pub(super) struct LittleEndianBuffer(pub(super) Vec<u8>);

impl LittleEndianBuffer {
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    pub(super) fn u16(&mut self, number: u16) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    pub(super) fn u32(&mut self, number: u32) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    pub(super) fn u64(&mut self, number: u64) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }
}

/// A number that may be too large for its field, which then says so.
pub(super) fn short(number: u64) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

/// The same, for a field of 32 bits.
pub(super) fn long(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
