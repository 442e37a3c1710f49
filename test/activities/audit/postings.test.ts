// Postings of every status, and the same with one thing altered.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { type Audit, AuditUnreadError } from '../../../activities/audit/context.ts'
import { runCheck } from '../../../activities/audit/run.ts'
import { createScanClient } from '../../../activities/chain/clients.ts'
import { readCursor } from '../../../activities/chain/follower/cursor.ts'
import type { Database } from '../../../activities/database/database.ts'
import { type FollowerWorld, startFollowerWorld } from '../support/follower-world.ts'
import { checkWithFault } from '../support/planted-faults.ts'
import type { Drafted } from '../support/postings.ts'
import { openSelfPaid } from '../support/self-paid.ts'
import { walletAt } from '../support/service.ts'
import { GOOD, openSettlements } from '../support/settlements.ts'

const CHECKS = ['postings', 'funding_receipts', 'posted_claims', 'agreements'] as const
const HOUR = 3_600_000
const POSTER = walletAt(2_900).toLowerCase() as Hex
const OTHER = walletAt(2_901).toLowerCase() as Hex

let world: FollowerWorld
const self = openSelfPaid(() => world)
const { evaluate } = openSettlements(() => world)
type Place = 'plain' | 'claimed' | 'settled' | 'cancelled' | 'wrong' | 'late' | 'delisted' | 'lapsed' | 'agreed' | 'left' | 'unseen'
const jobs = {} as Record<Place, Hex>

const cancel = async ({ jobId, poster }: Pick<Drafted, 'jobId' | 'poster'>) => {
  await world.world.run(poster, 'escrow', 'cancelOpenJob', jobId)
  expect((await self.observe({ jobId })).status).toBe('cancelled')
}

/** Six fundings for five places; then one leaves its place to another. */
const playAgreements = async (): Promise<void> => {
  const designated = walletAt(2_902)
  const drafts: Drafted[] = []
  for (let count = 0; count < 7; count += 1) drafts.push(await self.draft({ poster: POSTER, designated }))
  const statuses: string[] = []
  const take = async (drafted: Drafted) => {
    await self.create(drafted)
    statuses.push((await self.observe(drafted)).status)
  }
  for (const drafted of drafts.slice(0, 6)) await take(drafted)
  await world.pass(3_601)
  const [agreed, left] = drafts as [Drafted, Drafted]
  await cancel(left)
  await world.pass(600)
  await take(drafts[6] as Drafted)
  expect(statuses).toEqual([...Array(5).fill('live'), 'mismatch', 'live'])
  Object.assign(jobs, { agreed: agreed.jobId, left: left.jobId })
}

/** A funding that the service does not list. */
const playUnlisted = async (place: Place, status: string, changes: Partial<Drafted>, seconds: number): Promise<void> => {
  const drafted = await self.draft({ poster: POSTER, ttlHours: 1 })
  await world.pass(seconds)
  await self.create(drafted, changes)
  expect((await self.observe(drafted)).status).toBe(status)
  jobs[place] = drafted.jobId
}

const playClaims = async (): Promise<void> => {
  jobs.claimed = (await self.claimed({ poster: POSTER })).jobId
  const work = await self.claimed({ poster: POSTER })
  await self.submitOnChain(work.wallet, work.jobId, await self.offerWork(work.sessionId, GOOD))
  expect(await self.bringHome(work)).toMatchObject({ kind: 'recorded' })
  await world.steps.settleApproval({ ...work, ...(await evaluate(work)) })
  expect((await self.observe(work)).status).toBe('settled')
  jobs.settled = work.jobId
}

/** A claim that the chain released before the service looked. */
const playUnseen = async (): Promise<void> => {
  const { jobId } = await self.posted({ poster: POSTER, claimTtlSeconds: 600 })
  await world.world.run(OTHER, 'escrow', 'claimJob', jobId)
  await world.pass(601)
  await world.world.run(OTHER, 'escrow', 'handleClaimTimeout', jobId)
  expect((await self.observe({ jobId })).unrecordedClaim).toBeNull()
  jobs.unseen = jobId
}

