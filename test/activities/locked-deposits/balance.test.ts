// Locks and claims of one wallet at once, on a real PostgreSQL and a real chain.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { insertQuote } from '../../../activities/consents/records.ts'
import { createLockReads } from '../../../activities/locked-deposits/reads.ts'
import { createLockSteps } from '../../../activities/locked-deposits/steps.ts'
import { keccakOf } from '../../../domain/common/hashes.ts'
import { fund } from '../../contracts/support/jobs.ts'
import { eventually } from '../../support/eventually.ts'
import { claimInput } from '../../workflows/support/claim-input.ts'
import { waitingForLocks } from '../support/locks.ts'
import { type Service, startService, walletAt } from '../support/service.ts'
import { codeOf } from '../support/settlements.ts'

const HOUR = 3_600_000
const LIQUID = 10_000_000n
/** Stake and fee that the claims foretell. */
const BOND = 250_000n
/** Locks nearly all, so that a bond fits beside it, and two do not. */
const NEARLY_ALL = LIQUID - BOND

let service: Service
let locks: ReturnType<typeof createLockSteps>
beforeAll(async () => {
  service = await startService()
  const { chain, clients, database, clock, reads } = service
  const settings = { ...service.settings, LOCKED_TIERS_ENABLED: true }
  locks = createLockSteps({ settings, chain, database, clock, reads: createLockReads(chain, clients, reads) })
})
afterAll(() => service.stop())

let count = 0
const next = (): number => {
  count += 1
  return count
}
const funded = async (): Promise<`0x${string}`> => {
  const wallet = walletAt(0x500 + next())
  await fund(service.world, wallet, LIQUID)
  return wallet
}

/** Locks an amount of a wallet. */
const lock = async (wallet: string, amountRaw: bigint): Promise<string> => {
  const terms = { tier: 't30', amountRaw: amountRaw.toString(), publicProfileOptIn: false, number: next() }
  const termsHash = keccakOf(terms)
  const expiresAt = service.clock.now() + HOUR
  await insertQuote(service.rows, { termsHash, kind: 'locked_tier_consent_v1', wallet, terms, message: '', expiresAt })
  return codeOf(locks.openLock({ id: termsHash, signature: '0x', requestId: termsHash }))
}

/** Admits a claim of a new job by what the chain shows of the wallet now. */
const claimOf = async (wallet: `0x${string}`) => {
  const { block, position, workerClaimCount } = await service.reads.walletFacts(wallet)
  const jobId = await service.addJob(`balance-${next()}`)
  const read = { withdrawableRaw: position.liquid.toString(), block: block.number.toString() }
  const input = claimInput(jobId, { wallet, idempotencyKey: jobId, ...read })
  return { ...input, economics: { ...input.economics, claimNumber: workerClaimCount + 1 }, runId: `run-${jobId}` }
}
const admit = async (wallet: `0x${string}`): Promise<string> => codeOf(service.admission.admitClaim(await claimOf(wallet)))

test('a lock leaves the bond of a claim whose transaction the chain does not show', async () => {
  const wallet = await funded()
  expect(await admit(wallet)).toBe('taken')
  expect(await lock(wallet, NEARLY_ALL + 1n)).toBe('locked_tier_insufficient_aac_liquid')
  expect(await lock(wallet, NEARLY_ALL)).toBe('taken')
  expect(await admit(wallet)).toBe('insufficient_liquidity')
})

test('a lock counts a bond once that the chain has mined and no process has recorded', async () => {
  const wallet = await funded()
  const claim = await claimOf(wallet)
  const admitted = await service.admission.admitClaim(claim)
  const bond = await service.steps.lockBond({ ...admitted, requestId: 'request-1' })
  const { position } = await service.reads.walletFacts(wallet)
  expect(await lock(wallet, position.liquid + 1n)).toBe('locked_tier_insufficient_aac_liquid')
  expect(await lock(wallet, position.liquid)).toBe('taken')
  await service.claims.recordClaim({ claim, admitted, bond })
})

test('a lock waits for an admission that has read the balance', async () => {
  const wallet = await funded()
  const claim = await claimOf(wallet)
  let claimed = Promise.resolve('')
  let locked = Promise.resolve('')
  let isDecided = false
  await service.database.transaction(async (rows) => {
    await sql`lock table claim_intent in share mode`.execute(rows)
    claimed = codeOf(service.admission.admitClaim(claim))
    await eventually(
      'the admission stores its decision',
      () => waitingForLocks(service.rows),
      (count) => count > 0,
    )
    locked = lock(wallet, NEARLY_ALL + 1n).finally(() => {
      isDecided = true
    })
    await eventually('the lock waits for its turn', async () => isDecided || (await waitingForLocks(service.rows)) > 1, Boolean)
  })
  expect([await claimed, await locked]).toEqual(['taken', 'locked_tier_insufficient_aac_liquid'])
})
