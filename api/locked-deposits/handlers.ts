import type { Hex } from 'viem'
import { checkConsent, findConsent, findQuote, insertQuote, type StoredQuote } from '../../activities/consents/records.ts'
import { readGate } from '../../activities/locked-deposits/gate.ts'
import { lockPolicy } from '../../activities/locked-deposits/policy.ts'
import { createLockReads } from '../../activities/locked-deposits/reads.ts'
import { findLock, readLockSums } from '../../activities/locked-deposits/records.ts'
import { createTierStates } from '../../activities/locked-deposits/state.ts'
import { refusedLockError } from '../../activities/locked-deposits/steps.ts'
import { spendableRaw } from '../../domain/chain/account-position.ts'
import { knownValue } from '../../domain/common/fact.ts'
import { keccakOf } from '../../domain/common/hashes.ts'
import { amount, minRaw } from '../../domain/common/money.ts'
import { consentMessage } from '../../domain/consents/message.ts'
import { checkLock } from '../../domain/locked-deposits/checks.ts'
import { lockAt } from '../../domain/locked-deposits/lock.ts'
import { lockTerms } from '../../domain/locked-deposits/terms.ts'
import { LOCK_PRODUCT, tierTermsView } from '../../domain/locked-deposits/tiers.ts'
import { consequenceView, LOCK_PATHS, lockView } from '../../domain/locked-deposits/view.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type * as lockOperations from '../../schemas/locked-deposits/operations.ts'
import { lockedDepositWorkflowId } from '../../schemas/locked-deposits/process.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'
import { keyedRequest, withProcessKey } from '../http/idempotency.ts'
import { signInTerms } from '../identity/challenge.ts'

const KIND = 'locked_tier_consent_v1'
const AUTHORISES =
  'I lock a part of my balance in the account contract by the terms below. No funds move, and I can leave early by the same terms.'

export type LockedDepositDeps = Pick<ApiDeps, 'settings' | 'chain' | 'database' | 'clock' | 'clients' | 'reads' | 'baseUrl'> & {
  engine: Pick<ApiDeps['engine'], 'openLockedDeposit' | 'exitLockedDeposit'>
}

