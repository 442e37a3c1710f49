import { badRequest, errorTable, forbidden, get, notFound, post, signIn, unauthorised, unavailable } from '../common/error-row.ts'
import { DELEGATE_LIMITS } from './delegate-terms.ts'

const SIGN_IN_AGAIN = { status: 401, next: signIn('Sign in again.') } as const
const NEW_NONCE = { status: 401, next: signIn('Request a new nonce and sign exactly the returned text.') } as const

/** Faults of a token. */
export const TOKEN_ERRORS = errorTable({
  malformed_token: { meaning: 'The bearer token is not a signed token in compact form.', ...SIGN_IN_AGAIN },
  unsupported_alg: {
    title: 'Algorithm not accepted',
    meaning: 'The token names an algorithm this service does not accept.',
    ...SIGN_IN_AGAIN,
  },
  unknown_kid: { title: 'Unknown key', meaning: 'The token names a key this service does not have.', ...SIGN_IN_AGAIN },
  bad_signature: unauthorised({
    meaning: 'The signature of the token, or of the body of a webhook, does not verify.',
    next: signIn('Sign in again; a webhook signs the raw body with the configured secret.'),
  }),
  token_expired: unauthorised({
    meaning: 'The lifetime of the token has passed.',
    next: signIn('Sign in again; refresh before expiry next time.'),
  }),
  token_iat_future: unauthorised({
    title: 'Token issued in the future',
    meaning: 'The issue time of the token is more than 60 seconds ahead.',
    retry: 'Check the clock and repeat.',
    next: signIn('Sign in again.'),
  }),
  token_nbf_future: unauthorised({
    title: 'Token not valid yet',
    meaning: 'The token becomes valid more than 60 seconds from now.',
    retry: 'Check the clock and repeat.',
    next: signIn('Sign in again.'),
  }),
  claims_mismatch: {
    title: 'Claims do not match',
    meaning: 'This service does not accept the issuer, audience or type of the token.',
    ...SIGN_IN_AGAIN,
  },
  role_not_allowed: { meaning: 'The token carries a role that does not exist.', ...SIGN_IN_AGAIN },
  missing_subject: { title: 'No subject', meaning: 'The token names no subject.', ...SIGN_IN_AGAIN },
  token_revoked: { meaning: 'The token was replaced by a refresh, or its sign-in was ended; `reason` says how.', ...SIGN_IN_AGAIN },
  invalid_token_kind: { title: 'Wrong kind of token', meaning: 'This operation does not accept this kind of token.', ...SIGN_IN_AGAIN },
})

/** Faults of a signed sign-in message. */
export const SIGN_IN_ERRORS = errorTable({
  siwe_message_mismatch: { title: 'Message changed', meaning: 'The message is not byte for byte the one that was issued.', ...NEW_NONCE },
  siwe_domain_mismatch: { title: 'Wrong domain', meaning: 'The message was issued for another domain.', ...NEW_NONCE },
  siwe_uri_mismatch: { title: 'Wrong URI', meaning: 'The message names another URI.', ...NEW_NONCE },
  siwe_chain_mismatch: { title: 'Wrong chain', meaning: 'The message names another chain id.', ...NEW_NONCE },
  siwe_expired: { title: 'Message expired', meaning: 'The time to sign this message has passed.', ...NEW_NONCE },
  siwe_not_before: { title: 'Message not valid yet', meaning: 'The message is not valid yet.', ...NEW_NONCE },
  siwe_bad_issued_at: { title: 'Issue time unreadable', meaning: 'The message carries no readable issue time.', ...NEW_NONCE },
  siwe_iat_future: { title: 'Issued in the future', meaning: 'The message was issued more than 60 seconds ahead of now.', ...NEW_NONCE },
  siwe_recover_failed: {
    title: 'Signature unreadable',
    meaning: 'No signer can be recovered from the signature, and no contract wallet accepts it.',
    ...NEW_NONCE,
  },
  siwe_signature_mismatch: {
    title: 'Another signer',
    meaning: 'The signature is not from the wallet that requested the nonce.',
    ...NEW_NONCE,
  },
  native_signature_invalid: {
    title: 'Signature not valid',
    meaning: 'The signature is not one of the native account over the message: bare, or between <Bytes> and </Bytes>.',
    ...NEW_NONCE,
  },
  native_signature_type_unsupported: {
    title: 'Signature type not supported',
    meaning: 'The first of 65 bytes names another type of signature than ed25519 (0) and sr25519 (1).',
    ...NEW_NONCE,
  },
  invalid_nonce: { title: 'Nonce unknown or used', meaning: 'The nonce is unknown, used or expired.', ...NEW_NONCE },
  nonce_wallet_mismatch: { title: 'Nonce of another wallet', meaning: 'The nonce was issued to another wallet.', ...NEW_NONCE },
})

