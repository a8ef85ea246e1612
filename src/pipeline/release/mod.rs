//! The story of a release: version, section, commit, tag, push. It is planned first, from what the repository and the
//! remote have, and then carried out from wherever a former run stopped.

mod carry;
mod edition;
mod existing;
mod late;
mod notes;
mod obstacle;
mod outline;
mod plan;
mod remote;
mod request;
mod text;
mod version;

pub use notes::Notes;
pub use outline::Outline;
pub use plan::Plan;
pub use remote::Push;
pub use request::{ReleaseRequest, Steps};
