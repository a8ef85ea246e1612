//! TLS, and the certificates it trusts: those that the system trusts, and that of a server which is in `SSL_CERT_FILE`.

use std::{
    fmt,
    io::{Read as _, Write as _},
    path::Path,
    sync::{Arc, OnceLock},
};

use rustls::{
    CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, Error, SignatureScheme, StreamOwned,
    client::{
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
        verify_server_name,
    },
    crypto::{CryptoProvider, ring},
    pki_types::{CertificateDer, ServerName, UnixTime, pem::PemObject as _},
    server::ParsedCertificate,
};
use rustls_platform_verifier::Verifier;
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, Either, LazyBuffers, NextTimeout, Transport, TransportAdapter, time,
};

/// The system's verifier, which also accepts the certificates in `SSL_CERT_FILE`. The system refuses a certificate
/// that is both an authority's and a server's, as `openssl req -x509` creates it; curl and git accept it.
#[derive(Debug)]
struct NamedServers {
    system: Verifier,
    named: Vec<CertificateDer<'static>>,
}

impl ServerCertVerifier for NamedServers {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verified = self.system.verify_server_cert(certificate, intermediates, name, ocsp_response, now);
        match verified {
            // The verifier has checked the dates before it reports this error.
            Err(error) if is_of_authority(&error) && self.named.contains(certificate) => {
                verify_server_name(&ParsedCertificate::try_from(certificate)?, name)?;
                Ok(ServerCertVerified::assertion())
            }
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.system.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.system.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.system.supported_verify_schemes()
    }
}

/// Whether the only error of a certificate is that it is that of an authority.
fn is_of_authority(error: &Error) -> bool {
    matches!(error, Error::InvalidCertificate(CertificateError::Other(other)) if other.to_string() == "CaUsedAsEndEntity")
}

/// Returns the configuration of all connections; `named` is the file with the certificates of single servers.
fn configuration(named: Option<&Path>) -> Result<Arc<ClientConfig>, Error> {
    let provider: Arc<CryptoProvider> = Arc::new(ring::default_provider());
    // A file that cannot be read is reported if the server is not trusted.
    let certificates = named.and_then(|file| CertificateDer::pem_file_iter(file).ok());
    let named = certificates.into_iter().flatten().filter_map(Result::ok).collect();
    let verifier = NamedServers { system: Verifier::new(Arc::clone(&provider))?, named };
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(Arc::new(builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth()))
}

/// A connector that encrypts connections to https addresses, the last in a chain. The first connection reads the
/// trusted certificates.
#[derive(Default)]
pub(super) struct TlsConnector(OnceLock<Arc<ClientConfig>>);

impl TlsConnector {
    fn configuration(&self) -> Result<Arc<ClientConfig>, Error> {
        if let Some(read) = self.0.get() {
            return Ok(Arc::clone(read));
        }
        let read = configuration(std::env::var_os("SSL_CERT_FILE").as_deref().map(Path::new))?;
        Ok(Arc::clone(self.0.get_or_init(|| read)))
    }
}

impl fmt::Debug for TlsConnector {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("TlsConnector").finish_non_exhaustive()
    }
}

impl<In: Transport> Connector<In> for TlsConnector {
    type Out = Either<In, TlsTransport>;

    fn connect(&self, details: &ConnectionDetails, chained: Option<In>) -> Result<Option<Self::Out>, ureq::Error> {
        let Some(connection) = chained else { return Ok(None) };
        if !details.needs_tls() || connection.is_tls() {
            return Ok(Some(Either::A(connection)));
        }
        let host = details.uri.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let name = ServerName::try_from(host).map_err(|_| ureq::Error::Tls("the host is not a name"))?;
        let mut conn = ClientConnection::new(self.configuration()?, name)?;
        let mut sock = TransportAdapter::new(connection.boxed(), details.current_time.clone());
        let mut timeout = details.timeout;
        if let (time::Duration::Exact(limit), time::Instant::Exact(start)) = (timeout.after, details.now) {
            timeout.after = time::Duration::Exact(limit.saturating_sub(start.elapsed()));
        }
        sock.set_timeout(timeout);
        conn.complete_io(&mut sock)?;
        let buffers = LazyBuffers::new(details.config.input_buffer_size(), details.config.output_buffer_size());
        Ok(Some(Either::B(TlsTransport { buffers, stream: StreamOwned { conn, sock } })))
    }
}

/// An encrypted connection.
pub(super) struct TlsTransport {
    buffers: LazyBuffers,
    stream: StreamOwned<ClientConnection, TransportAdapter>,
}

impl fmt::Debug for TlsTransport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("TlsTransport").finish_non_exhaustive()
    }
}

impl Transport for TlsTransport {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), ureq::Error> {
        self.stream.get_mut().set_timeout(timeout);
        Ok(self.stream.write_all(&self.buffers.output()[..amount])?)
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, ureq::Error> {
        self.stream.get_mut().set_timeout(timeout);
        let amount = self.stream.read(self.buffers.input_append_buf())?;
        self.buffers.input_appended(amount);
        Ok(amount > 0)
    }

    fn is_open(&mut self) -> bool {
        self.stream.get_mut().get_mut().is_open()
    }

    fn is_tls(&self) -> bool {
        true
    }
}

/// Elsewhere the system decides.
#[cfg(test)]
#[cfg(all(unix, not(target_vendor = "apple")))]
mod tests {
    use std::time::Duration;

    use super::*;

    fn certificate(name: &str) -> CertificateDer<'static> {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/tls");
        CertificateDer::from_pem_file(directory.join(name)).unwrap()
    }

    /// Returns the verifier of a system that trusts one more authority.
    fn system() -> Verifier {
        Verifier::new_with_extra_roots([certificate("authority.pem")], Arc::new(ring::default_provider())).unwrap()
    }

    /// Whether a server of this name is trusted with the self-signed certificate, if `named` are the certificates in
    /// the file, this many years after 1970.
    fn is_trusted(named: Vec<CertificateDer<'static>>, name: &'static str, years: u64) -> bool {
        let verifier = NamedServers { system: system(), named };
        let (name, now) = (ServerName::try_from(name).unwrap(), Duration::from_secs(years * 31_557_600));
        let certificate = certificate("self-signed.pem");
        verifier.verify_server_cert(&certificate, &[], &name, &[], UnixTime::since_unix_epoch(now)).is_ok()
    }

    #[test]
    fn a_certificate_of_an_authority_is_trusted_if_it_is_named_itself() {
        let named = || vec![certificate("authority.pem"), certificate("self-signed.pem")];
        assert!(is_trusted(named(), "localhost", 60) && is_trusted(named(), "127.0.0.1", 60));
        assert!(!is_trusted(vec![certificate("authority.pem")], "localhost", 60), "another one is named");
        assert!(!is_trusted(named(), "harbor.example", 60), "another server has it");
        assert!(!is_trusted(named(), "localhost", 10), "it is not valid yet");
        assert!(!is_trusted(named(), "localhost", 200), "it is not valid any more");
    }
}
