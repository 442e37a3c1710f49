import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { changeLifecycle } from '../../../activities/catalogue/writes.ts'
import { deleteUnfunded } from '../../../activities/postings/drafts.ts'
import { who } from '../../contracts/support/world.ts'
import { type FollowerWorld, startFollowerWorld } from '../support/follower-world.ts'
import { type Drafted, openPostings } from '../support/postings.ts'
import { walletAt } from '../support/service.ts'

let world: FollowerWorld
const postings = openPostings(() => world)
const { draft, create, observe, recordOf, listingOf, announcedTo, reconcile } = postings
const POSTER = walletAt(900)
const OTHER = walletAt(901)

beforeAll(async () => {
  world = await startFollowerWorld('postings')
  await postings.endow(POSTER)
  await postings.endow(OTHER)
})
afterAll(() => world.stop())

const cancel = ({ jobId, poster }: Drafted) => world.world.run(poster, 'escrow', 'cancelOpenJob', jobId)
const liveAt = async (changes: Parameters<typeof draft>[0] = { poster: POSTER }) => {
  const drafted = await draft(changes)
  await create(drafted)
  expect((await observe(drafted)).status).toBe('live')
  return drafted
}

describe('the process of a posting', () => {
  test('lists a job that is funded as drafted, under its id on chain, and tells the poster once', async () => {
    const drafted = await draft({ poster: POSTER, opsReserveRaw: 100_000n, contingencyReserveRaw: 7n })
    expect((await observe(drafted)).status).toBe('awaiting_funding')
    expect(await listingOf(drafted)).toBeUndefined()
    await create(drafted)
    expect(await observe(drafted)).toMatchObject({ status: 'live', until: null, isOver: false, unrecordedClaim: null })
    expect(await listingOf(drafted)).toEqual({
      postingRoute: 'external-direct',
      posterAddress: POSTER.toLowerCase(),
      specHash: drafted.specHash,
      rewardRaw: drafted.rewardRaw,
      delistReason: null,
      staleAt: null,
      lane: 'external',
    })
    expect((await recordOf(drafted)).funding).toMatchObject({ totalReservedRaw: '2200007' })
    await reconcile(drafted.jobId)
    expect(await announcedTo(drafted)).toEqual(['posting.funded'])
  })

  test('ends an unfunded draft with its quote', async () => {
    const drafted = await draft({ poster: POSTER, ttlHours: 1 })
    await world.pass(3_601)
    expect(await reconcile(drafted.jobId)).toMatchObject({ status: 'expired', isOver: true })
    expect(await announcedTo(drafted)).toEqual([])
  })

  test('closes the listing of a job that its poster cancelled, and opens it again after a fork', async () => {
    const drafted = await liveAt()
    await world.pass(3_601)
    const undo = await world.snapshot()
    await cancel(drafted)
    expect((await observe(drafted)).status).toBe('cancelled')
    expect(await listingOf(drafted)).toMatchObject({ delistReason: 'poster_cancelled' })
    await undo()
    await world.mine(2)
    expect((await observe(drafted)).status).toBe('live')
    expect(await listingOf(drafted)).toMatchObject({ delistReason: null })
    expect(await recordOf(drafted)).toMatchObject({ refund: null })
    expect(await announcedTo(drafted)).toEqual(['posting.funded', 'posting.refunded', 'posting.funded'])
  })

  test('takes the listing back with the funding, and lists the job again when it is funded again', async () => {
    const drafted = await draft({ poster: POSTER })
    const undo = await world.snapshot()
    await create(drafted)
    expect((await observe(drafted)).status).toBe('live')
    await undo()
    await world.mine(2)
    expect((await observe(drafted)).status).toBe('awaiting_funding')
    expect(await listingOf(drafted)).toMatchObject({ delistReason: 'funding_removed' })
    const opened = await recordOf(drafted)
    expect(opened).toMatchObject({ funding: null, openDraftLimit: null })
    expect(opened.openedAt).toBeGreaterThan(opened.createdAt)
    await create(drafted)
    expect((await observe(drafted)).status).toBe('live')
    expect(await listingOf(drafted)).toMatchObject({ delistReason: null })
    expect(await announcedTo(drafted)).toEqual(['posting.funded', 'posting.funding_removed', 'posting.funded'])
  })

  test('compares a funding that a fork replaced by another one', async () => {
    const drafted = await draft({ poster: POSTER })
    const undo = await world.snapshot()
    await create(drafted)
    await observe(drafted)
    await undo()
    await create(drafted, { poster: OTHER })
    await world.mine(1)
    expect((await observe(drafted)).status).toBe('mismatch')
    expect(await listingOf(drafted)).toMatchObject({ delistReason: 'funding_removed' })
    expect(await recordOf(drafted)).toMatchObject({ fundingReceipt: null })
  })

  test('signs another receipt for a funding that a fork moved, and for no other, once the job was taken away', async () => {
    const drafted = await draft({ poster: POSTER })
    const undo = await world.snapshot()
    await create(drafted)
    await observe(drafted)
    const { fundingReceipt } = await recordOf(drafted)
    const away = { delistedAt: world.clock.now(), delistReason: 'spam' }
    await world.rows.updateTable('job').set(away).where('id', '=', drafted.jobId).execute()
    await reconcile(drafted.jobId)
    expect((await recordOf(drafted)).fundingReceipt).toEqual(fundingReceipt)
    await undo()
    await world.mine(1)
    await create(drafted)
    await world.mine(1)
    expect((await observe(drafted)).status).toBe('delisted')
    const { funding, fundingReceipt: renewed } = await recordOf(drafted)
    expect(renewed?.funding).toMatchObject({ blockNumber: funding?.blockNumber, blockHash: funding?.blockHash })
    expect(renewed?.funding.blockHash).not.toBe(fundingReceipt?.funding.blockHash)
  })

  test('leaves a job away that an operator took away', async () => {
    const drafted = await liveAt()
    await world.rows
      .updateTable('job')
      .set({ delistedAt: world.clock.now(), delistReason: 'spam' })
      .where('id', '=', drafted.jobId)
      .execute()
    expect((await reconcile(drafted.jobId)).status).toBe('delisted')
    expect(await listingOf(drafted)).toMatchObject({ delistReason: 'spam' })
  })

  test('finds a claim on chain that has no session', async () => {
    const drafted = await liveAt()
    await postings.endow(who.worker as Hex)
    await world.world.run(who.worker, 'escrow', 'claimJob', drafted.jobId)
    expect((await observe(drafted)).unrecordedClaim).toMatchObject({ wallet: who.worker.toLowerCase() })
    expect(await announcedTo(drafted)).toEqual(['posting.funded', 'posting.claimed'])
  })

  test('gives the places of agreements to the first five that are funded, also at once', async () => {
    const drafts = await Promise.all(Array.from({ length: 7 }, () => draft({ poster: POSTER, designated: who.worker })))
    for (const drafted of drafts) await create(drafted)
    await world.follow()
    const found = await Promise.all(drafts.map(({ jobId }) => reconcile(jobId)))
    expect(found.filter(({ status }) => status === 'live')).toHaveLength(5)
    expect(found.filter(({ status }) => status === 'mismatch')).toHaveLength(2)
  })

  test('changes nothing while a node shows no job whose creation is confirmed', async () => {
    const drafted = await draft({ poster: POSTER })
    const undo = await world.snapshot()
    await create(drafted)
    await world.follow()
    await undo()
    await expect(reconcile(drafted.jobId)).rejects.toMatchObject({ code: 'blockchain_unavailable' })
    expect((await recordOf(drafted)).status).toBe('awaiting_funding')
    await world.mine(2)
    await world.follow()
  })
})

