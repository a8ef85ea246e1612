//! Encrypted connections: which certificates the client trusts.

use std::{
    io::{self, Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

use rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
};

use crate::support::Outcome;

/// Certificates for `localhost` by an authority no system knows; the authority's key is gone.
fn certificates(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/tls").join(name)
}

/// A server that encrypts and answers every request with the same label; returns its address.
fn encrypted() -> String {
    encrypted_by("server")
}

fn encrypted_by(name: &str) -> String {
    let chain = vec![CertificateDer::from_pem_file(certificates(&format!("{name}.pem"))).unwrap()];
    let key = PrivateKeyDer::from_pem_file(certificates(&format!("{name}.key.pem"))).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = Arc::new(versions.with_no_client_auth().with_single_cert(chain, key).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            // A client that does not trust us hangs up, which is what the test is about.
            drop(respond(Arc::clone(&config), stream));
        }
    });
    address
}

fn respond(config: Arc<ServerConfig>, stream: TcpStream) -> io::Result<()> {
    let connection = ServerConnection::new(config).map_err(io::Error::other)?;
    let mut stream = StreamOwned::new(connection, stream);
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let body = r#"{"id":1,"name":"bug"}"#;
    let head = format!("HTTP/1.1 200 -\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
    stream.write_all(format!("{head}{body}").as_bytes())?;
    stream.flush()
}

fn run(url: &str, authorities: Option<&Path>) -> Outcome {
    let mut command = crate::support::tidings(&std::env::temp_dir());
    command.env("TIDINGS_TOKEN", "developer-token").env_remove("SSL_CERT_FILE").env_remove("SSL_CERT_DIR");
    command.envs(authorities.map(|file| ("SSL_CERT_FILE", file)));
    command.args(["label", "get", "bug", "--project", "1", "--retries", "0", "--base-url", url]);
    command.output().unwrap().into()
}

#[test]
fn an_unknown_authority_is_not_trusted_and_the_hint_names_the_way_out() {
    let stderr = run(&encrypted(), None).failure(1);
    assert!(stderr.contains("cannot trust `https://localhost:"), "{stderr}");
    assert!(stderr.contains("SSL_CERT_FILE"), "{stderr}");
}

/// Elsewhere than on Unix without Apple, the system's own store decides.
#[test]
#[cfg(all(unix, not(target_vendor = "apple")))]
fn an_authority_of_ones_own_is_trusted_by_its_file() {
    let authorities = certificates("authority.pem");
    assert!(run(&encrypted(), Some(&authorities)).success().starts_with("bug\n"));
    let by_address = encrypted().replace("localhost", "127.0.0.1");
    run(&by_address, Some(&authorities)).success();
}

/// A certificate for `localhost` as `openssl req -x509` makes it: of an authority, signed by itself.
#[test]
#[cfg(all(unix, not(target_vendor = "apple")))]
fn the_certificate_of_a_server_is_trusted_by_its_file_whatever_it_was_made_for() {
    let server = encrypted_by("self-signed");
    assert!(run(&server, Some(&certificates("self-signed.pem"))).success().starts_with("bug\n"));
    let stderr = run(&server, Some(&certificates("authority.pem"))).failure(1);
    assert!(stderr.contains("its certificate is that of an authority\n"), "{stderr}");
    assert!(stderr.contains("hint: if it is the right one, set `SSL_CERT_FILE` to a file with this very"), "{stderr}");
    let stderr = run(&server, Some(&certificates("no-such.pem"))).failure(1);
    assert!(stderr.contains("no-such.pem`, which is not a file"), "{stderr}");
}

#[test]
fn a_server_that_does_not_encrypt_is_not_said_to_be_untrusted() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let stderr = run(&url, None).failure(1);
    assert!(stderr.contains(&format!("`{url}` does not speak TLS")) && stderr.contains("`http://`"), "{stderr}");
}
