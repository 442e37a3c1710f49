"""Values of the formats of the document that no JSON Schema can describe, for schemathesis."""

import schemathesis
from hypothesis import strategies as st

HEX = "0123456789abcdef"


def hex_digits(count):
    return st.text(alphabet=HEX, min_size=count, max_size=count)


ADDRESS = hex_digits(40).map(lambda digits: "0x" + digits)
# Mixed case is part of the checksum, so a random address is in one case.
schemathesis.openapi.format("evm-address", ADDRESS)

MESSAGE = (
    "work.example wants you to sign in with your Ethereum account:\n"
    "0x70997970C51812dc3A010C7d01b50e0d17dc79C8\n\n"
    "Sign in to the agent work service.\n\n"
    "URI: https://work.example\nVersion: 1\nChain ID: 420420417\nNonce: {nonce}\n"
    "Issued At: 2026-01-02T03:04:05.000Z\nExpiration Time: 2026-01-02T03:09:05.000Z"
)
schemathesis.openapi.format("eip4361-message", hex_digits(32).map(lambda nonce: MESSAGE.format(nonce=nonce)))

schemathesis.openapi.format("page-cursor", st.just("cursor"))


@schemathesis.hook
def before_call(context, case, kwargs):
    """Makes a positive case valid where one value depends on another."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if case.query:
        # Only the service makes cursors, each for one list and its filters.
        case.query.pop("cursor", None)
        # A wait for a session that does not change takes all its seconds.
        if case.query.get("waitSeconds"):
            case.query["waitSeconds"] = 1
    # The key of the header and its alias in the body are the same key.
    if case.headers and isinstance(case.body, dict) and "idempotencyKey" in case.body:
        case.headers.pop("Idempotency-Key", None)