test('a draft without a funding is deleted after its end, sooner when it was not handed out, and a funded one stays', async () => {
  const [unfunded, quoted] = [await draft({ poster: POSTER, ttlHours: 1 }), await draft({ poster: POSTER, ttlHours: 1 })]
  const [funded, unread] = [await liveAt({ poster: POSTER, ttlHours: 1 }), await draft({ poster: POSTER, ttlHours: 1 })]
  await create(unread)
  await world.follow()
  await world.rows
    .updateTable('posting')
    .set({ status: 'quoted', handedOutAt: null })
    .where('jobId', 'in', [quoted.jobId, unread.jobId])
    .execute()
  const { expiresAt } = await recordOf(unfunded)
  const remaining = async (before: { handedOut: number; quoted: number }) => {
    await deleteUnfunded(world.rows, before)
    const found = await world.rows.selectFrom('posting').select('jobId').execute()
    const names = Object.entries({ unfunded, quoted, funded, unread })
    return names.filter(([, { jobId }]) => found.some((row) => row.jobId === jobId)).map(([name]) => name)
  }
  const [before, after] = [expiresAt - 10_000, expiresAt + 10_000]
  expect(await remaining({ handedOut: before, quoted: before })).toEqual(['unfunded', 'quoted', 'funded', 'unread'])
  expect(await remaining({ handedOut: before, quoted: after })).toEqual(['unfunded', 'funded', 'unread'])
  expect(await remaining({ handedOut: after, quoted: after })).toEqual(['funded', 'unread'])
  expect((await reconcile(unread.jobId)).status).toBe('live')
})

test('a pause of the listing by an operator leaves the posting live', async () => {
  const drafted = await liveAt()
  await world.database.transaction((rows) =>
    changeLifecycle(rows, { jobId: drafted.jobId, status: 'paused', action: 'pause', reason: null, by: POSTER }, world.clock.now()),
  )
  expect((await reconcile(drafted.jobId)).status).toBe('live')
})
