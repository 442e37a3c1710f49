import { beforeAll, describe, expect, test } from '@jest/globals'
import { insertJob } from '../../../activities/catalogue/writes.ts'
import { createPosterReader, readPosterRecords } from '../../../activities/postings/poster-record.ts'
import { chainJobId } from '../../../domain/common/ids.ts'
import { NO_RECORD, type PosterRecord } from '../../../domain/postings/poster-record.ts'
import { PosterRecordShape } from '../../../schemas/catalogue/poster-record.ts'
import { useDatabase } from '../../api/support/own-database.ts'
import { builtJob, jobBody, NOW } from '../../domain/builders/job.ts'
import { testChain } from '../../support/api.ts'

const database = useDatabase()
const { chainId } = testChain
const [GOOD, SLOW, FORKED, STRANGER] = ['a', 'b', 'c', 'd'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string, string]

let logs = 0
interface Event {
  job: string
  event: string
  /** Seconds after the beginning. */
  at: number
  args?: Record<string, string | boolean>
  removed?: boolean
  contract?: string
  chain?: number
}
/** Stores an event as the follower does; each is in a block of its own. */
const add = async ({ job, event, at, args = {}, removed = false, contract = 'escrow', chain = chainId }: Event): Promise<void> => {
  logs += 1
  const hash = `0x${logs.toString(16).padStart(64, '0')}` as const
  await database.rows
    .insertInto('chain_event')
    .values({
      chainId: chain,
      txHash: hash,
      logIndex: 0,
      blockNumber: BigInt(logs),
      blockHash: hash,
      blockTime: NOW + at * 1_000,
      address: `0x${'5'.repeat(40)}`,
      contract,
      event,
      args,
      chainJobId: chainJobId(job),
      movesProcess: false,
      seenAt: NOW,
      removedAt: removed ? NOW : null,
      revision: 1,
      notifiedRevision: 1,
    })
    .execute()
}
const created = (job: string, poster: string, at: number, totalReserved = '2100000', rest: Partial<Event> = {}) =>
  add({ job, event: 'JobCreated', at, args: { poster, totalReserved }, ...rest })
const judged = async (job: string, at: number, seconds: number, approved = true) => {
  await add({ job, event: 'WorkSubmitted', at })
  await add({ job, event: 'Verified', at: at + seconds, args: { approved } })
}

const DAY = 86_400

beforeAll(async () => {
  for (const id of ['overturned', 'split', 'timed-out', 'upheld'])
    await database.transaction((rows) => insertJob(rows, builtJob(jobBody({ id, title: `Task ${id}` })), { now: NOW, posterAddress: GOOD }))

  await created('first', GOOD, 0)
  await judged('first', 10, 20)
  await created('second', GOOD, DAY, '500000')
  // Two attempts: a rejection, and a later approval. What was submitted last waits.
  await judged('second', DAY, 60, false)
  await judged('second', 2 * DAY, 40)
  await add({ job: 'second', event: 'WorkSubmitted', at: 3 * DAY })
  await created('cancelled', GOOD, 5)
  await add({ job: 'cancelled', event: 'JobCancelled', at: DAY, args: { poster: GOOD, refundedRaw: '2100000' } })
  for (const [job, workerPayout] of [
    ['overturned', '2000000'],
    ['split', '1000000'],
    ['upheld', '0'],
  ] as const) {
    await created(job, GOOD, 6)
    await add({ job, event: 'DisputeResolved', at: DAY, args: { workerPayout } })
  }
  await created('timed-out', GOOD, 7)
  await add({ job: 'timed-out', event: 'DisputeResolved', at: DAY, args: { workerPayout: '1000000' } })
  await add({ job: 'timed-out', event: 'AutoResolvedOnTimeout', at: DAY, args: { workerPayout: '1000000' } })

  // A verdict whose submission a fork removed says nothing of its time.
  await created('unsure', GOOD, 8)
  await judged('unsure', DAY, 60)
  await add({ job: 'unsure', event: 'WorkSubmitted', at: 2 * DAY, removed: true })
  await add({ job: 'unsure', event: 'Verified', at: 2 * DAY, args: { approved: true } })

  await created('late', SLOW, 100)
  await judged('late', 200, 2 * DAY + 1)
  await created('just-in-time', SLOW, 100)
  await judged('just-in-time', 200, 2 * DAY)

  await created('removed', FORKED, 0, '2100000', { removed: true })
  await created('elsewhere', FORKED, 0, '2100000', { chain: chainId + 1 })
  await created('token', FORKED, 0, '2100000', { contract: 'accounts' })
})

const record = (changes: Partial<PosterRecord>): PosterRecord => ({ ...NO_RECORD, since: NOW, ...changes })

describe('the record of a poster', () => {
  test('counts what the chain shows of each poster, for a list of them in one statement', async () => {
    const records = await readPosterRecords(database.rows, chainId, [GOOD, SLOW, FORKED, STRANGER])
    expect(records).toEqual(
      new Map([
        [
          GOOD,
          record({
            fundedJobs: 8,
            fundedRaw: 7n * 2_100_000n + 500_000n,
            judged: 4,
            judgedInTime: 4,
            medianSecondsToVerdict: 50,
            lostDisputes: 1,
            cancelled: 1,
          }),
        ],
        [
          SLOW,
          record({
            fundedJobs: 2,
            fundedRaw: 4_200_000n,
            judged: 2,
            judgedInTime: 1,
            medianSecondsToVerdict: 2 * DAY + 0.5,
            since: NOW + 100_000,
          }),
        ],
      ]),
    )
  })

  test('is not read where nothing is asked for', async () => {
    expect(await readPosterRecords(database.rows, chainId, [])).toEqual(new Map())
  })

  test('is shown with an amount object and whole seconds, and empty for a wallet that has funded nothing', async () => {
    const read = createPosterReader({ database, chain: testChain })
    const slow = await read({ postingRoute: 'external-direct', posterAddress: SLOW })
    expect(PosterRecordShape.parse(slow)).toMatchObject({
      funded: { asset: 'USDC', raw: '4200000', display: '4.2' },
      medianSecondsToVerdict: 172_801,
      since: new Date(NOW + 100_000).toISOString(),
    })
    const none = await read({ postingRoute: 'external-direct', posterAddress: STRANGER })
    expect(none).toMatchObject({ fundedJobs: 0, medianSecondsToVerdict: null, since: null })
  })

  test('is not shown for the job of an operator', async () => {
    const read = createPosterReader({ database, chain: testChain })
    expect(await read({ postingRoute: 'curated', posterAddress: GOOD })).toBeUndefined()
  })
})
