import { describe, expect, test } from '@jest/globals'
import { resumedClaimStart } from '../../../activities/claims/start.ts'
import { claimProgress, type ObservedSubmission, type ResumedSession } from '../../../schemas/claims/process.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { WALLET } from '../support/claim-input.ts'
import { only, until } from '../support/engine.ts'
import { useEngine } from '../support/use-engine.ts'

const engine = useEngine()

const AWAITED: ObservedSubmission = { kind: 'awaited' }
const RECORDED: ObservedSubmission = { kind: 'recorded', status: 'submitted', reviewEndsAt: '2030-01-01T00:00:00.000Z' }

/** A claim whose process is lost, and a run that takes its session over as the record says. */
const resumed = async (
  standing: (session: { sessionId: string; claimExpiresAt: string }) => unknown,
  onChain: ObservedSubmission = AWAITED,
) => {
  const { jobId, sessionId, handle, expiresAt } = await engine.claimed()
  await handle.terminate('lost')
  const claimedAt = new Date(expiresAt - 3_600_000).toISOString()
  const claim = { sessionId, claimExpiresAt: new Date(expiresAt).toISOString(), claimedAt, lapsesInMs: expiresAt - engine.now() }
  engine.service.replay({ resumeClaim: async () => standing(claim) as ResumedSession, bringSubmissionHome: async () => onChain })
  const start = resumedClaimStart({
    ...{ sessionId, jobId, wallet: WALLET, requestId: 'request-1', selfPaid: false },
    ...{ title: 'Retry policy', chainJobId: `0x${'a'.repeat(64)}`, verifierMode: 'benchmark' },
  })
  const { workflowId, firstExecutionRunId: runId } = await engine.client.workflow.start('claimSession', start)
  return { sessionId, runId, handle: engine.client.workflow.getHandle(workflowId) }
}
type Resumed = Awaited<ReturnType<typeof resumed>>

const stateOf = async ({ handle }: Resumed) => (await handle.query(claimProgress)).state
const shows = (claim: Resumed, state: string) => until(async () => (await stateOf(claim)) === state)
const steps = () => engine.service.steps()

describe('a run that takes over a session', () => {
  test('takes a submission where no work was accepted, and locks no bond again', async () => {
    const claim = await resumed((session) => ({ kind: 'claimed', session, accepted: null }))
    await shows(claim, 'claimed')
    const before = steps().filter((step) => step === 'lockBond').length
    expect(await engine.submit(claim.handle, claim.sessionId, 'work')).toMatchObject({ status: 'submitted' })
    expect(only(engine.service.callsOf('resumeClaim')).input).toEqual({ runId: claim.runId, sessionId: claim.sessionId })
    expect(steps().filter((step) => step === 'lockBond')).toHaveLength(before)
  })

  test('sends work that was accepted, without its agent', async () => {
    const claim = await resumed((session) => ({ kind: 'claimed', session, accepted: 'mcp' }))
    await shows(claim, 'submitted')
    expect(only(engine.service.callsOf('recordSubmission')).input).toMatchObject({ runId: claim.runId, protocol: 'mcp' })
  })

  test('drops accepted work that the chain refuses, and waits for other work', async () => {
    engine.service.play({ submitOnChain: async () => Promise.reject(new ServiceError('blockchain_revert')) })
    const claim = await resumed((session) => ({ kind: 'claimed', session, accepted: 'http' }))
    await until(() => engine.service.callsOf('dropSubmission').length === 1)
    expect(await stateOf(claim)).toBe('claimed')
  })

  test('finds a submission that only the chain has', async () => {
    const claim = await resumed((session) => ({ kind: 'claimed', session, accepted: null }), RECORDED)
    await shows(claim, 'submitted')
    expect(steps()).not.toContain('submitOnChain')
  })

  test('takes a verdict that only the chain has, before it asks the verifier', async () => {
    engine.service.play({ observeVerdict: async ({ sessionId }) => ({ verdictId: engine.service.decide(sessionId, 'approved') }) })
    const claim = await resumed((session) => ({ kind: 'submitted', session, reviewEndsAt: '2030-01-01T00:00:00.000Z' }))
    expect(await claim.handle.result()).toEqual({ sessionId: claim.sessionId, status: 'resolved' })
    expect(steps()).not.toContain('startVerifier')
  })

  test('gives a contested session to its dispute', async () => {
    const claim = await resumed((session) => {
      const verdictId = engine.service.decide(session.sessionId, 'rejected')
      return { kind: 'contested', session, verdict: { verdictId, outcome: 'rejected', reasonCode: 'REJECTED' } }
    })
    await shows(claim, 'contested')
    await until(() => engine.service.callsOf('startDispute').length === 1)
  })

  test('ends where the session has ended', async () => {
    const claim = await resumed(({ sessionId }) => ({ kind: 'ended', outcome: { sessionId, status: 'expired' } }))
    expect(await claim.handle.result()).toEqual({ sessionId: claim.sessionId, status: 'expired' })
  })
})
