import { randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import { readOrElse } from '../../activities/chain/reachable.ts'
import { assertUnexpired } from '../../activities/consents/records.ts'
import { createIdleReads } from '../../activities/idle-allocation/reads.ts'
import { findIdleConsent, latestIdleConsent, readMoved } from '../../activities/idle-allocation/records.ts'
import { idleAllocationStart } from '../../activities/idle-allocation/start.ts'
import { createStrategyReads } from '../../activities/strategies/reads.ts'
import { amounts } from '../../domain/common/money.ts'
import { type IdleConsentRecord, idleConsentStatus, idleConsentView } from '../../domain/idle-allocation/consent.ts'
import { IDLE_CONSENT, IDLE_PATHS, IDLE_PRODUCT, idleAuthorisation, idleTerms } from '../../domain/idle-allocation/terms.ts'
import { placeView, strategyPlaces } from '../../domain/strategies/places.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type * as idleOperations from '../../schemas/idle-allocation/operations.ts'
import { idleAllocationWorkflowId, idleConsentUpdate, idleRevokeUpdate } from '../../schemas/idle-allocation/process.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import { createConsents } from '../consents/consents.ts'
import type { ApiDeps } from '../deps.ts'
import { withProcessKey } from '../http/idempotency.ts'

const HEAD = { schemaVersion: 1, product: IDLE_PRODUCT } as const
const NOT_LIVE = {
  status: 200 as const,
  body: { ...HEAD, available: false as const, reason: 'route_not_live' as const, endpoints: { status: IDLE_PATHS.status } },
}

/** Idle-balance allocation: status, quote, signed consent and revocation. Source: money, "Idle-balance allocation". */
export const createIdleAllocationHandlers = (deps: ApiDeps): HandlersOf<typeof idleOperations> => {
  const { settings, chain, database, clock, clients, reads, engine } = deps
  const { rows } = database
  const isLive = settings.IDLE_BALANCE_ALLOCATION_ROUTE_LIVE
  const asset = { ...chain.asset, chainId: chain.chainId }
  const depositPool = chain.contracts.depositPool?.address ?? null
  const idleReads = createIdleReads(chain, clients, reads)
  const strategyReads = createStrategyReads(chain, clients)
  const consents = createConsents(deps, IDLE_CONSENT)

  const viewOf = (consent: IdleConsentRecord | null) =>
    idleConsentView(consent, idleConsentStatus(consent, { asset, depositPool }, clock.now()))

  const consentOf = async (wallet: string) => viewOf(await latestIdleConsent(rows, wallet))

  /** `created`: whether this request, or another under its key, gave the consent. */
  const consentAnswer = (consent: ReturnType<typeof viewOf>, created: boolean) => ({
    status: created ? (201 as const) : (200 as const),
    body: { created, consent },
  })

  /** Balance of the wallet in strategies; null while the chain cannot be read. */
  const readLent = async (wallet: Hex) => {
    const reading = await strategyReads.holdings(wallet)
    if (!reading.available) return null
    return strategyPlaces(reading.read.holdings, asset.address).map((place) => placeView(place, asset.decimals))
  }

  const revokedAnswer = async <const Outcome extends object>(wallet: Hex, outcome: Outcome) => ({
    status: 200 as const,
    body: { ...outcome, stillLent: await readLent(wallet) },
  })

  return {
    getIdleAllocation: async ({ caller: { wallet } }) => {
      if (!isLive) return NOT_LIVE
      const [consent, moved] = await Promise.all([consentOf(wallet), readMoved(rows, wallet)])
      const movements = amounts({ allocated: moved.allocatedRaw, recalled: moved.recalledRaw }, asset.decimals)
      return { status: 200, body: { ...HEAD, available: true, endpoints: IDLE_PATHS, consent, movements } }
    },

    quoteIdleAllocation: async ({ caller: { wallet }, body: { consentNonce } }) => {
      if (!isLive) return NOT_LIVE
      const venue = await readOrElse(idleReads.venueState, () => {
        throw new ServiceError('idle_balance_venue_state_unavailable')
      })
      if (venue === null || depositPool === null)
        throw new ServiceError('idle_balance_venue_state_unavailable', { reason: 'deposit_pool_not_configured' })
      const terms = idleTerms({ wallet, consentNonce }, { asset, depositPool, venue, now: clock.now() })
      const revocation = {
        immediateForFutureAllocation: true as const,
        unwindsExistingPosition: false as const,
        submit: { method: 'POST' as const, path: IDLE_PATHS.revoke },
      }
      return {
        status: 200,
        body: { ...HEAD, available: true, ...(await consents.offer(wallet, terms, idleAuthorisation(terms))), revocation },
      }
    },

    consentToIdleAllocation: async (input) => {
      if (!isLive) throw new ServiceError('route_not_live')
      const { wallet } = input.caller
      return consents.withConsent(input, async (quote, key) => {
        const { termsHash } = quote
        const known = await findIdleConsent(rows, termsHash)
        if (known !== null) {
          const consent = viewOf(known)
          if (consent.status === 'revoked' || consent.status === 'expired') throw new ServiceError(`idle_balance_consent_${consent.status}`)
          return consentAnswer(consent, (await key.findUpdate()) === known.requestId)
        }
        assertUnexpired(IDLE_CONSENT, quote, clock.now())
        const requestId = await key.join(idleAllocationWorkflowId(wallet), input.request.id)
        const consent = { termsHash, signature: input.body.consentSignature, requestId }
        const update = { updateId: `consent-${termsHash}`, input: consent }
        consents.assertDone(await engine.updateOrStart(idleConsentUpdate, update, 'idleAllocation', idleAllocationStart({ v: 1, wallet })))
        const given = await findIdleConsent(rows, termsHash)
        // Of concurrent requests one created it.
        return consentAnswer(viewOf(given), given?.requestId === requestId)
      })
    },

    revokeIdleAllocation: async (input) => {
      const { wallet } = input.caller
      return withProcessKey(deps, input, async (key) => {
        const consent = await consentOf(wallet)
        const { status } = consent
        // An earlier request under this key may have revoked it and not have answered.
        if (status === 'revoked' && (await key.findUpdate()) !== null) return revokedAnswer(wallet, { revoked: true, consent })
        if (status !== 'active' && status !== 'invalid')
          return revokedAnswer(wallet, { revoked: false, reason: 'idle_balance_consent_missing' })
        const requestId = await key.join(idleAllocationWorkflowId(wallet), randomUUID())
        const update = { updateId: `revoke-${requestId}`, input: { requestId } }
        consents.assertDone(await engine.updateOrStart(idleRevokeUpdate, update, 'idleAllocation', idleAllocationStart({ v: 1, wallet })))
        return revokedAnswer(wallet, { revoked: true, consent: await consentOf(wallet) })
      })
    },
  }
}
