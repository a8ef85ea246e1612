//! What a redirect is (RFC 9110, section 15.4): status and `Location` come in, the target goes out. Whoever follows it
//! decides which targets are allowed.

/// The largest number of redirects that are followed; a longer chain is treated as endless.
pub(crate) const MAX_REDIRECTS: usize = 5;

/// Returns the `Location` of a response if that is a redirect.
pub(crate) fn redirect_location(status: u16, location: Option<&str>) -> Option<&str> {
    location.filter(|_| matches!(status, 301 | 302 | 303 | 307 | 308))
}
