"""Addresses of webhooks. No address may lead into the internal network, an answer that never ends is cut off,
and the certificate must have the host name of the address.
"""

import socket
import ssl
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from casino.alerts import http_client, services
from casino.alerts.signature import headers, new_secret
from casino.presentation.errors import ActionRejected
from tests.casino.conftest import Cast
from tests.casino.receiver import receiving


def test_the_slow_answer_of_a_receiver_ends_by_the_clock(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Test a receiver that sends its answer letter by letter. No pause between two letters is too long, but
    the whole answer is, and it is cut off.
    """
    settings.WEBHOOK_HTTP = True
    monkeypatch.setattr(http_client, "TOTAL_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            connection, _ = server.accept()
            with connection:
                try:
                    for letter in b"HTTP/1.1 200 OK\r\nX: " + b"x" * 3000:
                        connection.send(bytes([letter]))
                        time.sleep(0.02)
                except OSError:
                    pass

        thread = threading.Thread(target=drip)
        thread.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        with http_client.Client(url, private=True) as client:
            began = time.monotonic()
            answer = client.post(b"{}", {})
            assert answer.code is None
            assert time.monotonic() - began < 30
        thread.join()


@pytest.mark.parametrize(
    ("address", "private", "says"),
    [
        ("127.0.0.1", False, "private address: the threshold private-webhooks does not allow it"),
        ("10.1.2.3", False, "private address"),
        ("192.168.1.1", False, "private address"),
        ("::1", False, "private address"),
        ("fd00::1", False, "private address"),
        ("::ffff:10.0.0.1", False, "private address"),
        ("64:ff9b::10.0.0.1", False, "private address"),
        ("2002:7f00:1::", False, "private address"),
        ("169.254.169.254", True, "not allowed for webhooks"),
        ("fe80::1", True, "not allowed for webhooks"),
        ("0.0.0.0", True, "not allowed for webhooks"),
        ("224.0.0.1", True, "not allowed for webhooks"),
        ("100.64.0.1", True, "not allowed for webhooks"),
        ("10.1.2.3", True, ""),
        ("93.184.216.34", False, ""),
        ("2606:4700::1111", False, ""),
    ],
)
def test_an_address_inside_the_network_is_refused(
    monkeypatch: pytest.MonkeyPatch, address: str, private: bool, says: str
) -> None:
    addresses = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 443))] if not says else []
    addresses += [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **options: addresses)
    if not says:
        assert http_client.address_of("hook.example", 443, private=private)
        return
    with pytest.raises(http_client.Refused, match=says):
        http_client.address_of("hook.example", 443, private=private)


@pytest.mark.parametrize(
    "url",
    [
        "http://hook.example/",
        "ftp://hook.example/",
        "https://user:word@hook.example/",
        "https:///path",
        "https://hook.example:99999/",
        "https://hook.example/#part",
        "https://hook.example/a b",
        "hook.example",
        "",
    ],
)
def test_an_invalid_url_is_refused_with_its_field(cast: Cast, settings: Any, url: str) -> None:
    settings.WEBHOOK_HTTP = False
    with pytest.raises(ActionRejected) as refused:
        services.set_webhook(cast.person("Mia"), "aurora", str(uuid4()), "soc", url, [])
    assert refused.value.field == "url"


def certificate(folder: Path, name: str) -> None:
    """Write a self-signed certificate for this name, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    instant = datetime.now(UTC)
    built = x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
    built = built.not_valid_before(instant - timedelta(days=1)).not_valid_after(instant + timedelta(days=1))
    built = built.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    built = built.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    pem = built.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM)
    (folder / "cert.pem").write_bytes(pem)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "key.pem").write_bytes(private)


def test_the_certificate_of_the_name_is_checked_at_the_resolved_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate(tmp_path, "hook.example")
    with receiving() as receiver:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
        receiver.server.socket = context.wrap_socket(receiver.server.socket, server_side=True)
        receiver.secret = new_secret()
        real = socket.getaddrinfo
        addresses = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0))]
        monkeypatch.setattr(
            socket,
            "getaddrinfo",
            lambda host, *args, **options: (
                addresses if "example" in str(host) else real(host, *args, **options)
            ),
        )
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        for name, is_right in (("hook.example", True), ("other.example", False)):
            with http_client.Client(f"https://{name}:{receiver.port}/x", private=True) as client:
                body = b'{"type": "test"}'
                signed = headers("m-1", int(time.time()), body, [receiver.secret])
                answer = client.post(body, signed)
            assert answer.is_success == is_right, answer
            assert is_right or "doesn't match" in answer.text
        assert receiver.headers["host"] == f"hook.example:{receiver.port}"
        assert len(receiver.got) == 1
