import type { WorkflowHandle } from '@temporalio/client'
import { ServiceError } from '../../schemas/errors.ts'
import { claimProgress, expiryDue, type VerdictToSettle } from '../../schemas/processes/claim-session.ts'
import { type RunResult, runUpdate } from '../../schemas/processes/verifier-run.ts'
import { DAY, type Engine, gate, HOUR, MINUTE, refusalOf, shownState, until } from '../workflows/support/engine.ts'
import { type Step, TTL_SECONDS } from '../workflows/support/scripted-service.ts'

/** One way through a process, from its start to its end. */
export interface Scenario {
  /** Name of the way; also of its file. */
  ending: string
  workflowType: 'claimSession' | 'verifierRun'
  /** What the process answers at its end, in part. */
  result: Record<string, unknown>
  /** Steps this way takes, and how often at least. */
  through: Partial<Record<Step, number>>
  /** Drives the process; its handle, once nothing is left to do but to wait for the end. */
  play(engine: Engine): Promise<WorkflowHandle>
}

type Claim = Awaited<ReturnType<Engine['claimed']>>

const refuse = (code: ConstructorParameters<typeof ServiceError>[0]) => async () => Promise.reject(new ServiceError(code))

const announce = ({ service, announce: tell }: Engine, { handle, sessionId }: Claim, outcome: VerdictToSettle['outcome']) =>
  tell(handle, sessionId, service.decide(sessionId, outcome))

const untilShown = (handle: WorkflowHandle, state: string) => until(async () => (await handle.query(claimProgress)).state === state)

const decided = async (engine: Engine, outcome: VerdictToSettle['outcome']): Promise<Claim> => {
  const claim = await engine.submitted()
  await announce(engine, claim, outcome)
  return claim
}

