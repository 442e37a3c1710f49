import { randomUUID } from 'node:crypto'
import { checkConsent, findConsent, findQuote, insertQuote } from '../../activities/consents/records.ts'
import { createIdleReads } from '../../activities/idle-allocation/reads.ts'
import { findIdleConsent, latestIdleConsent, readMoved } from '../../activities/idle-allocation/records.ts'
import { keccakOf } from '../../domain/common/hashes.ts'
import { amount } from '../../domain/common/money.ts'
import { consentMessage } from '../../domain/consents/message.ts'
import { type IdleConsentRecord, idleConsentStatus, idleConsentView } from '../../domain/idle-allocation/consent.ts'
import { IDLE_PATHS, IDLE_PRODUCT, idleTerms } from '../../domain/idle-allocation/terms.ts'
import { isServiceError, ServiceError } from '../../schemas/errors.ts'
import type * as idleOperations from '../../schemas/idle-allocation/operations.ts'
import { idleAllocationWorkflowId } from '../../schemas/idle-allocation/process.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'
import { keyedRequest, withProcessKey } from '../http/idempotency.ts'
import { signInTerms } from '../identity/challenge.ts'

const KIND = 'idle_balance_allocation_consent_v1'
const AUTHORISES = 'I let the operator lend my idle balance to the deposit pool by the terms below, until I revoke it or 90 days are over.'

export type IdleAllocationDeps = Pick<ApiDeps, 'settings' | 'chain' | 'database' | 'clock' | 'clients' | 'reads' | 'baseUrl'> & {
  engine: Pick<ApiDeps['engine'], 'consentToIdleAllocation' | 'revokeIdleAllocation'>
}

const NOT_LIVE = {
  status: 200 as const,
  body: {
    schemaVersion: 1 as const,
    available: false as const,
    reason: 'route_not_live' as const,
    product: IDLE_PRODUCT,
    endpoints: { status: IDLE_PATHS.status },
  },
}

