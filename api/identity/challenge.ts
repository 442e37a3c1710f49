import { randomBytes } from 'node:crypto'
import { SiweMessage } from 'siwe'
import { getAddress, type Hex, recoverMessageAddress } from 'viem'
import type { Rows } from '../../activities/database/database.ts'
import { emit } from '../../activities/events/outbox.ts'
import { createContractWalletCheck } from '../../activities/identity/contract-wallets.ts'
import { type Challenge, consumeChallenge, findChallenge, insertChallenge } from '../../activities/identity/records.ts'
import { iso } from '../../domain/common/instants.ts'
import { delegateStatement } from '../../domain/identity/delegate-terms.ts'
import { type ErrorCode, ServiceError } from '../../schemas/errors.ts'
import type { DelegateRequest } from '../../schemas/identity/entities.ts'
import type { ServiceDeps } from '../deps.ts'
import { invalidRequest } from '../http/problem.ts'

const parse = (text: string): SiweMessage | null => {
  try {
    return new SiweMessage(text)
  } catch {
    // The parser throws plain errors for any text that is not a message; the caller handles that.
    return null
  }
}

const ISSUED_AT = /^Issued At: .*$/m
const hasBadTimeOnly = (text: string): boolean =>
  ISSUED_AT.test(text) && parse(text.replace(ISSUED_AT, 'Issued At: 2026-01-02T03:04:05.000Z')) !== null

/** Parses a sign-in text. `malformed` when it is not one, `bad_issued_at` when only its issue time is unreadable. */
const parseMessage = (text: string): SiweMessage | 'malformed' | 'bad_issued_at' => {
  const message = parse(text)
  if (message !== null) return Number.isNaN(Date.parse(message.issuedAt ?? '')) ? 'bad_issued_at' : message
  return hasBadTimeOnly(text) ? 'bad_issued_at' : 'malformed'
}

const NONCE = /Nonce:\s*([0-9a-f]{32})(?![0-9a-z])/i

/** The nonce that a text names, also in a text that is no valid message. */
const findNonce = (text: string): string | null => NONCE.exec(text)?.[1]?.toLowerCase() ?? null

/** Without letter case; every run of white space, line ends and byte order marks included, is one space. */
const fold = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** Whether a text is the issued message but for letter case or white space. */
const differsInFormOnly = (issued: string, text: string): boolean => issued !== text && fold(issued) === fold(text)

const TOLERANCE_MS = 60_000

/** What a sign-in message binds, from the configuration: host, address of the service, statement and chain. */
export const signInTerms = ({ settings, chain }: Pick<ServiceDeps, 'settings' | 'chain'>) => ({
  domain: settings.AUTH_DOMAIN,
  uri: settings.PUBLIC_BASE_URL ?? `https://${settings.AUTH_DOMAIN}`,
  statement: settings.AUTH_STATEMENT,
  chainId: chain.chainId,
})

/** What a message for a delegate has beside the members of every message. */
interface DelegateMessage {
  request: DelegateRequest
  /** Addresses that the token is for. */
  resources?: string[]
}

/** Issues a message (EIP-4361) for a wallet and stores it: a sign-in, or what the wallet grants to a delegate. */
export const issueChallenge = async (
  deps: ServiceDeps,
  wallet: string,
  requestId: string,
  delegate: DelegateMessage | null = null,
): Promise<Challenge> => {
  const issuedAt = deps.clock.now()
  const expiresAt = issuedAt + deps.settings.AUTH_NONCE_TTL_SECONDS * 1000
  const nonce = randomBytes(16).toString('hex')
  const request = delegate?.request ?? null
  const message = new SiweMessage({
    ...signInTerms(deps),
    ...(request !== null && { statement: delegateStatement(request.client, request.terms, request.endsAt, deps.chain.asset) }),
    ...(request?.interaction != null && { requestId: request.interaction }),
    ...(delegate?.resources !== undefined && { resources: delegate.resources }),
    address: getAddress(wallet),
    version: '1',
    nonce,
    issuedAt: iso(issuedAt),
    expirationTime: iso(expiresAt),
  }).prepareMessage()
  const challenge: Challenge = { nonce, kind: 'evm', subject: wallet, message, delegate: request, issuedAt, expiresAt }
  await deps.database.transaction(async (rows) => {
    await insertChallenge(rows, challenge)
    await emit(rows, { topic: 'journey.auth_nonce_issued', wallets: [wallet], correlationId: requestId, at: issuedAt, data: { wallet } })
  })
  return challenge
}

