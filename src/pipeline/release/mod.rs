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
mod push;
mod request;
mod text;
mod version;

pub use notes::ReleaseNotes;
pub use outline::ReleaseInputs;
pub use plan::ReleasePlan;
pub use push::PushStep;
pub use request::{ReleaseRequest, StepSelection};
