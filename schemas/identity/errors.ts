import { errorTable } from '../common/error-row.ts'

const NEW_NONCE = 'Request a new nonce and sign exactly the returned text. | sign_in'

/** Tokens, sign-in and permissions. */
export const IDENTITY_ERRORS = errorTable({
  missing_token:
    '401 | Not signed in | This operation needs a bearer token. | Sign in and send the token as Authorization: Bearer. | sign_in',
  malformed_token: '401 | Malformed token | The bearer token is not a signed token in compact form. | Sign in again. | sign_in',
  unsupported_alg: '401 | Algorithm not accepted | The token names an algorithm this service does not accept. | Sign in again. | sign_in',
  unknown_kid: '401 | Unknown key | The token names a key this service does not have. | Sign in again. | sign_in',
  bad_signature:
    '401 | Bad signature | The signature of the token, or of the body of a webhook, does not verify. | Sign in again; a webhook signs the raw body with the configured secret. | sign_in',
  claims_mismatch:
    '401 | Claims do not match | This service does not accept the issuer, audience or type of the token. | Sign in again. | sign_in',
  role_not_allowed: '401 | Role not allowed | The token carries a role that does not exist. | Sign in again. | sign_in',
  missing_subject: '401 | No subject | The token names no subject. | Sign in again. | sign_in',
  invalid_token_kind: '401 | Wrong kind of token | This operation does not accept this kind of token. | Sign in again. | sign_in',
  token_expired: '401 | Token expired | The lifetime of the token has passed. | Sign in again; refresh before expiry next time. | sign_in',
  token_revoked: '401 | Token revoked | The token was revoked by logout, refresh or an operator. | Sign in again. | sign_in',
  auth_session_expired: '401 | Sign-in session ended | A chain of refreshes ends 30 days after sign-in. | Sign in again. | sign_in',
  token_iat_future:
    '401 | Token issued in the future | The issue time of the token is more than 60 seconds ahead. | Check the clock and repeat. | retryable | sign_in: Sign in again.',
  token_nbf_future:
    '401 | Token not valid yet | The token becomes valid more than 60 seconds from now. | Check the clock and repeat. | retryable | sign_in: Sign in again.',
  service_token_refresh_unsupported:
    '401 | Service tokens are not refreshed | A service token cannot be refreshed. | Ask an admin to rotate the token, or sign in with the wallet. | sign_in',
  siwe_message_mismatch: `401 | Message changed | The message is not byte for byte the one that was issued. | ${NEW_NONCE}`,
  siwe_domain_mismatch: `401 | Wrong domain | The message was issued for another domain. | ${NEW_NONCE}`,
  siwe_uri_mismatch: `401 | Wrong URI | The message names another URI. | ${NEW_NONCE}`,
  siwe_chain_mismatch: `401 | Wrong chain | The message names another chain id. | ${NEW_NONCE}`,
  siwe_expired: `401 | Message expired | The time to sign this message has passed. | ${NEW_NONCE}`,
  siwe_not_before: `401 | Message not valid yet | The message is not valid yet. | ${NEW_NONCE}`,
  siwe_bad_issued_at: `401 | Issue time unreadable | The message carries no readable issue time. | ${NEW_NONCE}`,
  siwe_iat_future: `401 | Issued in the future | The message was issued more than 60 seconds ahead of now. | ${NEW_NONCE}`,
  siwe_recover_failed: `401 | Signature unreadable | No signer can be recovered from the signature, and no contract wallet accepts it. | ${NEW_NONCE}`,
  siwe_signature_mismatch: `401 | Another signer | The signature is not from the wallet that requested the nonce. | ${NEW_NONCE}`,
  invalid_nonce: `401 | Nonce unknown or used | The nonce is unknown, used or expired. | ${NEW_NONCE}`,
  nonce_wallet_mismatch: `401 | Nonce of another wallet | The nonce was issued to another wallet. | ${NEW_NONCE}`,
  missing_role:
    '403 | Role missing | The caller does not hold the role this operation needs, or the role is no longer configured. | Sign in with a wallet that holds the role. | sign_in',
  missing_capability:
    '403 | Capability missing | The token does not carry a capability this operation needs. | Sign in with a wallet that has the capability, or ask for a grant. | sign_in',
  wallet_session_required: '403 | Wallet sign-in required | A service token may not do this. | Sign in with the wallet itself. | sign_in',
  metrics_auth_unconfigured:
    '503 | Metrics secret missing | Metrics need a bearer secret and none is configured. | Configure the secret. | GET /health: Read the state of the service without the metrics.',
})
