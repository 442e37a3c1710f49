import type { Hex } from 'viem'
import { assertUnexpired } from '../../activities/consents/records.ts'
import { assertLockable, lockPolicy, readGate } from '../../activities/locked-deposits/policy.ts'
import { createLockReads } from '../../activities/locked-deposits/reads.ts'
import { findLock } from '../../activities/locked-deposits/records.ts'
import { lockedDepositStart } from '../../activities/locked-deposits/start.ts'
import { createTierStates } from '../../activities/locked-deposits/state.ts'
import { spendableRaw } from '../../domain/chain/account-position.ts'
import { knownValue } from '../../domain/common/fact.ts'
import { amounts, minRaw } from '../../domain/common/money.ts'
import { lockAt } from '../../domain/locked-deposits/lock.ts'
import { LOCK_CONSENT, lockAuthorisation, lockTerms, parseLockTerms } from '../../domain/locked-deposits/terms.ts'
import { LOCK_PRODUCT, tierTermsView } from '../../domain/locked-deposits/tiers.ts'
import { consequenceView, lockView } from '../../domain/locked-deposits/view.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type * as lockOperations from '../../schemas/locked-deposits/operations.ts'
import { lockedDepositWorkflowId, lockOpenedUpdate, requestExitUpdate } from '../../schemas/locked-deposits/process.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import { createConsents } from '../consents/consents.ts'
import type { ApiDeps } from '../deps.ts'
import { withProcessKey } from '../http/idempotency.ts'

/** Locked deposits: quote, signed consent and early exit. Source: money, "Locked deposits". */
export const createLockedDepositHandlers = (deps: ApiDeps): HandlersOf<typeof lockOperations> => {
  const { settings, chain, database, clock, clients, reads, engine } = deps
  const { rows } = database
  const { asset } = chain
  const policy = lockPolicy(settings, asset.decimals)
  const consents = createConsents(deps, LOCK_CONSENT)
  const lockReads = createLockReads(chain, clients, reads)
  const readTierState = createTierStates(deps)

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
      const request = { tier, amountRaw: BigInt(body.amount) }
      const facts = await lockReads.lockFacts(wallet)
      const now = clock.now()
      const sums = await assertLockable(rows, { settings, asset }, { wallet, ...request }, facts, now)
      const [position, pool] = [knownValue(facts.position), knownValue(facts.pool)]
      if (position === undefined || pool === undefined) throw new Error('an unread lock passed its checks')
      const gate = await readGate(rows, deps, facts.pool, now)
      const publicProfileOptIn = 'publicProfileOptIn' in body && body.publicProfileOptIn === true
      const terms = lockTerms({ wallet, ...request, consentNonce, publicProfileOptIn }, asset, { gate, pool, now })
      const balance = {
        liquid: position.liquid,
        alreadyEncumbered: sums.encumberedRaw,
        availableToLock: spendableRaw(position, sums.encumberedRaw + sums.bondsRaw),
      }
      const caps = {
        perWallet: policy.walletCapRaw,
        lockedCohort: minRaw(policy.cohortCapRaw, pool.headroomRaw),
        existingPoolHeadroom: pool.headroomRaw,
        existingPoolPerAgentHeadroom: pool.holderHeadroomRaw,
      }
      const quote = {
        schemaVersion: 1 as const,
        available: true as const,
        product: LOCK_PRODUCT,
        ...(await consents.offer(wallet, terms, lockAuthorisation(terms))),
        tierTerms: tierTermsView(tier),
        activationGate: gate,
        nav: terms.nav,
        riskSentence: terms.riskSentence,
        balance: amounts(balance, asset.decimals),
        caps: amounts(caps, asset.decimals),
      }
      return { status: 200, body: quote }
    },

    createLockedDeposit: (input) =>
      consents.withConsent(input, async (quote, key) => {
        const { termsHash: id, terms } = quote
        const { wallet } = input.caller
        const known = await findLock(rows, id)
        if (known !== null) return lockAnswer(id, wallet, (await key.findUpdate()) === known.requestId)
        assertUnexpired(LOCK_CONSENT, quote, clock.now())
        // What the chain refuses, or does not tell, is answered at once; the process checks it again.
        const facts = await lockReads.lockFacts(wallet)
        await assertLockable(rows, { settings, asset }, { wallet, ...parseLockTerms(terms) }, facts, clock.now())
        const requestId = await key.join(lockedDepositWorkflowId(id), input.request.id)
        const start = lockedDepositStart({ v: 1, id, consent: { signature: input.body.consentSignature, requestId } }, wallet)
        const update = { updateId: 'lock-opened', input: { requestId } }
        consents.assertDone(await engine.updateOrStart(lockOpenedUpdate, update, 'lockedDeposit', start))
        // Of concurrent requests one created it.
        return lockAnswer(id, wallet, (await findLock(rows, id))?.requestId === requestId)
      }),

    exitLockedDeposit: async (input) => {
      const { caller, params, request } = input
      const { wallet } = caller
      return withProcessKey(deps, input, async () => {
        const { id } = params
        const before = await findLock(rows, id)
        if (before === null || before.wallet !== wallet) throw new ServiceError('locked_tier_not_found')
        const { status } = lockAt(before, clock.now())
        if (status === 'released') throw new ServiceError('locked_tier_already_released')
        if (status === 'active') {
          // A process that was lost is started again.
          const start = lockedDepositStart({ v: 1, id, consent: null }, wallet)
          const update = { updateId: 'request-exit', input: { requestId: request.id } }
          consents.assertDone(await engine.updateOrStart(requestExitUpdate, update, 'lockedDeposit', start))
        }
        const lock = lockAt((await findLock(rows, id)) ?? before, clock.now())
        if (lock.exitRequestedAt === null) throw new ServiceError('locked_tier_already_released')
        const entry = lockView(lock, asset.decimals, clock.now())
        return { status: 200, body: { entry, consequence: consequenceView(lock, asset.decimals) } }
      })
    },
  }
}