const CLAIMS: Omit<Scenario, 'workflowType'>[] = [
  {
    ending: 'claim-approved',
    result: { status: 'resolved' },
    through: { settleApproval: 1 },
    play: async (engine) => (await decided(engine, 'approved')).handle,
  },
  {
    ending: 'claim-expired',
    result: { status: 'expired' },
    through: { timeoutClaim: 1, recordExpiry: 1 },
    play: async (engine) => {
      const { handle } = await engine.claimed()
      await engine.move((TTL_SECONDS + 2) * 1_000)
      return handle
    },
  },
  {
    ending: 'claim-expired-when-somebody-met-it',
    result: { status: 'expired' },
    through: { timeoutClaim: 1 },
    play: async (engine) => {
      const { handle } = await engine.claimed()
      await handle.signal(expiryDue)
      await until(() => engine.service.callsOf('millisecondsUntil').length === 2)
      engine.moveServiceClock((TTL_SECONDS + 2) * 1_000)
      await handle.signal(expiryDue)
      return handle
    },
  },
  {
    ending: 'claim-refused-at-admission',
    result: { status: 'refused:worker_open_exposure_cap_reached' },
    through: { admitClaim: 1 },
    play: async (engine) => {
      engine.service.play({ admitClaim: refuse('worker_open_exposure_cap_reached') })
      const { handle, outcome } = await engine.beginClaim()
      await refusalOf(outcome)
      return handle
    },
  },
  {
    ending: 'claim-refused-on-chain',
    result: { status: 'refused:insufficient_liquidity' },
    through: { lockBond: 1, releaseClaim: 1 },
    play: async (engine) => {
      engine.service.play({ lockBond: refuse('insufficient_liquidity') })
      const { handle, outcome } = await engine.beginClaim()
      await refusalOf(outcome)
      return handle
    },
  },
  {
    ending: 'submission-refused-then-accepted',
    result: { status: 'resolved' },
    through: { admitSubmission: 3, submitOnChain: 2, dropSubmission: 1 },
    play: async (engine) => {
      const { service } = engine
      const claim = await engine.claimed()
      service.play({ admitSubmission: refuse('invalid_submission_shape') })
      await refusalOf(engine.submit(claim.handle, claim.sessionId, 'misshapen'))
      service.replay({ admitSubmission: service.usual.admitSubmission, submitOnChain: refuse('blockchain_revert') })
      await refusalOf(engine.submit(claim.handle, claim.sessionId, 'reverted'))
      service.replay({ submitOnChain: service.usual.submitOnChain })
      await engine.submit(claim.handle, claim.sessionId, 'work')
      await announce(engine, claim, 'approved')
      return claim.handle
    },
  },
  {
    ending: 'submission-under-way-at-the-deadline',
    result: { status: 'resolved' },
    through: { submitOnChain: 1, recordSubmission: 1 },
    play: async (engine) => {
      const way = gate()
      const claim = await engine.claimed()
      engine.service.replay({
        submitOnChain: async () => {
          await way.passed
          return { txHash: `0x${'d'.repeat(64)}`, submittedAt: new Date(claim.expiresAt).toISOString() }
        },
      })
      const submission = engine.submit(claim.handle, claim.sessionId, 'work')
      await until(() => engine.service.callsOf('submitOnChain').length === 1)
      const asked = engine.service.callsOf('millisecondsUntil').length
      engine.moveServiceClock((TTL_SECONDS + 2) * 1_000)
      await claim.handle.signal(expiryDue)
      await until(() => engine.service.callsOf('millisecondsUntil').length > asked)
      way.open()
      await submission
      await announce(engine, claim, 'approved')
      return claim.handle
    },
  },
  {
    ending: 'submission-late-by-fault-of-the-platform',
    result: { status: 'chain_state_diverged' },
    through: { recordLateSubmission: 1 },
    play: async (engine) => {
      engine.service.play({ submitOnChain: refuse('claim_expired') })
      const { handle, sessionId } = await engine.claimed()
      await refusalOf(engine.submit(handle, sessionId, 'work'))
      return handle
    },
  },
  {
    ending: 'rejected-and-final',
    result: { status: 'rejected' },
    through: { rejectOnChain: 1, endRejection: 1, recordRejectionEnd: 1 },
    play: async (engine) => {
      const { handle } = await decided(engine, 'rejected')
      await untilShown(handle, 'rejected')
      await engine.move(7 * DAY + MINUTE)
      return handle
    },
  },
  {
    ending: 'rejected-then-disputed-and-decided-on-chain',
    result: { status: 'closed' },
    through: { endRejection: 1, observeDispute: 2 },
    play: async (engine) => {
      engine.service.play({ endRejection: async () => ({ state: 'disputed', disputedAt: new Date(engine.now()).toISOString() }) })
      const { handle } = await decided(engine, 'rejected')
      await untilShown(handle, 'rejected')
      await engine.move(7 * DAY + MINUTE)
      await untilShown(handle, 'disputed')
      engine.service.replay({ observeDispute: async () => ({ status: 'closed' }) })
      await engine.move(DAY + MINUTE)
      return handle
    },
  },
  {
    ending: 'review-then-approved',
    result: { status: 'resolved' },
    through: { recordReview: 1, observeDispute: 1, settleApproval: 1 },
    play: async (engine) => {
      const claim = await decided(engine, 'disputed')
      await untilShown(claim.handle, 'disputed')
      await engine.move(DAY + MINUTE)
      await announce(engine, claim, 'approved')
      return claim.handle
    },
  },
  {
    ending: 'review-then-rejected',
    result: { status: 'rejected' },
    through: { recordReview: 1, rejectOnChain: 1, endRejection: 1 },
    play: async (engine) => {
      const claim = await decided(engine, 'inconclusive')
      await untilShown(claim.handle, 'disputed')
      await announce(engine, claim, 'rejected')
      await untilShown(claim.handle, 'rejected')
      await engine.move(7 * DAY + MINUTE)
      return claim.handle
    },
  },
  {
    ending: 'review-decided-on-chain',
    result: { status: 'resolved' },
    through: { recordReview: 1, observeDispute: 1 },
    play: async (engine) => {
      engine.service.play({ observeDispute: async () => ({ status: 'resolved' }) })
      const { handle } = await decided(engine, 'platform_fault')
      await untilShown(handle, 'disputed')
      await engine.move(DAY + MINUTE)
      return handle
    },
  },
  {
    ending: 'record-held-and-retried',
    result: { status: 'resolved' },
    through: { recordClaim: 2, settleApproval: 1 },
    play: async (engine) => {
      const { service } = engine
      service.play({ recordClaim: refuse('job_not_found') })
      const claim = await engine.beginClaim()
      await until(async () => (await shownState(claim.handle)) === 'held')
      service.replay({ recordClaim: service.usual.recordClaim })
      await engine.move(11 * MINUTE)
      const { claimExpiresAt } = await claim.outcome
      await engine.submit(claim.handle, claim.sessionId, 'work')
      await announce(engine, { ...claim, expiresAt: Date.parse(claimExpiresAt) }, 'approved')
      return claim.handle
    },
  },
  {
    ending: 'payout-held-and-retried',
    result: { status: 'resolved' },
    through: { settleApproval: 2 },
    play: async (engine) => {
      engine.service.play({ settleApproval: refuse('invalid_session_transition') })
      const { handle } = await decided(engine, 'approved')
      await until(async () => (await shownState(handle)) === 'held')
      engine.service.replay({ settleApproval: engine.service.usual.settleApproval })
      await engine.move(11 * MINUTE)
      return handle
    },
  },
  {
    ending: 'verifier-silent-and-started-again',
    result: { status: 'resolved' },
    through: { startVerifier: 2 },
    play: async (engine) => {
      const claim = await engine.submitted()
      await engine.move(DAY + HOUR)
      await announce(engine, claim, 'approved')
      return claim.handle
    },
  },
]

