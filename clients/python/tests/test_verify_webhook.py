"""Verification of webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac

import pytest

from docmill import WebhookVerificationError, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwC3Iw2Gd0yXc="
OTHER = "whsec_" + base64.b64encode(b"another key of 32 bytes, exactly").decode()
BODY = '{"type":"document.succeeded","timestamp":"2026-11-22T00:00:00Z","data":{"name":"é"}}'
NOW = 1_795_275_021


def sign(body: str = BODY, secret: str = SECRET, identity: str = "evt_1", timestamp: int = NOW) -> dict[str, str]:
    key = base64.b64decode(secret[6:])
    digest = hmac.new(key, f"{identity}.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    signature = f"v1,{base64.b64encode(digest).decode()}"
    return {"Webhook-Id": identity, "WEBHOOK-TIMESTAMP": str(timestamp), "webhook-signature": signature}


@pytest.mark.parametrize("payload", [BODY, BODY.encode()], ids=["text", "bytes"])
def test_a_genuine_webhook_is_its_event(payload: str | bytes) -> None:
    event = verify_webhook(payload, sign(), SECRET, now=NOW)
    assert event["type"] == "document.succeeded"
    assert dict(event)["data"] == {"name": "é"}
    assert event["id"] == "evt_1"


def test_the_example_of_the_specification() -> None:
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    event = verify_webhook('{"test": 2432232314}', headers, secret, now=1614265330)
    assert dict(event) == {"test": 2432232314, "id": "msg_p5jXN8AQM9LWM0D4loKWxJek"}


def test_one_of_several_signatures_or_secrets_is_enough() -> None:
    headers = sign()
    headers["webhook-signature"] = f"v1,AAAA v2,xx {headers['webhook-signature']}"
    assert verify_webhook(BODY, headers, SECRET, now=NOW)
    assert verify_webhook(BODY, sign(), [OTHER, SECRET], now=NOW)


def test_the_tolerance_counts_in_both_directions() -> None:
    for offset in (-300, 300):
        assert verify_webhook(BODY, sign(), SECRET, now=NOW + offset)
    for offset in (-301, 301):
        with pytest.raises(WebhookVerificationError, match="tolerance"):
            verify_webhook(BODY, sign(), SECRET, now=NOW + offset)
    with pytest.raises(WebhookVerificationError):
        verify_webhook(BODY, sign(), SECRET)


@pytest.mark.parametrize(
    "change",
    [
        {"webhook-signature": "v1,"},
        {"webhook-signature": ""},
        {"webhook-signature": "v1,é"},
        {"webhook-signature": "v2," + sign()["webhook-signature"][3:]},
        {"Webhook-Id": "evt_2"},
        {"Webhook-Id": ""},
        {"WEBHOOK-TIMESTAMP": str(NOW + 1)},
        {"WEBHOOK-TIMESTAMP": "soon"},
        {"WEBHOOK-TIMESTAMP": "١٧"},
    ],
)
def test_a_forged_header_is_refused(change: dict[str, str]) -> None:
    with pytest.raises(WebhookVerificationError):
        verify_webhook(BODY, {**sign(), **change}, SECRET, now=NOW)


def test_another_body_or_secret_is_refused() -> None:
    for body, secret in ((BODY + " ", SECRET), (BODY, OTHER)):
        with pytest.raises(WebhookVerificationError, match="signature"):
            verify_webhook(body, sign(), secret, now=NOW)
    with pytest.raises(WebhookVerificationError):
        verify_webhook(BODY, {}, SECRET, now=NOW)


@pytest.mark.parametrize("secret", ["", "whsec_", "not base64!", []])
def test_a_secret_that_is_none_is_an_error_of_the_caller(secret: str) -> None:
    with pytest.raises(ValueError) as caught:
        verify_webhook(BODY, sign(), secret, now=NOW)
    assert "not base64!" not in str(caught.value)
