import { z } from 'zod'
import { codesOf } from '../common/error-row.ts'
import { operation, PUBLIC, SIGNED_IN, WALLET_ONLY } from '../operations/operation.ts'
import { Address, ChainIdValue, IsoTime, listAnswer, listQuery, literal, OpenObject, part } from '../operations/values.ts'
import { AuthSessionShape, SessionsToEnd } from './auth-sessions.ts'
import { ROLES } from './authorisation.ts'
import { DelegateShape, DelegatesToRevoke, OwnDelegate } from './delegate-shapes.ts'
import { DelegateTermsInput } from './delegate-terms.ts'
import { SIGN_IN_ERRORS } from './errors.ts'
import { nativeMembers, Wallet, WalletInput } from './native-shapes.ts'
import { SignedMessage } from './signed-message.ts'

const open = { tags: ['Sign-in'], auth: PUBLIC } as const
const signedIn = { tags: ['Sign-in'], ...SIGNED_IN } as const

const SignedInShape = z.object({
  token: z.string(),
  wallet: Wallet,
  ...nativeMembers,
  expiresAt: IsoTime,
  roles: z.array(z.enum(ROLES)),
  capabilities: z.array(z.string()),
  tokenType: literal('Bearer'),
  tokenKind: z.enum(['wallet', 'delegate']),
  capabilityGrantId: z.string().optional().describe('Grant of a delegate; absent for the token of a wallet.'),
})

export const issueNonce = operation('issueNonce', 'POST /auth/nonce', {
  summary: 'Get the sign-in message for a wallet.',
  description:
    'Sign exactly the returned text. The nonce is for one use and a short time. With `delegate` the message names what a delegate may do, and its signature gives the token of a delegate.',
  ...open,
  action: 'request_siwe_nonce',
  rate: 'auth_nonce',
  body: z.strictObject({
    wallet: WalletInput,
    domain: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe('Host of the page that asks for the signature, with its port: that of the service (default) or of its web console.'),
    delegate: DelegateTermsInput.optional().describe('Asks for a message that grants this to a delegate, instead of a sign-in.'),
  }),
  responses: {
    200: z.object({
      wallet: Wallet,
      nonce: z.string(),
      domain: z.string(),
      chainId: z.union([ChainIdValue, z.string()]).describe('Number of the chain; for a native account the CAIP-2 id of the network.'),
      statement: z.string(),
      issuedAt: IsoTime,
      expiresAt: IsoTime.describe('Last instant at which the signed message is accepted.'),
      message: z.string().describe('Text to sign, exactly as it is.'),
      scheme: literal('siws').optional().describe('Form of the message of a native account; absent for other wallets.'),
      ...nativeMembers,
      acceptedSignatureTypes: z
        .array(z.enum(['sr25519', 'ed25519']))
        .optional()
        .describe('Signatures that a native account can send; absent for other wallets.'),
    }),
  },
  // A tool client cannot use the token of a delegate that it asks for: it gets one by OAuth.
  tool: { name: 'fetchAuthNonce', directory: false, unlisted: ['domain', 'delegate'], sets: ['worker', 'poster', 'savings', 'operator'] },
  examples: { body: { wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } },
})

export const verifySignature = operation('verifySignature', 'POST /auth/verify', {
  summary: 'Exchange the signed message for a bearer token.',
  description:
    'The signature is one of the key of the wallet, or one that the contract wallet accepts: by EIP-1271, or by ERC-6492 before its deployment. Contract wallets need a readable chain. A native account signs the text, bare or between <Bytes> and </Bytes>.',
  ...open,
  action: 'verify_siwe_signature',
  rate: 'auth_verify',
  body: SignedMessage,
  responses: { 200: SignedInShape },
  errors: [...codesOf(SIGN_IN_ERRORS), 'delegate_limit_reached', 'blockchain_unavailable', 'token_key_unavailable'],
  tool: { name: 'verifySiwe', directory: false, sets: ['worker', 'poster', 'savings', 'operator'] },
  examples: {
    body: {
      message:
        'work.example wants you to sign in with your Ethereum account:\n0x70997970C51812dc3A010C7d01b50e0d17dc79C8\n\nSign in to the agent work service.\n\nURI: https://work.example\nVersion: 1\nChain ID: 420420417\nNonce: 0123456789abcdef0123456789abcdef\nIssued At: 2026-01-02T03:04:05.000Z\nExpiration Time: 2026-01-02T03:09:05.000Z',
      signature:
        '0x5feed8851fc1fe56683972f8881b49c8d39cd17b7c18db03e35b8feb3f5e6945061ef7c2b05fbb344f52f1ee9b9bb5303c4ba4e5ba9d23206b33698b285228f21b',
    },
  },
})

export const refreshToken = operation('refreshToken', 'POST /auth/refresh', {
  summary: 'Exchange a token for a new one with the same subject and roles; the old one is revoked.',
  description:
    'For a short grace the old token gets the new one again here. Used here later, an old token ends the whole sign-in. GET /auth/session says until when refreshes are possible.',
  tags: ['Sign-in'],
  auth: WALLET_ONLY,
  action: 'refresh_wallet_token',
  rate: 'auth_refresh',
  replacedToken: true,
  body: z.strictObject({}),
  responses: { 200: SignedInShape.extend({ rotatedFromJti: z.string().describe('Id of the revoked token.') }) },
  errors: ['auth_session_expired', 'refresh_reused', 'service_token_refresh_unsupported', 'token_key_unavailable'],
  tool: { name: 'refreshAuthToken', directory: false, sets: ['worker', 'poster', 'savings', 'operator'] },
  examples: { body: {} },
})

