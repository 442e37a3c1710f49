import { describe, expect, test } from '@jest/globals'
import { claimProgress, expiryDue, type ObservedSubmission, submissionOffered } from '../../../schemas/claims/process.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { chainMoved } from '../../../schemas/processes.ts'
import { inTurn, MINUTE, refusalOf, shownState, until } from '../support/engine.ts'
import { CHAIN_EVENT } from '../support/reach.ts'
import { TTL_SECONDS } from '../support/scripted-service.ts'
import { useEngine } from '../support/use-engine.ts'

const engine = useEngine()

const AWAITED: ObservedSubmission = { kind: 'awaited' }
const RECORDED: ObservedSubmission = { kind: 'recorded', status: 'submitted', reviewEndsAt: '2030-01-01T00:00:00.000Z' }
const removed = (observedState: 'open' | 'claimed'): ObservedSubmission => ({
  kind: 'removed',
  expiry: { result: 'removed', observedState, observedWorker: null, blockNumber: '9', txHash: null },
})
const ON_CHAIN = { result: 'diverged', observedState: 'submitted', observedWorker: null, blockNumber: '9', txHash: null } as const

/** A claim that its worker sent itself; the chain shows these in turn, the last one for good. */
const adopted = async (...shown: ObservedSubmission[]) => {
  const look = inTurn(...shown)
  engine.service.play({ bringSubmissionHome: look })
  return engine.claimed({ adopted: true, selfPaid: true })
}
const looks = () => engine.service.callsOf('bringSubmissionHome')
const looked = (times: number) => until(() => looks().length >= times)
const isOvers = () => looks().map(({ input }) => input.isOver)
const stateOf = async ({ handle }: Awaited<ReturnType<typeof adopted>>) => (await handle.query(claimProgress)).state
const shows = async (claim: Awaited<ReturnType<typeof adopted>>, state: string) => until(async () => (await stateOf(claim)) === state)

describe('the process of a claim that its worker sent itself', () => {
  test('finds a submission that was on chain before it, and gets it judged', async () => {
    const claim = await adopted(RECORDED)
    await until(() => engine.service.callsOf('startVerifier').length === 1)
    await engine.announce(claim.handle, claim.sessionId, engine.service.decide(claim.sessionId, 'approved'))
    expect(await claim.handle.result()).toMatchObject({ status: 'resolved' })
    expect(engine.service.steps()).not.toContain('submitOnChain')
  })

  test('looks at the chain with each event of it, and otherwise not', async () => {
    const claim = await adopted(AWAITED, AWAITED, RECORDED)
    await looked(1)
    await engine.move(5 * MINUTE)
    expect(looks()).toHaveLength(1)
    await claim.handle.signal(chainMoved, CHAIN_EVENT)
    await looked(2)
    expect(await stateOf(claim)).toBe('claimed')
    await claim.handle.signal(chainMoved, CHAIN_EVENT)
    await shows(claim, 'submitted')
    expect(isOvers()).toEqual([false, false, false])
  })

  test('answers the worker that has submitted, and asks it to repeat while the chain shows nothing', async () => {
    const claim = await adopted(AWAITED, AWAITED, RECORDED)
    await looked(1)
    expect(await refusalOf(engine.submit(claim.handle, claim.sessionId, 'work'))).toBe('submit_in_progress')
    expect(await engine.submit(claim.handle, claim.sessionId, 'work')).toEqual({ sessionId: claim.sessionId, status: 'submitted' })
    expect(engine.service.steps()).not.toContain('admitSubmission')
    expect(engine.service.steps()).not.toContain('dropSubmission')
  })

  test('takes a submission that a caller no longer waits for', async () => {
    const claim = await adopted(AWAITED, RECORDED)
    await looked(1)
    const offer = { sessionId: claim.sessionId, submission: 'work', requestId: 'r', protocol: 'http' as const }
    await claim.handle.signal(submissionOffered, offer)
    await shows(claim, 'submitted')
  })

  test('times the claim out where nothing is on chain at its end', async () => {
    const claim = await adopted(AWAITED)
    await looked(1)
    await engine.move((TTL_SECONDS + 2) * 1_000)
    expect(await claim.handle.result()).toMatchObject({ status: 'expired' })
    expect(isOvers()).toEqual([false, true])
    expect(engine.service.callsOf('timeoutClaim')).toHaveLength(1)
  })

  test('records at the end of the claim what is on chain without its content, and times nothing out', async () => {
    const claim = await adopted(AWAITED, RECORDED)
    await looked(1)
    await engine.move((TTL_SECONDS + 2) * 1_000)
    await shows(claim, 'submitted')
    expect(isOvers()).toEqual([false, true])
    expect(engine.service.callsOf('timeoutClaim')).toEqual([])
  })

  test('records a submission of the last second that the time-out finds on chain', async () => {
    const claim = await adopted(AWAITED, AWAITED, RECORDED)
    engine.service.replay({ timeoutClaim: async () => ON_CHAIN })
    await looked(1)
    engine.moveServiceClock((TTL_SECONDS + 2) * 1_000)
    await claim.handle.signal(expiryDue)
    await shows(claim, 'submitted')
    expect(engine.service.callsOf('recordExpiry')).toEqual([])
  })

  test('is blocked, and not diverged, while a node shows such a submission only now and then', async () => {
    const claim = await adopted(AWAITED, AWAITED, AWAITED, RECORDED)
    engine.service.replay({ timeoutClaim: async () => ON_CHAIN })
    await looked(1)
    engine.moveServiceClock((TTL_SECONDS + 2) * 1_000)
    await claim.handle.signal(expiryDue)
    await until(async () => (await shownState(claim.handle)) === 'blocked')
    await engine.move(11 * MINUTE)
    await shows(claim, 'submitted')
    expect(engine.service.callsOf('recordExpiry')).toEqual([])
  })
})

