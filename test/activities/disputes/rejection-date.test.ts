import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { localKeys } from '../../../local/keys.ts'
import { openDisputes, word } from '../support/disputes.ts'
import { type FollowerWorld, startFollowerWorld } from '../support/follower-world.ts'
import { BAD, ZERO_HASH } from '../support/settlements.ts'

let world: FollowerWorld
beforeAll(async () => {
  world = await startFollowerWorld()
})
afterAll(() => world.stop())

const disputes = openDisputes(() => world)

describe('a fork that moved a rejection', () => {
  const rejectionOf = async ({ sessionId }: { sessionId: string }) =>
    (await world.rows.selectFrom('session').select('rejectedAt').where('sessionId', '=', sessionId).executeTakeFirstOrThrow()).rejectedAt
  const rejectOnChain = async ({ chainJobId }: { chainJobId: string }): Promise<number> => {
    const { address } = localKeys().verifier
    await world.world.run(address, 'escrow', 'resolveSinglePayout', chainJobId, false, ZERO_HASH, '', ZERO_HASH)
    return (await world.world.now()) * 1_000
  }
  /** A rejection that is recorded and read; `undo` takes it from the chain. */
  const undoableRejection = async () => {
    const claim = await disputes.judged(BAD)
    const undo = await world.snapshot()
    await world.disputes.takeVerdict(claim)
    await world.follow()
    return { claim, undo, before: await rejectionOf(claim) }
  }

  test('dates it by the new block, whether or not a process looks at the session', async () => {
    const { claim, undo, before } = await undoableRejection()
    await undo()
    await world.world.pass(60)
    const at = await rejectOnChain(claim)
    expect(at).not.toBe(before)
    await world.follow()
    expect(await rejectionOf(claim)).toBe(at)
  })

  test('keeps the instant while no block holds it', async () => {
    const { claim, undo, before } = await undoableRejection()
    await undo()
    // Another transaction spends the nonce that is gone with the rejection.
    const { address } = localKeys().verifier
    await world.world.attemptAt(address, address, '0x')
    await world.mine(3)
    await world.follow()
    expect(await rejectionOf(claim)).toBe(before)
  })

  test('changes no session of another claim', async () => {
    const other = await disputes.rejected()
    await world.follow()
    const before = await rejectionOf(other)
    const { claim, undo } = await undoableRejection()
    await undo()
    await world.world.pass(60)
    await rejectOnChain(claim)
    await world.follow()
    expect(await rejectionOf(other)).toBe(before)
  })
})

describe('a dispute that the worker loses emits a second rejection, which dates', () => {
  test('no rejection that was there before', async () => {
    const claim = await disputes.disputed()
    await world.follow()
    const { timestamps: before } = await disputes.sessionOf(claim)
    await world.world.pass(60)
    await world.disputes.recordArbitration(word(claim, 'upheld'))
    await disputes.applied(claim)
    await world.follow()
    const { status, timestamps } = await disputes.sessionOf(claim)
    expect([status, timestamps.rejectedAt]).toEqual(['rejected', before.rejectedAt])
  })

  test('the decision where people had the work before, also when the first one is read later', async () => {
    const claim = await disputes.inReview()
    await world.disputes.recordArbitration(word(claim, 'upheld'))
    await disputes.applied(claim)
    const { status, timestamps: before } = await disputes.sessionOf(claim)
    await world.follow()
    const { timestamps } = await disputes.sessionOf(claim)
    expect([status, timestamps.rejectedAt]).toEqual(['rejected', before.rejectedAt])
  })
})
