import { randomBytes } from 'node:crypto'
import type { Rows } from '../../activities/database/database.ts'
import { emit } from '../../activities/events/outbox.ts'
import { rememberNativeAccount } from '../../activities/identity/native-accounts.ts'
import { type Challenge, consumeChallenge, findChallenge, insertChallenge } from '../../activities/identity/records.ts'
import { iso } from '../../domain/common/instants.ts'
import { delegateStatement } from '../../domain/identity/delegate-terms.ts'
import { isNativeText } from '../../domain/identity/native/message.ts'
import { type ErrorCode, ServiceError } from '../../schemas/errors.ts'
import type { DelegateRequest } from '../../schemas/identity/entities.ts'
import type { ServiceDeps } from '../deps.ts'
import { invalidRequest } from '../http/problem.ts'
import { accountOf, type SignInAccount } from './accounts/account.ts'
import { evmAccounts } from './accounts/evm.ts'
import type { AccountKind, SignInText } from './accounts/kind.ts'
import { nativeAccounts } from './accounts/native.ts'

const KINDS: Record<Challenge['kind'], AccountKind> = { evm: evmAccounts, native: nativeAccounts }

const NONCE = /Nonce:\s*([0-9a-f]{32})(?![0-9a-z])/i

/** The nonce that a text names, also in a text that is no valid message. */
const findNonce = (text: string): string | null => NONCE.exec(text)?.[1]?.toLowerCase() ?? null

/** Without letter case; every run of white space, line ends and byte order marks included, is one space. */
const fold = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** Whether a text is the issued message but for letter case or white space. */
const differsInFormOnly = (issued: string, text: string): boolean => issued !== text && fold(issued) === fold(text)

const TOLERANCE_MS = 60_000

/** The page that asks for a signature. A wallet warns where its host is not the domain of the message. */
interface SignInPlace {
  domain: string
  uri: string
}

const ownPlace = ({ settings }: Pick<ServiceDeps, 'settings'>): SignInPlace => ({
  domain: settings.AUTH_DOMAIN,
  uri: settings.PUBLIC_BASE_URL ?? `https://${settings.AUTH_DOMAIN}`,
})

/** The pages that may ask for a sign-in: the service itself first, then the web console. */
const signInPlaces = (deps: Pick<ServiceDeps, 'settings'>): SignInPlace[] => {
  const { APP_URL } = deps.settings
  if (APP_URL === undefined) return [ownPlace(deps)]
  const { host, origin } = new URL(APP_URL)
  return [ownPlace(deps), { domain: host, uri: origin }]
}

/** The page of a domain; the service itself without one. Throws 400 `invalid_request` for a foreign domain, and for a delegate's on another page. */
const placeOf = (deps: Pick<ServiceDeps, 'settings'>, domain: string | undefined, isDelegate: boolean): SignInPlace => {
  const places = isDelegate ? [ownPlace(deps)] : signInPlaces(deps)
  const place = domain === undefined ? ownPlace(deps) : places.find((one) => one.domain === domain)
  if (place !== undefined) return place
  const message = isDelegate
    ? 'must be the domain of the service for a delegate'
    : 'must be the domain of the service or of its web console'
  throw invalidRequest([{ pointer: '/domain', rule: 'enum', limit: places.map((one) => one.domain).join(', '), message }])
}

/** What a message binds, from the configuration: host, address of the service, statement and chain. Other kinds of accounts name the chain by another id. */
export const signInTerms = (deps: Pick<ServiceDeps, 'settings' | 'chain'>) => ({
  ...ownPlace(deps),
  statement: deps.settings.AUTH_STATEMENT,
  chainId: deps.chain.chainId,
})

/** The chain as messages of a kind name it. Throws where the chain serves no accounts of the kind. */
export const chainIdOf = ({ chain }: Pick<ServiceDeps, 'chain'>, kind: Challenge['kind']): number | string => {
  const chainId = KINDS[kind].chainId(chain)
  if (chainId === null) throw new Error(`this chain serves no ${kind} accounts`)
  return chainId
}

/** What a message for a delegate has beside the members of every message. */
interface DelegateMessage {
  request: DelegateRequest
  /** Addresses that the token is for. */
  resources?: string[]
}

/** What a message is for, and which page asks for it. */
interface ChallengeRequest {
  requestId: string
  /** Domain of the page; that of the service without one. */
  domain?: string | undefined
  delegate?: DelegateMessage | null
}

/** Issues a message for an account and stores it: a sign-in, or what the wallet grants to a delegate. Throws 400 `invalid_request` for a foreign domain. */
export const issueChallenge = async (
  deps: ServiceDeps,
  { kind, subject, wallet }: SignInAccount,
  { requestId, domain, delegate = null }: ChallengeRequest,
): Promise<Challenge> => {
  const place = placeOf(deps, domain, delegate !== null)
  const issuedAt = deps.clock.now()
  const expiresAt = issuedAt + deps.settings.AUTH_NONCE_TTL_SECONDS * 1000
  const nonce = randomBytes(16).toString('hex')
  const request = delegate?.request ?? null
  const { statement } = signInTerms(deps)
  const message = KINDS[kind].format(deps.chain, subject, {
    ...place,
    statement: request === null ? statement : delegateStatement(request.client, request.terms, request.endsAt, deps.chain.asset),
    ...(request?.interaction != null && { requestId: request.interaction }),
    ...(delegate?.resources !== undefined && { resources: delegate.resources }),
    nonce,
    issuedAt: iso(issuedAt),
    expirationTime: iso(expiresAt),
  })
  const challenge: Challenge = { nonce, kind, subject, message, delegate: request, issuedAt, expiresAt }
  await deps.database.transaction(async (rows) => {
    await insertChallenge(rows, challenge)
    await emit(rows, { topic: 'journey.auth_nonce_issued', wallets: [wallet], correlationId: requestId, at: issuedAt, data: { wallet } })
  })
  return challenge
}