describe('a claim that a fork removed', () => {
  test('ends when the chain still shows the job open after a minute', async () => {
    const claim = await adopted(AWAITED, removed('open'))
    await looked(1)
    await claim.handle.signal(chainMoved, CHAIN_EVENT)
    await looked(2)
    await claim.handle.signal(expiryDue)
    await looked(3)
    expect(await stateOf(claim)).toBe('claimed')
    await engine.move(MINUTE + 1_000)
    expect(await claim.handle.result()).toMatchObject({ status: 'expired' })
    expect(engine.service.callsOf('recordExpiry').map(({ input }) => input.expiry)).toMatchObject([{ result: 'removed' }])
    expect(engine.service.callsOf('timeoutClaim')).toEqual([])
  })

  test('goes on when it is mined again within the minute', async () => {
    const claim = await adopted(AWAITED, removed('open'), AWAITED)
    await looked(1)
    await claim.handle.signal(chainMoved, CHAIN_EVENT)
    await looked(2)
    await engine.move(MINUTE + 1_000)
    await looked(3)
    await engine.move(5 * MINUTE)
    expect([await stateOf(claim), looks().length]).toEqual(['claimed', 3])
  })

  test('ends at once when another wallet has the job', async () => {
    const claim = await adopted(AWAITED, removed('claimed'))
    await looked(1)
    await claim.handle.signal(chainMoved, CHAIN_EVENT)
    expect(await claim.handle.result()).toMatchObject({ status: 'expired' })
  })
})

test('a payout that waits for a removed submission is tried again when the chain changes', async () => {
  const claim = await adopted(RECORDED)
  await until(() => engine.service.callsOf('startVerifier').length === 1)
  let tries = 0
  engine.service.replay({
    settleApproval: async (input) => {
      tries += 1
      if (tries === 1) throw new ServiceError('chain_state_diverged')
      return engine.service.usual.settleApproval(input)
    },
  })
  await engine.announce(claim.handle, claim.sessionId, engine.service.decide(claim.sessionId, 'approved'))
  await until(async () => (await shownState(claim.handle)) === 'blocked')
  await claim.handle.signal(chainMoved, CHAIN_EVENT)
  expect(await claim.handle.result()).toMatchObject({ status: 'resolved' })
  expect(tries).toBe(2)
})