const refuse = (code: ErrorCode, detail?: string): never => {
  throw new ServiceError(code, { detail })
}

const readMessage = (text: string): SiweMessage => {
  const message = parseMessage(text)
  if (message === 'malformed') throw invalidRequest([{ pointer: '/message', rule: 'siwe', message: 'is not a sign-in message (EIP-4361)' }])
  if (message === 'bad_issued_at') throw new ServiceError('siwe_bad_issued_at')
  return message
}

/** Checks 2 to 7 of identity, "Order of checks in verify": the members of the message. */
const assertTerms = (message: SiweMessage, terms: ReturnType<typeof signInTerms>, now: number): void => {
  if (message.domain !== terms.domain) refuse('siwe_domain_mismatch')
  if (message.uri !== terms.uri) refuse('siwe_uri_mismatch')
  if (message.chainId !== terms.chainId) refuse('siwe_chain_mismatch')
  if (message.expirationTime !== undefined && Date.parse(message.expirationTime) <= now) refuse('siwe_expired')
  if (message.notBefore !== undefined && Date.parse(message.notBefore) > now + TOLERANCE_MS) refuse('siwe_not_before')
  if (Date.parse(message.issuedAt ?? '') > now + TOLERANCE_MS) refuse('siwe_iat_future')
}

/** The address whose key signed; null for a signature that only a contract wallet may accept. */
const recoverSigner = async (text: string, signature: Hex): Promise<string | null> => {
  try {
    return (await recoverMessageAddress({ message: text, signature })).toLowerCase()
  } catch {
    // A length other than that of a key's signature, a point that is not on the curve, or an unknown recovery id.
    return null
  }
}

/** Checks 11 and 12. A signature of the wallet's own key needs no chain. */
const assertSigned = async ({ clients }: ServiceDeps, wallet: Hex, text: string, hex: Hex): Promise<void> => {
  const signer = await recoverSigner(text, hex)
  if (signer === wallet) return
  if (await createContractWalletCheck(clients.reader)(wallet, text, hex)) return
  refuse(signer === null ? 'siwe_recover_failed' : 'siwe_signature_mismatch')
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

/** A message that a wallet signed. Its signature is hex with 0x. */
export interface SignedChallenge {
  wallet: `0x${string}`
  challenge: Challenge
  signature: Hex
}

/**
 * Verifies a signed message, consumes its nonce and does what it is for, in one transaction. `interaction` names the request of OAuth that it
 * must answer, null for none. Throws the code of the first check that fails.
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
  const message = readMessage(text)
  assertTerms(message, signInTerms(deps), now)
  if (challenge === null) return refuse('invalid_nonce')
  const wallet = message.address.toLowerCase() as `0x${string}`
  if (challenge.subject !== wallet) refuse('nonce_wallet_mismatch')
  if (challenge.message !== text) refuse('siwe_message_mismatch')
  if ((challenge.delegate?.interaction ?? null) !== interaction) refuse('invalid_nonce')
  const hex: Hex = signature.startsWith('0x') ? (signature as Hex) : `0x${signature}`
  await assertSigned(deps, wallet, text, hex)
  return deps.database.transaction(async (rows) => {
    if (!(await consumeChallenge(rows, challenge.nonce, now))) refuse('invalid_nonce')
    await emit(rows, { topic: 'journey.auth_verified', wallets: [wallet], correlationId: requestId, at: now, data: { wallet } })
    return work(rows, { wallet, challenge, signature: hex }, now)
  })
}