const AWAY: RunResult = { kind: 'unavailable', reasonCode: 'BENCHMARK_PINNED_REVISION_UNAVAILABLE', detail: 'The page is away.' }
const away = async (): Promise<RunResult> => AWAY

const reviewIn = (engine: Engine, ms: number) => ({
  loadSubject: async (input: { sessionId: string }) => ({
    ...(await engine.service.usual.loadSubject(input)),
    slaDeadline: new Date(engine.now() + ms).toISOString(),
  }),
})

const evaluated = (engine: Engine, times: number) => until(() => engine.service.callsOf('evaluateSubmission').length === times)

const ask = (handle: WorkflowHandle) => handle.executeUpdate(runUpdate, { args: [{ requestId: 'request-2', requestedBy: '0x1' }] })

const VERIFICATIONS: Omit<Scenario, 'workflowType'>[] = [
  {
    ending: 'verification-decided',
    result: {},
    through: { loadSubject: 1, evaluateSubmission: 1, announceVerdict: 1 },
    play: (engine) => engine.beginVerification('session-1'),
  },
  {
    ending: 'verification-unavailable-then-decided',
    result: {},
    through: { evaluateSubmission: 3, announceVerdict: 1 },
    play: async (engine) => {
      engine.service.play({ evaluateSubmission: away })
      const handle = await engine.beginVerification('session-2')
      await engine.move(16_000)
      await evaluated(engine, 2)
      engine.service.replay({ evaluateSubmission: engine.service.usual.evaluateSubmission })
      await engine.move(MINUTE)
      return handle
    },
  },
  {
    ending: 'verification-failed-and-sent-to-people',
    result: {},
    through: { evaluateSubmission: 1, recordReviewRequired: 1, announceVerdict: 1 },
    play: async (engine) => {
      engine.service.play({ evaluateSubmission: refuse('session_not_found'), ...reviewIn(engine, 0) })
      return engine.beginVerification('session-3')
    },
  },
  {
    ending: 'verification-silent-until-the-review-deadline',
    result: {},
    through: { evaluateSubmission: 3, recordReviewRequired: 1, announceVerdict: 1 },
    play: async (engine) => {
      engine.service.play({ evaluateSubmission: away, ...reviewIn(engine, 40_000) })
      const handle = await engine.beginVerification('session-4')
      await engine.move(16_000)
      await evaluated(engine, 2)
      await engine.move(MINUTE)
      return handle
    },
  },
  {
    ending: 'verification-asked-for',
    result: {},
    through: { evaluateSubmission: 3, announceVerdict: 1 },
    play: async (engine) => {
      engine.service.play({ evaluateSubmission: away })
      const handle = await engine.beginVerification('session-5')
      await evaluated(engine, 1)
      await ask(handle)
      engine.service.replay({ evaluateSubmission: engine.service.usual.evaluateSubmission })
      await ask(handle)
      return handle
    },
  },
]

export const SCENARIOS: readonly Scenario[] = [
  ...CLAIMS.map((scenario) => ({ ...scenario, workflowType: 'claimSession' as const })),
  ...VERIFICATIONS.map((scenario) => ({ ...scenario, workflowType: 'verifierRun' as const })),
]
