"""Values of the formats of the document that no JSON Schema can describe, for schemathesis."""

import json
import os
import zlib

import schemathesis
from hypothesis import strategies as st

HEX = "0123456789abcdef"


def hex_digits(count):
    return st.text(alphabet=HEX, min_size=count, max_size=count)


ADDRESS = hex_digits(40).map(lambda digits: "0x" + digits)
ANY_WALLET = "0x" + "1" * 40
# Mixed case is part of the checksum, so a random address is in one case.
schemathesis.openapi.format("evm-address", ADDRESS)
# The local chain serves native accounts; a random text has no valid checksum.
NATIVE = st.sampled_from(
    [
        "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5",
        "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY",
        "148eGqBKBSbTrKnGQka9tNNFoycLLa6ZPddFbtfJNczsBQPj",
        "yNa8JpqfFB3q8A29rCwSgxvdU94ufJw2yKKxDgznS5m1PoFvn",
    ]
)
schemathesis.openapi.format("wallet-address", st.one_of(ADDRESS, NATIVE))

MESSAGE = (
    "work.example wants you to sign in with your Ethereum account:\n"
    "0x70997970C51812dc3A010C7d01b50e0d17dc79C8\n\n"
    "Sign in to the agent work service.\n\n"
    "URI: https://work.example\nVersion: 1\nChain ID: 420420417\nNonce: {nonce}\n"
    "Issued At: 2026-01-02T03:04:05.000Z\nExpiration Time: 2026-01-02T03:09:05.000Z"
)
schemathesis.openapi.format("eip4361-message", hex_digits(32).map(lambda nonce: MESSAGE.format(nonce=nonce)))

schemathesis.openapi.format("page-cursor", st.just("cursor"))


# Members of any JSON type. Only their description says that NUL and whole numbers beyond 2^53 are refused: a client generator cannot print a type of itself.
FREE = {"submission", "output", "evidence", "source"}

# Ids that the service holds, by kind. Without them most requests would end at "not found".
KNOWN = json.loads(os.environ.get("FUZZ_KNOWN", "{}"))
KINDS = {"jobId": "job", "sessionId": "session", "hash": "content", "name": "schema"}
KINDS_OF_PATHS = {
    "/jobs/{id}/estimate": {"id": "job"},
    "/verifier/sessions/{id}/verdict": {"id": "session"},
    "/disputes/{id}": {"id": "dispute"},
    "/disputes/{id}/file": {"id": "dispute"},
    "/disputes/{id}/verdict": {"id": "dispute"},
    "/badges/{sessionId}": {"sessionId": "badge"},
}


def number_of(*values):
    """The same number for the same values, so that a repeated case is the same request."""
    return zlib.crc32(repr(values).encode("utf-8", "surrogatepass"))


def use_known_ids(case):
    """Replaces two of three ids by one that exists."""
    kinds = {**KINDS, **KINDS_OF_PATHS.get(case.path, {})}
    for values in (case.path_parameters, case.query, case.body):
        if not isinstance(values, dict):
            continue
        for name in kinds.keys() & values.keys():
            ids = KNOWN.get(kinds[name], [])
            number = number_of(case.method, case.path, values)
            if ids and number % 3:
                values[name] = ids[number // 3 % len(ids)]


def storable(value):
    """The same JSON value with no NUL in its texts and names, and no whole number beyond 2^53."""
    if isinstance(value, str):
        return value.replace("\0", "")
    if isinstance(value, list):
        return [storable(item) for item in value]
    if isinstance(value, dict):
        return {storable(name): storable(item) for name, item in value.items()}
    if isinstance(value, (int, float)) and abs(value) >= 2**53:
        return 0
    return value


# Members of `verifierConfig` by `verifierMode`, and settings that reject bad work. No job asks for evidence: the worker would read its source.
RULES = {
    "benchmark": set(),
    "deterministic": {"matchMode"},
    "human_fallback": {"escalationMessage"},
    "codehost_pr": {
        "minimumScore",
        "requireIssueReference",
        "requireTestEvidence",
        "acceptMergedAsApproved",
        "requireClaimantBinding",
    },
}
TERMS = {
    "benchmark": {"requiredKeywords": ["exponential backoff", "jitter", "retry budget"], "minimumMatches": 2},
}


def fit_job(job):
    """Makes the members of a job fit each other, as the description of the operation says."""
    number, mode = number_of(job), job["verifierMode"]
    for name in ("verifierTerms", "verifierMinimumMatches", "requiredRole", "rewardAsset"):
        job.pop(name, None)
    # A title may begin with a verb of a change only where the work is a pull request.
    job.update(id=f"{job['id'][:100]}-{number}", title=f"Answer {job['title'][:200]}", rewardAmount=(number % 10**6 + 1) / 10**6)
    config = {name: value for name, value in job.get("verifierConfig", {}).items() if name in RULES[mode]}
    # Two jobs with one task have different answers.
    answers = {"expectedOutputs": [f"a1f0c9-{number}", f"77b2e4-{number}"]} if mode == "deterministic" else {}
    job["verifierConfig"] = {**config, **TERMS.get(mode, {}), **answers, "handler": mode}
    job.update(inputSchemaRef="schema://jobs/coding-input", outputSchemaRef="schema://jobs/coding-output")
    job.get("verification", {}).pop("evidenceSchemaRef", None)
    if mode == "codehost_pr":
        job["source"] = {"type": "codehost_issue", "repo": "acme/tool", "issueNumber": number % 1000 + 1}
    if job.get("tier", "starter") != "starter":
        job.pop("onboardingWaiverEligible", None)
    job["recurring"] = "schedule" in job


def use_own_key(case):
    """Gives each body a key of its own, so that an earlier request with the key of an example does not hide the answer."""
    number = number_of(case.path, case.path_parameters, {**case.body, "idempotencyKey": ""})
    if "idempotencyKey" in case.body:
        # The key of the header and its alias in the body are the same key.
        case.headers.pop("Idempotency-Key", None)
        case.body["idempotencyKey"] = f"key-{number}"
    elif "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = f"key-{number}"


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
    # A chain of requests may take the address of a profile, which the manifest gives with a place for any wallet, as one of a wallet.
    if (case.path_parameters or {}).get("wallet") == "{wallet}":
        case.path_parameters["wallet"] = ANY_WALLET
    # A chain of requests takes its ids from the answers before.
    if case.meta.phase.name.value != "stateful":
        use_known_ids(case)
    if isinstance(case.body, dict):
        for name in FREE & case.body.keys():
            case.body[name] = storable(case.body[name])
        if (case.method, case.path) == ("POST", "/admin/jobs"):
            fit_job(case.body)
        if (case.method, case.path) == ("POST", "/admin/xcm/observe"):
            # It lies in the past, whose end no schema knows.
            case.body.pop("observedAt", None)
        if case.path.startswith(("/admin/service-tokens", "/admin/capability-grants")):
            # It lies in the future, whose beginning no schema knows.
            case.body.pop("expiresAt", None)
        if (case.method, case.path) == ("POST", "/webhooks"):
            # Only topics of events are accepted, which the schema does not list.
            case.body.pop("topics", None)
        if (case.method, case.path) == ("POST", "/mcp"):
            # They repeat what the body says, and belong to its newest revision alone.
            for name in ("mcp-protocol-version", "mcp-method", "mcp-name", "host", "origin"):
                (case.headers or {}).pop(name, None)
    if case.headers is not None and isinstance(case.body, dict):
        use_own_key(case)
