//! Requests through a proxy on this machine.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _, copy},
    net::{Shutdown, TcpListener, TcpStream},
    sync::mpsc::{Receiver, channel},
    thread,
};

use crate::support::{Outcome, Service};

/// A proxy for one connection, which leads to `service` whatever host is asked for; gives its URL and the request line
/// and headers it got.
fn proxy(service: &Service) -> (String, Receiver<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://user:hunter2@{}", listener.local_addr().unwrap());
    let target = service.url().trim_start_matches("http://").to_owned();
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let (client, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(client.try_clone().unwrap());
        let lines = reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty());
        sender.send(lines.collect()).unwrap();
        tunnel(reader, &client, &TcpStream::connect(target).unwrap());
    });
    (url, receiver)
}

fn tunnel(mut reader: BufReader<TcpStream>, mut client: &TcpStream, mut server: &TcpStream) {
    client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
    let mut upstream = server.try_clone().unwrap();
    thread::spawn(move || {
        drop(copy(&mut reader, &mut upstream));
        drop(upstream.shutdown(Shutdown::Write));
    });
    drop(copy(&mut server, &mut client));
}

fn run(service: &Service, variables: &[(&str, &str)], host: &str) -> Outcome {
    let mut command = service.program("developer-token");
    command.envs(variables.iter().copied()).args(["label", "get", "bug", "--base-url", host, "--allow-http"]);
    command.args(["--retries", "0"]).output().unwrap().into()
}

#[test]
fn a_host_is_reached_through_the_proxy_of_its_scheme() {
    let service = Service::start();
    let (url, got) = proxy(&service);
    run(&service, &[("http_proxy", &url), ("HTTPS_PROXY", "http://127.0.0.1:9")], "http://service.test").success();
    let lines = got.recv().unwrap();
    assert_eq!(lines[0], "CONNECT service.test:80 HTTP/1.1");
    assert!(lines.iter().any(|line| line == "Proxy-Authorization: Basic dXNlcjpodW50ZXIy"), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains("developer-token")), "the proxy does not get the token");
    assert_eq!(service.last().header("host"), Some("service.test"));
}

#[test]
fn this_machine_and_what_no_proxy_names_are_reached_directly() {
    let service = Service::start();
    let dead = ("ALL_PROXY", "http://127.0.0.1:9");
    run(&service, &[dead], &service.url()).success();
    let stderr = run(&service, &[dead, ("NO_PROXY", ".test")], "http://service.test").failure(1);
    assert!(stderr.contains("cannot connect to `http://service.test`: host not found"), "{stderr}");
}

#[test]
fn a_proxy_that_is_not_there_is_named_without_its_password() {
    let service = Service::start();
    let stderr = run(&service, &[("all_proxy", "http://u:hunter2@127.0.0.1:9")], "http://service.test").failure(1);
    assert!(stderr.contains("cannot connect to `proxy 127.0.0.1:9`: connection refused"), "{stderr}");
    let stderr = run(&service, &[("all_proxy", "socks5://u:hunter2@127.0.0.1:9")], "http://service.test").failure(1);
    assert!(stderr.contains("SOCKS proxies are not supported") && !stderr.contains("hunter2"), "{stderr}");
}

#[test]
fn a_proxy_that_refuses_is_explained() {
    let service = Service::start();
    for (status, expected) in [
        (
            "407 Proxy Authentication Required",
            "the proxy requires a user and a password\nhint: set them in the variable",
        ),
        ("403 Forbidden", "the proxy responded with 403\n"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        thread::spawn(move || {
            let (mut client, _) = listener.accept().unwrap();
            let _ = BufReader::new(client.try_clone().unwrap()).lines().map_while(Result::ok).find(String::is_empty);
            let _ = write!(client, "HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        });
        let stderr = run(&service, &[("http_proxy", &url)], "http://service.test").failure(1);
        assert!(stderr.contains(expected), "{stderr}");
    }
}