beforeAll(async () => {
  world = await startFollowerWorld('audited-postings')
  for (const wallet of [POSTER, OTHER]) await self.endow(wallet, 500_000_000n)
  jobs.plain = (await self.posted({ poster: POSTER })).jobId
  const cancelled = await self.posted({ poster: POSTER })
  const delisted = await self.posted({ poster: POSTER })
  const { jobId: lapsed } = await self.draft({ poster: POSTER, ttlHours: 1 })
  await self.draft({ poster: POSTER })
  await playAgreements()
  await cancel(cancelled)
  const away = { delistedAt: world.clock.now(), delistReason: 'spam' }
  await world.rows.updateTable('job').set(away).where('id', '=', delisted.jobId).execute()
  for (const jobId of [delisted.jobId, lapsed]) await self.observe({ jobId })
  await playUnlisted('wrong', 'mismatch', { rewardRaw: 1_999_999n }, 1)
  await playUnlisted('late', 'expired', {}, 3_700)
  await playClaims()
  await playUnseen()
  Object.assign(jobs, { cancelled: cancelled.jobId, delisted: delisted.jobId, lapsed })
})
afterAll(() => world.stop())

/** Findings of the checks of postings by their check, that long after the last move. */
const findingsOf = async (database: Database, laterMs = HOUR) => {
  const { chain, readKey, clock } = world
  const cursor = await readCursor(database.rows, chain.chainId)
  if (cursor === null) throw new AuditUnreadError('no block')
  const block = { number: cursor.number, hash: cursor.hash }
  const now = () => clock.now() + laterMs
  const audit: Audit = { database, rows: database.rows, chain, client: createScanClient(chain), readKey, now, blocks: 1, block }
  const found: [string, string][] = []
  for (const name of CHECKS) {
    const { outcome, reason, examples } = await runCheck(name, audit, null)
    if (outcome === 'unread') throw new AuditUnreadError(`${name}: ${reason}`)
    for (const { subject, expected, found: shown } of examples) found.push([name, `${subject}: ${expected} | ${shown}`])
  }
  return found
}

test('postings of every status, and a claim that the chain released before it was seen, have no finding', async () => {
  const statuses = await world.rows.selectFrom('posting').select('status').distinct().orderBy('status').execute()
  expect(statuses.map(({ status }) => status)).toEqual([
    'awaiting_funding',
    'cancelled',
    'delisted',
    'expired',
    'live',
    'mismatch',
    'settled',
  ])
  expect(await findingsOf(world.database)).toEqual([])
})

const posting = (set: string) => (jobId: Hex) => `update posting set ${set} where job_id = '${jobId}'`
const job = (set: string) => (jobId: Hex) => `update job set ${set} where id = '${jobId}'`
const otherReceipt = () => `funding_receipt = (select funding_receipt from posting where job_id = '${jobs.claimed}')`
const LONG_AGO = `'2020-01-01'`