/** Callers and their permissions. */
export const IDENTITY_ERRORS = errorTable({
  missing_token: unauthorised({
    title: 'Not signed in',
    meaning: 'This operation needs a bearer token.',
    next: signIn('Sign in and send the token as Authorization: Bearer.'),
  }),
  auth_session_expired: {
    title: 'Sign-in session ended',
    meaning: 'The time in which tokens of this sign-in could be refreshed is over.',
    ...SIGN_IN_AGAIN,
  },
  refresh_reused: {
    title: 'Old token refreshed again',
    meaning:
      'A newer token had replaced this one, and the grace for that is over. Two parties may hold the sign-in, so all its tokens have ended.',
    ...SIGN_IN_AGAIN,
  },
  sign_in_not_found: notFound({
    meaning: 'The wallet has no sign-in with this id.',
    next: get('/auth/sessions', 'List the sign-ins of the wallet.'),
  }),
  delegate_ended: {
    title: 'Delegate ended',
    meaning: 'The wallet revoked what it had granted to this delegate, or its time is over.',
    ...SIGN_IN_AGAIN,
  },
  delegate_not_found: notFound({
    meaning: 'The wallet has no delegate with this id.',
    next: get('/auth/delegates', 'List the delegates of the wallet.'),
  }),
  delegate_limit_reached: {
    title: 'Too many delegates',
    meaning: `A wallet has at most ${DELEGATE_LIMITS.live} delegates at a time.`,
    reaction: 'Revoke a delegate that is no longer needed.',
    next: get('/auth/delegates', 'List the delegates of the wallet.'),
  },
  service_token_refresh_unsupported: unauthorised({
    title: 'Only tokens of wallets are refreshed',
    meaning: 'A service token or the token of a delegate cannot be refreshed here.',
    next: signIn('Ask an admin to rotate the token, or sign in with the wallet.'),
  }),
  missing_role: forbidden({
    title: 'Role missing',
    meaning: 'The caller does not hold the role this operation needs, or the role is no longer configured.',
    next: signIn('Sign in with a wallet that holds the role.'),
  }),
  missing_capability: forbidden({
    title: 'Capability missing',
    meaning: 'The token does not carry a capability this operation needs, or the grant of a service token has ended.',
    next: signIn('Sign in with a wallet that has the capability, or ask an admin for a grant of it.'),
  }),
  wallet_session_required: forbidden({
    title: 'Wallet sign-in required',
    meaning: 'A service token or a delegate may not do this.',
    next: signIn('Sign in with the wallet itself.'),
  }),
  token_key_unavailable: unavailable({
    meaning: 'The key that signs tokens was retired, so no token is issued here.',
    retry: 'Repeat later; existing tokens stay valid.',
  }),
  metrics_auth_unconfigured: unavailable({
    title: 'Metrics secret missing',
    meaning: 'Metrics need a bearer secret and none is configured.',
    reaction: 'Configure the secret.',
    next: get('/health', 'Read the state of the service without the metrics.'),
  }),
  capability_not_grantable: badRequest({
    meaning: 'No grant carries this capability: it is one over grants, or needs the sign-in of the wallet itself.',
    next: get('/auth/session', 'Read which capabilities can be granted, in capabilityMatrix.grantable.'),
  }),
  grant_capability_not_owned: forbidden({
    title: 'Capability not held by the issuer',
    meaning: 'An admin grants only capabilities that the own token carries.',
    next: get('/auth/session', 'Read the own capabilities.'),
  }),
  service_token_not_found: notFound({
    meaning: 'No service token has a grant with this id.',
    next: get('/admin/service-tokens', 'List the service tokens.'),
  }),
  service_token_grant_revoked: {
    title: 'Service token revoked',
    meaning: 'The grant of this service token was revoked, or another rotation replaced it.',
    next: post('/admin/service-tokens', 'Issue a new token.'),
  },
  capability_grant_not_found: notFound({
    meaning: 'No wallet has a grant with this id.',
    next: get('/admin/capability-grants', 'List the grants of wallets.'),
  }),
})
