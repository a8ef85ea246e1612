//! The token shows up nowhere.

use super::{client, token};
use crate::{
    api::{ApiRequest, Method, Path},
    support::Service,
};

#[test]
fn debug_output_has_no_token() {
    let service = Service::start();
    let (client, _) = client(&service);
    let nobody = ApiRequest::new(Method::Get, Path::new("/labels/:label_id", &[""]));
    let error = client.send_request(&nobody).unwrap_err();
    let text = format!("{client:?} {:?} {error:?}", token("glpat-hunter2"));
    assert!(!text.contains("developer-token") && !text.contains("glpat-hunter2"), "{text}");
}