/** A fault, the posting that has it, its statement, and what each finding says. */
type Fault = [name: string, place: Place, plant: (jobId: Hex) => string, findings: [check: (typeof CHECKS)[number], text: RegExp][]]
const FAULTS: Fault[] = [
  ['a status before its time', 'plain', posting(`status = 'settled'`), [['postings', /: status live,.*\| status settled,/]]],
  [
    'a status without a funding',
    'lapsed',
    posting(`status = 'awaiting_funding'`),
    [['postings', /: status expired,.*\| status awaiting_funding,/]],
  ],
  [
    'a mismatch that was taken for live',
    'wrong',
    posting(`status = 'live'`),
    [
      ['postings', /: status mismatch,.*\| status live,/],
      ['postings', /: listed \(live\) \| no job/],
    ],
  ],
  ['a deleted mismatch', 'wrong', posting('mismatch = null'), [['postings', /mismatch \{"expected":"2000000".*\| .*mismatch null/]]],
  [
    'another field of a mismatch',
    'wrong',
    posting(`mismatch = jsonb_set(mismatch, '{field}', '"asset"')`),
    [['postings', /"field":"reward".*\| .*"field":"asset"/]],
  ],
  ['a deleted reason', 'late', posting('reason = null'), [['postings', /reason "funded_after_expiry".*\| .*reason null/]]],
  ['a deleted refund', 'cancelled', posting('refund = null'), [['postings', /refund \{.*\| .*refund null/]]],
  [
    'another amount of a funding',
    'plain',
    posting(`funding = jsonb_set(funding, '{totalReservedRaw}', '"9000000"')`),
    [
      ['postings', /reserved 1050000 \| .*reserved 9000000/],
      ['funding_receipts', /9000000.* \| .*1050000/],
    ],
  ],
  [
    'another block of a funding',
    'plain',
    posting(`funding = jsonb_set(funding, '{blockNumber}', '"7"')`),
    [
      ['postings', /\| .*"blockNumber":"7"/],
      ['funding_receipts', /"blockNumber":"7".* \| /],
    ],
  ],
  [
    'another reward',
    'plain',
    posting('reward_raw = reward_raw + 1'),
    [
      ['postings', /: status mismatch,/],
      ['postings', /rewardRaw 1000000,.*\| .*rewardRaw 1000001/],
      ['funding_receipts', /1000001.* \| .*1000000/],
    ],
  ],
  [
    'a funding that was never seen',
    'plain',
    posting(`status = 'awaiting_funding', funding = null, funding_receipt = null`),
    [
      ['postings', /: status live,.*\| status awaiting_funding,/],
      ['postings', /: not listed \(awaiting_funding\) \| listed/],
    ],
  ],
  [
    'a funding that the chain does not have',
    'plain',
    (jobId) => `delete from chain_event where event = 'JobCreated' and chain_job_id = '${jobId}'`,
    [['postings', /: status awaiting_funding,.*state none \| status live,.*state open/]],
  ],
  [
    'another definition',
    'plain',
    posting(`definition = jsonb_set(definition, '{title}', '"Other"')`),
    [['postings', /: specHash 0x.*\| specHash 0x/]],
  ],
  [
    'another definition in the catalogue',
    'plain',
    job(`definition = jsonb_set(definition, '{title}', '"Other"')`),
    [['postings', /content 0x.*\| .*content 0x/]],
  ],
  [
    'another poster in the catalogue',
    'plain',
    job(`poster_address = '${OTHER}'`),
    [['postings', new RegExp(`\\| .*posterAddress ${OTHER}`)]],
  ],
  ['a curated job', 'plain', job(`posting_route = 'curated'`), [['postings', /\| postingRoute curated/]]],
  [
    'no job',
    'plain',
    (jobId) => `delete from job where id = '${jobId}'`,
    [
      ['postings', /: listed \(live\) \| no job/],
      ['funding_receipts', /: no receipt \(live\) \| the receipt 0x/],
    ],
  ],
  [
    'a job without its posting',
    'plain',
    (jobId) => `delete from posting where job_id = '${jobId}'`,
    [['postings', /^job 0x\w+: a posting \| none/]],
  ],
  [
    'a listing after its refund',
    'cancelled',
    job('delisted_at = null, delist_reason = null'),
    [['postings', /: not listed \(cancelled\) \| listed/]],
  ],
  [
    'a delisting that the posting did not follow',
    'plain',
    job(`delisted_at = ${LONG_AGO}, delist_reason = 'spam'`),
    [
      ['postings', /: status delisted,.*\| status live,/],
      ['postings', /: listed \(live\) \| delisted, spam/],
    ],
  ],
  [
    'a delisting by a refund that was none',
    'settled',
    job(`delisted_at = ${LONG_AGO}, delist_reason = 'poster_cancelled'`),
    [['postings', /\(settled\) \| delisted, poster_cancelled/]],
  ],
  [
    'a delisting whose reason is that of a fork',
    'delisted',
    job(`delist_reason = 'funding_removed'`),
    [
      ['postings', /: status live,.*\| status delisted,/],
      ['postings', /: delisted by an operator \(delisted\) \| delisted, funding_removed/],
    ],
  ],
  ['a delisting without a reason', 'delisted', job('delist_reason = null'), [['postings', /: a reason exactly while it is delisted/]]],
  ['no receipt', 'plain', posting('funding_receipt = null'), [['funding_receipts', /: a receipt of 0x\w+ \| none/]]],
  ['no receipt after its end', 'settled', posting('funding_receipt = null'), [['funding_receipts', /: a receipt of 0x\w+ \| none/]]],
  [
    'a receipt of what was never listed',
    'wrong',
    () => posting(otherReceipt())(jobs.wrong),
    [['funding_receipts', /: no receipt \(mismatch\) \| the receipt 0x/]],
  ],
  ['the receipt of another posting', 'plain', () => posting(otherReceipt())(jobs.plain), [['funding_receipts', /"jobId":"0x/]]],
  [
    'an altered receipt',
    'plain',
    posting(`funding_receipt = jsonb_set(funding_receipt, '{attestation}', '"We list it."')`),
    [['funding_receipts', /: our signed receipt \| the id is not the hash of the receipt/]],
  ],
  [
    'another address of a receipt',
    'plain',
    posting(`funding_receipt = jsonb_set(funding_receipt, '{canonicalUrl}', '"https://other.example/x"')`),
    [['funding_receipts', /: our signed receipt \| another content or key/]],
  ],
  [
    'a receipt with another member',
    'plain',
    posting(`funding_receipt = funding_receipt || '{"note": 1}'`),
    [['funding_receipts', /: a receipt of the published schema/]],
  ],
  [
    'a claim without its session',
    'claimed',
    (jobId) => `update session set claim_tx_hash = '0x07' where job_id = '${jobId}'`,
    [['posted_claims', /^claim 0x\w+ of posting 0x\w+: a session or a claim under way \| none/]],
  ],
  [
    'a paid claim without its session',
    'settled',
    (jobId) => `update session set claim_tx_hash = '0x07' where job_id = '${jobId}'`,
    [['posted_claims', /^claim 0x\w+ of posting 0x\w+: a session or a claim under way \| none/]],
  ],
  [
    'one agreement too many',
    'unseen',
    posting('is_designated = true'),
    [
      ['postings', /isDesignated false \| .*isDesignated true/],
      ['agreements', /of all agreements: at most 5 \| 6/],
    ],
  ],
  [
    'an agreement in a place that was not free',
    'left',
    (jobId) => `delete from chain_event where event = 'JobCancelled' and chain_job_id = '${jobId}'`,
    [
      ['postings', /: status live,.*\| status cancelled,/],
      ['agreements', /of all agreements: at most 5 \| 6/],
    ],
  ],
  [
    'an agreement above its reward',
    'agreed',
    posting('reward_raw = 25000001'),
    [
      ['postings', /: status mismatch,/],
      ['postings', /rewardRaw 2000000,/],
      ['funding_receipts', /25000001/],
      ['agreements', /of agreement 0x\w+: at most 25000000 \| 25000001/],
    ],
  ],
]

describe('an altered posting', () => {
  test.each(FAULTS)('with %s (%s) has exactly the findings of it', async (_name, place, plant, expected) => {
    const found = await checkWithFault(world.database, plant(jobs[place]), findingsOf)
    expect(found).toEqual(expected.map(([check, text]) => [check, expect.stringMatching(text)]))
  })
})

test('a claim under way needs no session yet', async () => {
  const statements = `update session set claim_tx_hash = '0x07' where job_id = '${jobs.claimed}';
    update claim_intent set status = 'open' where job_id = '${jobs.claimed}'`
  expect(await checkWithFault(world.database, statements, findingsOf)).toEqual([])
})

test('a quote whose transactions were never handed out may outlive its time', async () => {
  const statements = posting(`status = 'quoted', handed_out_at = null`)(jobs.lapsed)
  expect(await checkWithFault(world.database, statements, findingsOf)).toEqual([])
})

test('what the chain has just shown is no finding, and is one later', async () => {
  const drafted = await self.draft({ poster: POSTER })
  await self.create(drafted)
  await world.follow()
  expect(await findingsOf(world.database, 0)).toEqual([])
  expect(await findingsOf(world.database)).toEqual([['postings', expect.stringMatching(/: status live,.*\| status awaiting_funding,/)]])
  await self.observe(drafted)
  expect(await findingsOf(world.database)).toEqual([])
})

test('a quote that has just run out is no finding, and is one later', async () => {
  const { jobId } = await self.draft({ poster: POSTER, ttlHours: 1 })
  await world.pass(3_700)
  expect(await findingsOf(world.database)).toEqual([])
  await world.pass(600)
  await world.follow()
  expect(await findingsOf(world.database)).toEqual([['postings', expect.stringMatching(/: status expired,.*\| status awaiting_funding,/)]])
  await self.reconcile(jobId)
})