/** Locked deposits: quote, signed consent and early exit. Source: money, "Locked deposits". */
export const createLockedDepositHandlers = (deps: LockedDepositDeps): HandlersOf<typeof lockOperations> => {
  const { settings, chain, database, clock, clients, reads, baseUrl, engine } = deps
  const { rows } = database
  const { asset } = chain
  const policy = lockPolicy(settings, asset.decimals)
  const lockReads = createLockReads(chain, clients, reads)
  const readTierState = createTierStates(deps)
  const shown = (raw: bigint) => amount({ raw, decimals: asset.decimals })

  const storedConsent = async (termsHash: string): Promise<StoredQuote | null> => {
    const quote = await findQuote(rows, KIND, termsHash)
    if (quote !== null) return quote
    const consent = await findConsent(rows, KIND, termsHash)
    return consent && { ...consent, expiresAt: consent.storedAt }
  }

  /** `created`: whether this request, or another under its key, made the lock. */
  const lockAnswer = async (id: string, wallet: Hex, created: boolean) => {
    const [lock, facts] = await Promise.all([findLock(rows, id), lockReads.lockFacts(wallet)])
    if (lock === null) throw new Error('the lock is not recorded')
    const now = clock.now()
    const tierState = await readTierState(rows, wallet, facts, now)
    const body = { schemaVersion: 1 as const, created, entry: lockView(lock, asset.decimals, now), tierState }
    return { status: created ? (201 as const) : (200 as const), body }
  }

  return {
    quoteLockedDeposit: async ({ caller: { wallet }, body }) => {
      const { tier, consentNonce } = body
      const request = { tier, amountRaw: BigInt(body.amountRaw) }
      const facts = await lockReads.lockFacts(wallet)
      const now = clock.now()
      const sums = await readLockSums(rows, wallet, now)
      const refusal = checkLock(request, facts, sums, policy)
      if (refusal !== null) throw refusedLockError(refusal, asset.decimals)
      const [position, pool] = [knownValue(facts.position), knownValue(facts.pool)]
      if (position === undefined || pool === undefined) throw new Error('an unread lock passed its checks')
      const gate = await readGate(rows, deps, facts.pool, now)
      const publicProfileOptIn = 'publicProfileOptIn' in body && body.publicProfileOptIn === true
      const terms = lockTerms({ wallet, ...request, consentNonce, publicProfileOptIn }, asset, { gate, pool, now })
      const termsHash = keccakOf(terms)
      const expiresAt = Date.parse(terms.quoteExpiresAt)
      const { domain, chainId } = signInTerms(deps)
      const bound = { domain, wallet, authorises: AUTHORISES, termsHash, terms, uri: `${baseUrl}${LOCK_PATHS.consent}`, chainId }
      const message = consentMessage({ ...bound, nonce: consentNonce, issuedAt: now, expiresAt })
      await insertQuote(rows, { termsHash, kind: KIND, wallet, terms, message, expiresAt })
      return {
        status: 200,
        body: {
          schemaVersion: 1 as const,
          available: true as const,
          product: LOCK_PRODUCT,
          terms,
          termsHash,
          tierTerms: tierTermsView(tier),
          activationGate: gate,
          nav: terms.nav,
          riskSentence: terms.riskSentence,
          balance: {
            liquid: shown(position.liquid),
            alreadyEncumbered: shown(sums.encumberedRaw),
            availableToLock: shown(spendableRaw(position, sums.encumberedRaw)),
          },
          caps: {
            perWallet: shown(policy.walletCapRaw),
            lockedCohort: shown(minRaw(policy.cohortCapRaw, pool.headroomRaw)),
            existingPoolHeadroom: shown(pool.headroomRaw),
            existingPoolPerAgentHeadroom: shown(pool.holderHeadroomRaw),
          },
          consent: {
            required: true as const,
            method: 'SIWE_EIP4361' as const,
            message,
            submit: { method: 'POST' as const, path: LOCK_PATHS.consent },
          },
        },
      }
    },

    createLockedDeposit: async (input) => {
      const { caller, body, request } = input
      const { wallet } = caller
      const { termsHash, consentSignature: signature } = body
      return withProcessKey(keyedRequest(deps, 'locked_deposit_consent', input), async (key) => {
        const quote = await storedConsent(termsHash)
        if (quote === null) throw new ServiceError('locked_tier_quote_unknown')
        const refusal = await checkConsent(quote, { terms: body.terms, termsHash, signature }, wallet)
        if (refusal === 'terms_hash_mismatch') throw new ServiceError('locked_tier_terms_hash_mismatch')
        if (refusal !== null) throw new ServiceError(`locked_tier_consent_${refusal}`)
        const known = await findLock(rows, termsHash)
        if (known !== null) return lockAnswer(termsHash, wallet, await key.hasJoined(known.requestId))
        if (clock.now() >= quote.expiresAt) throw new ServiceError('locked_tier_quote_expired')
        // What the chain refuses, or does not tell, is answered at once; the process checks it again.
        const { tier, amountRaw } = lockRequestOf(quote)
        const facts = await lockReads.lockFacts(wallet)
        const refused = checkLock({ tier, amountRaw }, facts, await readLockSums(rows, wallet, clock.now()), policy)
        if (refused !== null) throw refusedLockError(refused, asset.decimals)
        const requestId = await key.join({ subject: termsHash, workflowId: lockedDepositWorkflowId(termsHash), updateId: request.id })
        const outcome = await engine.openLockedDeposit({ id: termsHash, wallet }, { signature, requestId })
        if (outcome.kind === 'pending') throw new ServiceError('locked_tier_consent_pending', { retryAfterSeconds: 2 })
        // Of concurrent requests one created it.
        return lockAnswer(termsHash, wallet, (await findLock(rows, termsHash))?.requestId === requestId)
      })
    },

    exitLockedDeposit: async (input) => {
      const { caller, params, request } = input
      const { wallet } = caller
      return withProcessKey(keyedRequest(deps, 'locked_deposit_exit', input), async () => {
        const { id } = params
        const before = await findLock(rows, id)
        if (before === null || before.wallet !== wallet) throw new ServiceError('locked_tier_not_found')
        const { status } = lockAt(before, clock.now())
        if (status === 'released') throw new ServiceError('locked_tier_already_released')
        if (status === 'active') {
          const outcome = await engine.exitLockedDeposit({ id, wallet }, request.id)
          if (outcome.kind === 'pending') throw new ServiceError('locked_tier_consent_pending', { retryAfterSeconds: 2 })
        }
        const lock = lockAt((await findLock(rows, id)) ?? before, clock.now())
        if (lock.exitRequestedAt === null) throw new ServiceError('locked_tier_already_released')
        return {
          status: 200,
          body: { entry: lockView(lock, asset.decimals, clock.now()), consequence: consequenceView(lock, asset.decimals) },
        }
      })
    },
  }
}

const lockRequestOf = ({ terms }: StoredQuote) => {
  const { tier, amountRaw } = terms as unknown as ReturnType<typeof lockTerms>
  return { tier, amountRaw: BigInt(amountRaw) }
}