export const logout = operation('logout', 'POST /auth/logout', {
  summary: 'Revoke the presented token; that of a wallet with its whole sign-in, that of a delegate with its grant.',
  ...signedIn,
  withoutGrant: true,
  body: z.strictObject({}),
  responses: { 200: z.object({ status: literal('logged_out'), wallet: Address, jti: z.string().describe('Id of the revoked token.') }) },
  examples: { body: {} },
})

export const getAuthSession = operation('getAuthSession', 'GET /auth/session', {
  summary: 'What the presented token may do, and until when.',
  ...signedIn,
  withoutGrant: true,
  responses: {
    200: z.object({
      wallet: Address.describe('Address that is paid.'),
      subject: z.string().describe('Lower-case 0x address, or SS58 address of a native account.'),
      ...nativeMembers,
      roles: z.array(z.enum(ROLES)),
      tokenKind: z.enum(['wallet', 'service', 'delegate']),
      serviceToken: z.boolean(),
      capabilityGrantId: z.string().optional().describe('Grant of a service token or delegate; absent for the token of a wallet.'),
      delegate: OwnDelegate.optional().describe('Terms of the token of a delegate; absent for every other token.'),
      serviceScope: z.string().optional().describe('What the service token is for, in the words of its issuer.'),
      capabilities: z.array(z.string()).describe('What the token may do now: empty once the grant of a service token has ended.'),
      capabilityMatrix: part('Which capability each role and each route needs.', {
        version: z.string(),
        base: z.array(z.string()).describe('Capabilities of every wallet.'),
        roles: z.record(z.string(), z.array(z.string())).describe('Capabilities that each role adds.'),
        grantable: z.array(z.string()).describe('Capabilities that an admin can grant, to a wallet or with a service token.'),
        routes: z.record(z.string(), z.array(z.string())).describe('Capabilities that each route needs, such as `POST /jobs/claim`.'),
        routeRules: z.array(OpenObject).describe('Credentials, action id and role that each route needs.'),
        uiControls: z
          .record(z.string(), z.array(z.string()))
          .describe('Capabilities that each operation that changes something needs, by its id.'),
        automationActions: z
          .record(z.string(), z.array(z.string()))
          .describe('Capabilities that each operation with a tool needs, by its id.'),
      }),
      issuedAt: IsoTime,
      expiresAt: IsoTime,
      authTime: IsoTime.describe('Instant of the sign-in by signature; a refresh keeps it.'),
      refreshableUntil: IsoTime.nullable().describe('Null for a service token or delegate.'),
    }),
  },
})

export const listAuthSessions = operation('listAuthSessions', 'GET /auth/sessions', {
  summary: 'Sign-ins of the wallet whose token is accepted, newest first.',
  tags: ['Sign-in'],
  auth: WALLET_ONLY,
  action: 'wallet_sign_in',
  query: z.object(listQuery(50, 200)),
  responses: { 200: z.object({ items: z.array(AuthSessionShape), ...listAnswer }) },
  examples: { query: { limit: '10' } },
})

export const revokeAuthSessions = operation('revokeAuthSessions', 'POST /auth/sessions/revoke', {
  summary: 'End one sign-in of the wallet, all but this one, or all.',
  description: 'Every process refuses their tokens at once. Open streams, held polls and waiting tool calls end within a second.',
  tags: ['Sign-in'],
  auth: WALLET_ONLY,
  action: 'wallet_sign_in',
  body: SessionsToEnd,
  responses: { 200: z.object({ ended: z.array(z.uuid()).describe('Ids of the sign-ins that have ended by it.') }) },
  errors: ['sign_in_not_found'],
  examples: { body: { allBut: 'this' } },
})

export const getKeySet = operation('getKeySet', 'GET /.well-known/jwks.json', {
  summary: 'Public keys of access tokens, badges and receipts.',
  description:
    'Each key has a window: what names it was signed between `validFrom` and `retiredAt`. Retired keys of badges and receipts stay listed, those of access tokens for 30 days at most.',
  ...open,
  responses: {
    200: z.object({
      keys: z.array(
        z.strictObject({
          kty: literal('EC'),
          crv: literal('P-256'),
          x: z.string(),
          y: z.string(),
          alg: literal('ES256'),
          use: literal('sig'),
          kid: z.string(),
          validFrom: IsoTime,
          retiredAt: IsoTime.nullable().describe('Null while the key signs.'),
        }),
      ),
    }),
  },
  cache: 'public, max-age=300',
})

export const listDelegates = operation('listDelegates', 'GET /auth/delegates', {
  summary: 'Delegates of the wallet with their terms, their use and their proof, newest first.',
  tags: ['Sign-in'],
  auth: WALLET_ONLY,
  action: 'wallet_sign_in',
  query: z.object(listQuery(50, 200)),
  responses: { 200: z.object({ items: z.array(DelegateShape), ...listAnswer }) },
  examples: { query: { limit: '10' } },
})

export const revokeDelegates = operation('revokeDelegates', 'POST /auth/delegates/revoke', {
  summary: 'End one delegate of the wallet, or all.',
  description:
    'Every process refuses their tokens at once. Open streams, held polls and waiting tool calls end within a second. What a delegate has claimed stays claimed for the wallet.',
  tags: ['Sign-in'],
  auth: WALLET_ONLY,
  action: 'wallet_sign_in',
  body: DelegatesToRevoke,
  responses: { 200: z.object({ revoked: z.array(z.string()).describe('Ids of the grants that have ended by it.') }) },
  errors: ['delegate_not_found'],
  examples: { body: { all: true } },
})