const refuse = (code: ErrorCode, detail?: string): never => {
  throw new ServiceError(code, { detail })
}

const readMessage = (kind: Challenge['kind'], text: string): SignInText => {
  const message = KINDS[kind].parse(text)
  if (message === 'malformed') throw invalidRequest([{ pointer: '/message', ...NOT_A_MESSAGE[kind] }])
  if (message === 'bad_issued_at') throw new ServiceError('siwe_bad_issued_at')
  return message
}

const NOT_A_MESSAGE = {
  evm: { rule: 'siwe', message: 'is not a sign-in message (EIP-4361)' },
  native: { rule: 'siws', message: 'is not a sign-in message of a native account' },
} as const

/** Checks 2 to 7 of identity, "Order of checks in verify": the members of the message. */
const assertTerms = (message: SignInText, terms: { domain: string; uri: string; chainId: number | string | null }, now: number): void => {
  if (message.domain !== terms.domain) refuse('siwe_domain_mismatch')
  if (message.uri !== terms.uri) refuse('siwe_uri_mismatch')
  if (message.chainId !== terms.chainId) refuse('siwe_chain_mismatch')
  if (message.expirationTime !== undefined && Date.parse(message.expirationTime) <= now) refuse('siwe_expired')
  if (message.notBefore !== undefined && Date.parse(message.notBefore) > now + TOLERANCE_MS) refuse('siwe_not_before')
  if (Date.parse(message.issuedAt) > now + TOLERANCE_MS) refuse('siwe_iat_future')
}

/**
 * The challenge that a text answers; null if it is unknown, used or expired at `now`. Throws `siwe_message_mismatch` for a text that is an issued
 * one in another form, even after its time.
 */
const findOpenChallenge = async ({ database }: ServiceDeps, text: string, now: number): Promise<Challenge | null> => {
  const nonce = findNonce(text)
  const challenge = nonce === null ? null : await findChallenge(database.rows, nonce)
  if (challenge !== null && differsInFormOnly(challenge.message, text))
    refuse(
      'siwe_message_mismatch',
      'Only letter case, line ends or white space differ from the issued message. Sign the issued message unchanged.',
    )
  return challenge !== null && challenge.consumedAt === null && challenge.expiresAt > now ? challenge : null
}

/**
 * The page that a text has to name: that of the stored challenge, also where another one may sign in. Without a challenge the text is refused later,
 * so that it may name any page. A page that is no longer configured counts as the service itself.
 */
const issuedPlace = (deps: ServiceDeps, challenge: Challenge | null, { domain, uri }: SignInPlace): SignInPlace => {
  const issued = challenge === null ? { domain, uri } : readMessage(challenge.kind, challenge.message)
  return signInPlaces(deps).find((place) => place.domain === issued.domain && place.uri === issued.uri) ?? ownPlace(deps)
}

/** A message that an account signed. Its signature is hex with 0x. */
export interface SignedChallenge {
  account: SignInAccount
  challenge: Challenge
  signature: `0x${string}`
}

/** The account of a stored challenge. */
const accountOfChallenge = ({ subject }: Challenge): SignInAccount => {
  const account = accountOf(subject)
  if (typeof account === 'string') throw new Error(`a challenge names ${subject}, which is no account`)
  return account
}

/**
 * Verifies a signed message, consumes its nonce and does what it is for, in one transaction. The text says which checks its members need; the
 * stored challenge alone says how the signature is verified. `interaction` names the request of OAuth that it must answer, null for none. Throws
 * the code of the first check that fails.
 */
export const verifySignIn = async <T>(
  deps: ServiceDeps,
  {
    message: text,
    signature,
    requestId,
    interaction,
  }: { message: string; signature: string; requestId: string; interaction: string | null },
  work: (rows: Rows, signed: SignedChallenge, now: number) => Promise<T>,
): Promise<T> => {
  const now = deps.clock.now()
  const challenge = await findOpenChallenge(deps, text, now)
  const kind = isNativeText(text) ? 'native' : 'evm'
  const message = readMessage(kind, text)
  assertTerms(message, { ...issuedPlace(deps, challenge, message), chainId: KINDS[kind].chainId(deps.chain) }, now)
  if (challenge === null) return refuse('invalid_nonce')
  if (challenge.subject !== message.subject) refuse('nonce_wallet_mismatch')
  if (challenge.message !== text) refuse('siwe_message_mismatch')
  if ((challenge.delegate?.interaction ?? null) !== interaction) refuse('invalid_nonce')
  const hex = signature.startsWith('0x') ? (signature as `0x${string}`) : (`0x${signature}` as const)
  await KINDS[challenge.kind].assertSigned(deps, challenge.subject, text, hex)
  const account = accountOfChallenge(challenge)
  const { wallet } = account
  return deps.database.transaction(async (rows) => {
    if (!(await consumeChallenge(rows, challenge.nonce, now))) refuse('invalid_nonce')
    if (account.native !== null) await rememberNativeAccount(rows, account.native, now)
    await emit(rows, { topic: 'journey.auth_verified', wallets: [wallet], correlationId: requestId, at: now, data: { wallet } })
    return work(rows, { account, challenge, signature: hex }, now)
  })
}