/** Idle-balance allocation: status, quote, signed consent and revocation. Source: money, "Idle-balance allocation". */
export const createIdleAllocationHandlers = (deps: IdleAllocationDeps): HandlersOf<typeof idleOperations> => {
  const { settings, chain, database, clock, clients, reads, baseUrl, engine } = deps
  const { rows } = database
  const isLive = settings.IDLE_BALANCE_ALLOCATION_ROUTE_LIVE
  const asset = { ...chain.asset, chainId: chain.chainId }
  const depositPool = chain.contracts.depositPool?.address ?? null
  const idleReads = createIdleReads(chain, clients, reads)

  const viewOf = (consent: IdleConsentRecord | null) =>
    idleConsentView(consent, idleConsentStatus(consent, { asset, depositPool }, clock.now()))

  const consentOf = async (wallet: string) => viewOf(await latestIdleConsent(rows, wallet))

  /** `created`: whether this request, or another under its key, gave the consent. */
  const consentAnswer = (consent: ReturnType<typeof viewOf>, created: boolean) => ({
    status: created ? (201 as const) : (200 as const),
    body: { created, consent },
  })

  const readVenue = async () => {
    try {
      return await idleReads.venueState()
    } catch (error) {
      if (isServiceError(error) && error.code === 'blockchain_unavailable') throw new ServiceError('idle_balance_venue_state_unavailable')
      throw error
    }
  }

  return {
    getIdleAllocation: async ({ caller: { wallet } }) => {
      if (!isLive) return NOT_LIVE
      const [consent, moved] = await Promise.all([consentOf(wallet), readMoved(rows, wallet)])
      const shown = (raw: bigint) => amount({ raw, decimals: asset.decimals })
      const movements = { allocated: shown(moved.allocatedRaw), recalled: shown(moved.recalledRaw) }
      const head = { schemaVersion: 1 as const, available: true as const, product: IDLE_PRODUCT }
      return { status: 200, body: { ...head, endpoints: IDLE_PATHS, consent, movements } }
    },

    quoteIdleAllocation: async ({ caller: { wallet }, body: { consentNonce } }) => {
      if (!isLive) return NOT_LIVE
      const venue = await readVenue()
      if (venue === null || depositPool === null)
        throw new ServiceError('idle_balance_venue_state_unavailable', { reason: 'deposit_pool_not_configured' })
      const now = clock.now()
      const terms = idleTerms({ wallet, consentNonce }, { asset, depositPool, venue, now })
      const termsHash = keccakOf(terms)
      const expiresAt = Date.parse(terms.quoteExpiresAt)
      const { domain, chainId } = signInTerms(deps)
      const bound = { domain, wallet, authorises: AUTHORISES, termsHash, terms, uri: `${baseUrl}${IDLE_PATHS.consent}`, chainId }
      const message = consentMessage({ ...bound, nonce: consentNonce, issuedAt: now, expiresAt })
      await insertQuote(rows, { termsHash, kind: KIND, wallet, terms, message, expiresAt })
      return {
        status: 200,
        body: {
          schemaVersion: 1 as const,
          available: true as const,
          product: IDLE_PRODUCT,
          terms,
          termsHash,
          consent: {
            required: true as const,
            method: 'SIWE_EIP4361' as const,
            message,
            submit: { method: 'POST' as const, path: IDLE_PATHS.consent },
          },
          revocation: {
            immediateForFutureAllocation: true as const,
            unwindsExistingPosition: false as const,
            submit: { method: 'POST' as const, path: IDLE_PATHS.revoke },
          },
        },
      }
    },

    consentToIdleAllocation: async (input) => {
      if (!isLive) throw new ServiceError('route_not_live')
      const { caller, body, request } = input
      const { wallet } = caller
      const { termsHash, consentSignature: signature } = body
      return withProcessKey(keyedRequest(deps, 'idle_allocation_consent', input), async (key) => {
        const quote = (await findQuote(rows, KIND, termsHash)) ?? (await findConsent(rows, KIND, termsHash))
        if (quote === null) throw new ServiceError('idle_balance_consent_quote_unknown')
        const refusal = await checkConsent(quote, { terms: body.terms, termsHash, signature }, wallet)
        if (refusal !== null) throw new ServiceError(`idle_balance_consent_${refusal}`)
        const known = await findIdleConsent(rows, termsHash)
        if (known !== null) {
          const consent = viewOf(known)
          if (consent.status === 'revoked' || consent.status === 'expired') throw new ServiceError(`idle_balance_consent_${consent.status}`)
          return consentAnswer(consent, await key.hasJoined(known.requestId))
        }
        if ('expiresAt' in quote && clock.now() >= quote.expiresAt) throw new ServiceError('idle_balance_consent_quote_expired')
        const requestId = await key.join({ subject: wallet, workflowId: idleAllocationWorkflowId(wallet), updateId: request.id })
        const outcome = await engine.consentToIdleAllocation(wallet, { termsHash, signature, requestId })
        if (outcome.kind === 'pending') throw new ServiceError('idle_balance_consent_pending', { retryAfterSeconds: 2 })
        const given = await findIdleConsent(rows, termsHash)
        // Of concurrent requests one created it.
        return consentAnswer(viewOf(given), given?.requestId === requestId)
      })
    },

    revokeIdleAllocation: async (input) => {
      const { wallet } = input.caller
      return withProcessKey(keyedRequest(deps, 'idle_allocation_revoke', input), async (key) => {
        const consent = await consentOf(wallet)
        const { status } = consent
        // An earlier request under this key may have revoked it and not have answered.
        if (status === 'revoked' && (await key.findProcess()) !== null)
          return { status: 200 as const, body: { revoked: true as const, consent } }
        if (status !== 'active' && status !== 'invalid')
          return { status: 200 as const, body: { revoked: false as const, reason: 'idle_balance_consent_missing' as const } }
        const updateId = await key.join({ subject: wallet, workflowId: idleAllocationWorkflowId(wallet), updateId: randomUUID() })
        const outcome = await engine.revokeIdleAllocation(wallet, updateId)
        if (outcome.kind === 'pending') throw new ServiceError('idle_balance_consent_pending', { retryAfterSeconds: 2 })
        return { status: 200 as const, body: { revoked: true as const, consent: await consentOf(wallet) } }
      })
    },
  }
}
