import type { WorkflowHandle } from '@temporalio/client'
import { expiryDue, submitUpdate } from '../../../schemas/claims/process.ts'
import {
  disputeProgress,
  disputeWorkflowId,
  overturnUpdate,
  reviewGiven,
  reviewUpdate,
  verdictGiven,
  verdictUpdate,
} from '../../../schemas/disputes/process.ts'
import { chainMoved } from '../../../schemas/processes.ts'
import { type RunResult, runUpdate } from '../../../schemas/verification/process.ts'
import { DAY, type Engine, gate, HOUR, MINUTE, refusalOf, shownState, until } from '../support/engine.ts'
import { CLAIM_STATES } from '../support/reach.ts'
import { TTL_SECONDS } from '../support/scripted-service.ts'
import { CROSS_CHAIN_REQUESTS } from './cross-chain-scenarios.ts'
import { IDLE_ALLOCATIONS, LOCKS } from './lock-scenarios.ts'
import { PULL_REQUESTS } from './pull-request-scenarios.ts'
import { RARE } from './rare-scenarios.ts'
import { DISCLOSURES, GAS_GRANTS, VESTINGS } from './savings-scenarios.ts'
import { announce, contested, decided, disputed, NEWS, people, refuse, type Scenario, untilStage, word } from './scenario.ts'
import { WEBHOOKS } from './webhook-scenarios.ts'

