import { describe, expect, test } from '@jest/globals'
import { ServiceError } from '../../../schemas/errors.ts'
import { postingChanged, postingProgress } from '../../../schemas/postings/process.ts'
import { DAY, inTurn, MINUTE, shownState, until } from '../support/engine.ts'
import { CLAIM_ON_CHAIN, freeingAt, postingIn } from '../support/savings.ts'
import { useEngine } from '../support/use-engine.ts'

const engine = useEngine()
let count = 0
const jobId = (): string => {
  count += 1
  return `0x${count.toString(16).padStart(64, '0')}`
}
const readings = () => engine.service.callsOf('reconcilePosting').length

describe('the process of a posting', () => {
  test('looks at the chain with every event and ends with its escrow', async () => {
    engine.service.replay({
      reconcilePosting: inTurn(postingIn('awaiting_funding', engine.now() + 3 * DAY), postingIn('live'), postingIn('cancelled')),
    })
    const handle = await engine.beginPosting(jobId())
    await until(async () => (await handle.query(postingProgress))?.status === 'awaiting_funding')
    await handle.signal(postingChanged)
    await until(async () => (await handle.query(postingProgress))?.status === 'live')
    await handle.signal(postingChanged)
    expect(await handle.result()).toEqual({ status: 'cancelled' })
  })

  test('ends an unfunded draft with its quote, and no earlier', async () => {
    const expiresAt = engine.now() + 3 * DAY
    engine.service.replay({ reconcilePosting: inTurn(postingIn('awaiting_funding', expiresAt), postingIn('expired')) })
    const handle = await engine.beginPosting(jobId())
    await until(() => readings() === 1)
    await engine.move(3 * DAY - MINUTE)
    expect(readings()).toBe(1)
    await engine.move(2 * MINUTE)
    expect(await handle.result()).toEqual({ status: 'expired' })
  })

  test('brings a claim home that has no session, until the record has it', async () => {
    const unrecorded = postingIn('live', null, { unrecordedClaim: CLAIM_ON_CHAIN })
    engine.service.replay({
      bringClaimHome: inTurn(false, true),
      reconcilePosting: inTurn(unrecorded, unrecorded, postingIn('live'), postingIn('settled')),
    })
    const id = jobId()
    const handle = await engine.beginPosting(id)
    await until(() => engine.service.callsOf('bringClaimHome').length === 1)
    await engine.move(MINUTE)
    await until(() => engine.service.callsOf('bringClaimHome').length === 2)
    await engine.move(MINUTE)
    await until(() => readings() === 3)
    await handle.signal(postingChanged)
    expect(await handle.result()).toEqual({ status: 'settled' })
    expect(engine.service.callsOf('bringClaimHome').map(({ input }) => input)).toEqual([
      { jobId: id, ...CLAIM_ON_CHAIN },
      { jobId: id, ...CLAIM_ON_CHAIN },
    ])
  })

  test('frees an escrow that is not listed from a claim, step by step, and ends once it is free', async () => {
    const unlisted = postingIn('mismatch', null, { unlistedClaim: CLAIM_ON_CHAIN, isOver: false })
    const windowEnds = engine.now() + 7 * DAY
    engine.service.replay({
      freeEscrow: inTurn(freeingAt(windowEnds), null),
      reconcilePosting: inTurn(unlisted, unlisted, postingIn('mismatch')),
    })
    const id = jobId()
    const handle = await engine.beginPosting(id)
    const freed = () => engine.service.callsOf('freeEscrow')
    await until(() => freed().length === 1)
    await engine.move(7 * DAY - MINUTE)
    expect(freed()).toHaveLength(1)
    await engine.move(2 * MINUTE)
    await until(() => freed().length === 2)
    await handle.signal(postingChanged)
    expect(await handle.result()).toEqual({ status: 'mismatch' })
    expect(freed().map(({ input }) => input)).toEqual([{ jobId: id }, { jobId: id }])
  })

  test('tries to free an escrow again with the next event, after a step that was refused', async () => {
    const unlisted = postingIn('mismatch', null, { unlistedClaim: CLAIM_ON_CHAIN, isOver: false })
    const refused = () => Promise.reject(new ServiceError('blockchain_revert'))
    const tried = () => engine.service.callsOf('freeEscrow').length
    engine.service.replay({
      freeEscrow: async () => (tried() === 1 ? refused() : null),
      reconcilePosting: inTurn(unlisted, postingIn('live')),
    })
    const handle = await engine.beginPosting(jobId())
    await until(async () => (await shownState(handle)) === 'blocked')
    await handle.signal(postingChanged)
    await until(async () => (await handle.query(postingProgress))?.status === 'live')
    expect(tried()).toBe(2)
    await handle.terminate()
  })

  test('that an event meets while it reads looks again before it ends', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const answers = inTurn(postingIn('mismatch'), postingIn('live'), postingIn('settled'))
    engine.service.replay({
      reconcilePosting: async () => {
        if (readings() === 1) await held
        return answers()
      },
    })
    const handle = await engine.beginPosting(jobId())
    await until(() => readings() === 1)
    await handle.signal(postingChanged)
    release()
    await until(async () => (await handle.query(postingProgress))?.status === 'live')
    await handle.signal(postingChanged)
    expect(await handle.result()).toEqual({ status: 'settled' })
  })
})