const timedOut = async (engine: Engine) => {
  const claim = await disputed(engine)
  await engine.move(14 * DAY + MINUTE)
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
    ending: 'claim-approved-past-the-service',
    result: { status: 'resolved' },
    through: { observeVerdict: 2, startVerifier: 1, settleApproval: 1 },
    play: async (engine) => {
      const { handle, sessionId } = await engine.submitted()
      await handle.signal(chainMoved, NEWS)
      await until(() => engine.service.callsOf('observeVerdict').length === 1)
      const verdictId = engine.service.decide(sessionId, 'approved')
      engine.service.replay({ observeVerdict: async () => ({ verdictId }) })
      await handle.signal(chainMoved, NEWS)
      return handle
    },
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
      await until(() => engine.service.callsOf('millisecondsUntil').length === 1)
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
      engine.moveServiceClock((TTL_SECONDS + 2) * 1_000)
      await claim.handle.signal(expiryDue)
      await until(async () => !(await claim.handle.describe()).raw.pendingWorkflowTask)
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
    ending: 'submission-refused-during-the-time-out',
    result: { status: 'expired' },
    through: { timeoutClaim: 1, recordExpiry: 1 },
    play: async (engine) => {
      const { handle, sessionId, release } = await CLAIM_STATES.expiring(engine)
      const submission = await engine.handIn(handle, sessionId, 'work')
      release()
      await refusalOf(submission.result())
      return handle
    },
  },
  {
    ending: 'submission-tried-before-the-time-out-is-sent-again',
    result: { status: 'chain_state_diverged' },
    through: { timeoutClaim: 1, submitOnChain: 1, recordLateSubmission: 1 },
    play: async (engine) => {
      const { handle, sessionId } = await CLAIM_STATES.resting(engine)
      const acceptedAt = new Date(engine.service.sessionOf(sessionId).claimExpiresAt - MINUTE).toISOString()
      const offer = { sessionId, submission: 'work', requestId: 'request-2', protocol: 'http', acceptedAt } as const
      await refusalOf(handle.executeUpdate(submitUpdate, { args: [offer] }))
      await engine.move(11 * MINUTE)
      return handle
    },
  },
  {
    ending: 'rejected-and-final',
    result: { status: 'rejected' },
    through: { startDispute: 1, readEnd: 1 },
    play: async (engine) => {
      const { handle } = await contested(engine, 'rejected', 'window')
      await engine.move(7 * DAY + MINUTE)
      return handle
    },
  },
  {
    ending: 'rejected-then-disputed-and-decided-on-chain',
    result: { status: 'closed' },
    through: { startDispute: 1, readEnd: 1 },
    play: async (engine) => (await timedOut(engine)).handle,
  },
  {
    ending: 'review-then-approved',
    result: { status: 'resolved' },
    through: { startDispute: 2, readEnd: 2 },
    play: async (engine) => {
      const claim = await contested(engine, 'disputed', 'review')
      await engine.move(DAY + MINUTE)
      await announce(engine, claim, 'approved')
      return claim.handle
    },
  },
  {
    ending: 'review-then-rejected',
    result: { status: 'rejected' },
    through: { startDispute: 2, readEnd: 2 },
    play: async (engine) => {
      const claim = await contested(engine, 'inconclusive', 'review')
      await announce(engine, claim, 'rejected')
      await untilStage(claim.dispute, 'window')
      await engine.move(7 * DAY + MINUTE)
      return claim.handle
    },
  },
  {
    ending: 'review-decided-on-chain',
    result: { status: 'resolved' },
    through: { startDispute: 1, readEnd: 1 },
    play: async (engine) => {
      const claim = await contested(engine, 'platform_fault', 'review')
      engine.service.disputes.decideOnChain(claim.sessionId, 'approved')
      await claim.dispute.signal(chainMoved, NEWS)
      return claim.handle
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
      await until(async () => (await shownState(claim.handle)) === 'blocked')
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
      await until(async () => (await shownState(handle)) === 'blocked')
      engine.service.replay({ settleApproval: engine.service.usual.settleApproval })
      await engine.move(11 * MINUTE)
      return handle
    },
  },
  {
    ending: 'payout-met-a-rejection-by-another-hand',
    result: { status: 'rejected' },
    through: { settleApproval: 1, startDispute: 1, readEnd: 1 },
    play: async (engine) => {
      engine.service.play({
        settleApproval: async ({ sessionId }) => {
          engine.service.disputes.rejectElsewhere(sessionId)
          return { status: 'rejected' }
        },
      })
      const { handle, sessionId } = await decided(engine, 'approved')
      await untilStage(engine.client.workflow.getHandle(disputeWorkflowId(sessionId)), 'window')
      await engine.move(7 * DAY + MINUTE)
      return handle
    },
  },
  {
    ending: 'payout-met-a-chain-without-the-submission',
    result: { status: 'chain_state_diverged' },
    through: { settleApproval: 1 },
    play: async (engine) => {
      engine.service.play({ settleApproval: async () => ({ status: 'chain_state_diverged' }) })
      return (await decided(engine, 'approved')).handle
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
    ending: 'verification-silent-while-people-have-it',
    result: { verdictId: null },
    through: { evaluateSubmission: 2 },
    play: async (engine) => {
      const { loadSubject } = reviewIn(engine, 20_000)
      const again = async (input: { sessionId: string }) => ({ ...(await loadSubject(input)), underReview: true })
      engine.service.play({ evaluateSubmission: away, loadSubject: again })
      const handle = await engine.beginVerification('session-6')
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

const FOLLOWERS: Omit<Scenario, 'workflowType'>[] = [
  {
    ending: 'chain-followed-for-an-hour',
    result: {},
    through: { followChain: 60 },
    play: async (engine) => {
      const handle = await engine.beginFollower(420)
      const { runId } = await handle.describe()
      await until(() => engine.service.callsOf('followChain').length > 60)
      // The run that went on in another one, not the newest.
      return engine.client.workflow.getHandle(handle.workflowId, runId, { followRuns: false })
    },
  },
]

const LOGS: Omit<Scenario, 'workflowType'>[] = [
  {
    ending: 'session-log-closed-for-thirty-days',
    result: {},
    through: { closeLogDay: 30, millisecondsUntil: 30 },
    play: async (engine) => {
      const handle = await engine.beginSessionLog(422)
      const { runId } = await handle.describe()
      for (let day = 1; day <= 30; day += 1) {
        await until(() => engine.service.callsOf('closeLogDay').length === day)
        await engine.move(DAY + MINUTE)
      }
      await until(() => engine.service.callsOf('closeLogDay').length > 30)
      return engine.client.workflow.getHandle(handle.workflowId, runId, { followRuns: false })
    },
  },
]

const AUDITS: Omit<Scenario, 'workflowType'>[] = [
  {
    ending: 'records-audited',
    result: { block: '7' },
    through: { runAudit: 1 },
    play: (engine) => engine.beginAudit(421),
  },
]

const DISPUTES: Omit<Scenario, 'workflowType'>[] = [
  {
    ending: 'dispute-window-over',
    result: { status: 'rejected' },
    through: { takeVerdict: 1, applyTimeout: 1, announceEnd: 1 },
    play: async (engine) => {
      const { dispute } = await contested(engine, 'rejected', 'window')
      await engine.move(7 * DAY + MINUTE)
      return dispute
    },
  },
  {
    ending: 'dispute-decided',
    result: { status: 'resolved' },
    through: { recordArbitration: 1, applyDecision: 1, decisionAnswer: 1 },
    play: async (engine) => {
      const { dispute } = await disputed(engine)
      await dispute.executeUpdate(verdictUpdate, { args: [word('dismissed')] })
      return dispute
    },
  },
  {
    ending: 'dispute-decided-by-signal-after-one-was-refused',
    result: { status: 'rejected' },
    through: { recordArbitration: 2, applyDecision: 1 },
    play: async (engine) => {
      const { dispute } = await disputed(engine)
      await dispute.signal(verdictGiven, word('reject'))
      await until(async () => (await dispute.query(disputeProgress)).refused === 'invalid_request')
      await dispute.signal(verdictGiven, word('upheld'))
      return dispute
    },
  },
  {
    ending: 'dispute-decided-on-chain',
    result: { status: 'resolved' },
    through: { reconcileWithChain: 2 },
    play: async (engine) => {
      const { dispute, sessionId } = await disputed(engine)
      engine.service.disputes.decideOnChain(sessionId, 'split')
      await engine.move(13 * HOUR)
      return dispute
    },
  },
  {
    ending: 'dispute-taken-back-by-a-fork',
    result: { status: 'rejected' },
    through: { reconcileWithChain: 4, applyTimeout: 1 },
    play: async (engine) => {
      const { dispute, sessionId } = await disputed(engine)
      let looks = 0
      engine.service.replay({
        reconcileWithChain: async () => {
          looks += 1
          if (looks === 3) engine.service.disputes.takeBack(sessionId)
          return { again: looks < 3, behind: false }
        },
      })
      await dispute.signal(chainMoved, NEWS)
      await until(() => looks === 1)
      await engine.move(16_000)
      await until(() => looks === 2)
      await engine.move(31_000)
      await untilStage(dispute, 'window')
      await engine.move(7 * DAY + MINUTE)
      return dispute
    },
  },
  {
    ending: 'dispute-timed-out',
    result: { status: 'closed' },
    through: { applyTimeout: 1, remindPeople: 1 },
    play: async (engine) => (await timedOut(engine)).dispute,
  },
  {
    ending: 'dispute-prepared-replaced-and-signed',
    result: { status: 'resolved' },
    through: { recordArbitration: 2, applyDecision: 1 },
    play: async (engine) => {
      engine.service.disputes.holdArbitratorKey(false)
      const { dispute, sessionId } = await disputed(engine)
      await dispute.executeUpdate(verdictUpdate, { args: [word('split')] })
      const first = engine.service.disputes.of(sessionId).decision?.preparation?.preparationId
      await dispute.executeUpdate(verdictUpdate, { args: [word('dismissed', first)] })
      engine.service.disputes.decideOnChain(sessionId, 'dismissed')
      await dispute.signal(chainMoved, NEWS)
      return dispute
    },
  },
  {
    ending: 'rejection-overturned-and-silent',
    result: { status: 'resolved' },
    through: { overturnRejection: 1, applyTimeout: 1 },
    play: async (engine) => {
      const { dispute } = await contested(engine, 'rejected', 'window')
      await dispute.executeUpdate(overturnUpdate, { args: [{ by: '0xadmin', note: 'Wrong terms.' }] })
      await untilStage(dispute, 'arbitration')
      await engine.move(14 * DAY + MINUTE)
      return dispute
    },
  },
  {
    ending: 'review-approved-by-people',
    result: { status: 'resolved' },
    through: { recordHumanVerdict: 1, applyDecision: 1 },
    play: async (engine) => {
      const { dispute } = await contested(engine, 'disputed', 'review')
      await dispute.executeUpdate(reviewUpdate, { args: [people('approve')] })
      return dispute
    },
  },
  {
    ending: 'review-rejected-by-people-and-final',
    result: { status: 'rejected' },
    through: { recordHumanVerdict: 1, applyDecision: 1, applyTimeout: 1 },
    play: async (engine) => {
      const { dispute } = await contested(engine, 'inconclusive', 'review')
      await dispute.signal(reviewGiven, people('reject'))
      await untilStage(dispute, 'window')
      await engine.move(7 * DAY + MINUTE)
      return dispute
    },
  },
  {
    ending: 'review-approved-by-the-machine',
    result: { status: 'resolved' },
    through: { recordLaterVerdict: 1, applyDecision: 1 },
    play: async (engine) => {
      const claim = await contested(engine, 'disputed', 'review')
      await announce(engine, claim, 'approved')
      return claim.dispute
    },
  },
  {
    ending: 'review-silent',
    result: { status: 'resolved' },
    through: { applyTimeout: 1 },
    play: async (engine) => {
      const { dispute } = await contested(engine, 'platform_fault', 'review')
      await engine.move(14 * DAY + MINUTE)
      return dispute
    },
  },
  {
    ending: 'review-silent-without-an-arbitrator',
    result: { status: 'closed' },
    through: { applyTimeout: 2 },
    play: async (engine) => {
      engine.service.disputes.holdArbitratorKey(false)
      const { dispute } = await contested(engine, 'disputed', 'review')
      await engine.move(14 * DAY + MINUTE)
      await untilStage(dispute, 'arbitration')
      await engine.move(14 * DAY + MINUTE)
      return dispute
    },
  },
  {
    ending: 'decision-held-and-retried',
    result: { status: 'resolved' },
    through: { applyDecision: 2 },
    play: async (engine) => {
      const { service } = engine
      const { dispute } = await disputed(engine)
      service.replay({ applyDecision: refuse('invalid_session_transition') })
      await dispute.signal(verdictGiven, word('dismissed'))
      await until(async () => (await shownState(dispute)) === 'blocked')
      service.replay({ applyDecision: service.usual.applyDecision })
      await engine.move(11 * MINUTE)
      return dispute
    },
  },
]

export const SCENARIOS: readonly Scenario[] = [
  ...FOLLOWERS.map((scenario) => ({ ...scenario, workflowType: 'chainFollower' as const })),
  ...CLAIMS.map((scenario) => ({ ...scenario, workflowType: 'claimSession' as const })),
  ...LOGS.map((scenario) => ({ ...scenario, workflowType: 'sessionLog' as const })),
  ...AUDITS.map((scenario) => ({ ...scenario, workflowType: 'audit' as const })),
  ...GAS_GRANTS.map((scenario) => ({ ...scenario, workflowType: 'gasGrant' as const })),
  ...DISCLOSURES.map((scenario) => ({ ...scenario, workflowType: 'contentDisclosure' as const })),
  ...LOCKS.map((scenario) => ({ ...scenario, workflowType: 'lockedDeposit' as const })),
  ...IDLE_ALLOCATIONS.map((scenario) => ({ ...scenario, workflowType: 'idleAllocation' as const })),
  ...VESTINGS.map((scenario) => ({ ...scenario, workflowType: 'principalVesting' as const })),
  ...CROSS_CHAIN_REQUESTS.map((scenario) => ({ ...scenario, workflowType: 'crossChainRequest' as const })),
  ...DISPUTES.map((scenario) => ({ ...scenario, workflowType: 'dispute' as const })),
  ...[...VERIFICATIONS, ...PULL_REQUESTS].map((scenario) => ({ ...scenario, workflowType: 'verifierRun' as const })),
  ...WEBHOOKS.map((scenario) => ({ ...scenario, workflowType: 'webhook' as const })),
  ...RARE,
]
