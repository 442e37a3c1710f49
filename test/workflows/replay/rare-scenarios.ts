import { type WorkflowHandle, WorkflowUpdateStage } from '@temporalio/client'
import { expiryDue, submissionOffered, submitUpdate } from '../../../schemas/claims/process.ts'
import { disputeWorkflowId, overturnUpdate, reviewUpdate, verdictUpdate } from '../../../schemas/disputes/process.ts'
import { chainMoved } from '../../../schemas/processes.ts'
import { DAY, type Engine, gate, MINUTE, refusalOf, shownState, until } from '../support/engine.ts'
import { REST_MS, refuseOnce } from '../support/reach.ts'
import { type Step, TTL_SECONDS } from '../support/scripted-service.ts'
import { decidedLook, heldPullRequest, untilLooked } from './pull-request-scenarios.ts'
import { announce, type Claim, contested, disputed, NEWS, people, refuse, type Scenario, untilStage, word } from './scenario.ts'

const calls = (engine: Engine, step: Parameters<Engine['service']['callsOf']>[0]): number => engine.service.callsOf(step).length

/** The claim's last second is over, and its process knows. */
const passClaim = async (engine: Engine, { handle }: Claim): Promise<void> => {
  engine.moveServiceClock((TTL_SECONDS + 2) * 1_000)
  await handle.signal(expiryDue)
}
/** Work that the door took in before the claim ran out, and the process hears of afterwards. */
const handInTime = ({ handle, sessionId, expiresAt }: Claim): Promise<unknown> =>
  handle.executeUpdate(submitUpdate, {
    args: [
      { sessionId, submission: 'work', requestId: 'request-2', protocol: 'http', acceptedAt: new Date(expiresAt - 60_000).toISOString() },
    ],
  })

/** Refuses a step once on the way that leads to it; it is held, and tried again when it has rested. */
const throughRefusal = async <T>(engine: Engine, step: Step, handle: WorkflowHandle, lead: () => Promise<T>): Promise<T> => {
  refuseOnce(engine, step)
  const led = await lead()
  await until(async () => (await shownState(handle).catch(() => '')) === 'blocked')
  await engine.move(REST_MS)
  await until(async () => (await shownState(handle)) !== 'blocked')
  return led
}

const CLAIMS: Omit<Scenario, 'workflowType'>[] = [
  {
    ending: 'submission-offered-by-signal',
    result: { status: 'resolved' },
    through: { admitSubmission: 1, submitOnChain: 1, settleApproval: 1 },
    play: async (engine) => {
      const claim = await engine.claimed()
      const offer = { sessionId: claim.sessionId, submission: 'work', requestId: 'request-2', protocol: 'http' as const }
      await claim.handle.signal(submissionOffered, offer)
      await until(() => engine.service.sessionOf(claim.sessionId).status === 'submitted')
      await announce(engine, claim, 'approved')
      return claim.handle
    },
  },
  {
    ending: 'submissions-that-wait-for-each-other',
    result: { status: 'resolved' },
    through: { admitSubmission: 3, submitOnChain: 1 },
    play: async (engine) => {
      const way = gate()
      const claim = await engine.claimed()
      engine.service.replay({ submitOnChain: async (input) => way.passed.then(() => engine.service.usual.submitOnChain(input)) })
      const handed = await Promise.all(['a', 'b', 'c'].map((id) => engine.handIn(claim.handle, claim.sessionId, 'work', id)))
      await until(() => calls(engine, 'submitOnChain') === 1)
      way.open()
      await Promise.all(handed.map((submission) => submission.result()))
      await announce(engine, claim, 'approved')
      return claim.handle
    },
  },
  {
    ending: 'submission-of-another-session',
    result: { status: 'resolved' },
    through: { admitSubmission: 1 },
    play: async (engine) => {
      const claim = await engine.claimed()
      await refusalOf(engine.submit(claim.handle, `${claim.jobId}:0xanother`, 'work'))
      await engine.submit(claim.handle, claim.sessionId, 'work')
      await announce(engine, claim, 'approved')
      return claim.handle
    },
  },
  {
    ending: 'submission-in-time-while-the-time-out-is-held',
    result: { status: 'resolved' },
    through: { timeoutClaim: 1, admitSubmission: 1, submitOnChain: 1, settleApproval: 1 },
    play: async (engine) => {
      const claim = await engine.claimed()
      const submittedAt = new Date(claim.expiresAt).toISOString()
      const submitOnChain = async () => ({ txHash: `0x${'d'.repeat(64)}`, submittedAt })
      engine.service.replay({ timeoutClaim: refuse('blockchain_revert'), submitOnChain })
      await passClaim(engine, claim)
      await until(async () => (await shownState(claim.handle)) === 'blocked')
      await handInTime(claim)
      await engine.move(11 * MINUTE)
      await announce(engine, claim, 'approved')
      return claim.handle
    },
  },
  {
    ending: 'verdict-that-is-not-to-settle',
    result: { status: 'resolved' },
    through: { readVerdict: 2, startVerifier: 2, settleApproval: 1 },
    play: async (engine) => {
      const claim = await engine.submitted()
      await engine.announce(claim.handle, claim.sessionId, 'verdict-of-nobody')
      await until(() => calls(engine, 'startVerifier') === 2)
      await announce(engine, claim, 'approved')
      return claim.handle
    },
  },
  {
    ending: 'steps-refused-after-the-submission',
    result: { status: 'rejected' },
    through: { startVerifier: 2, observeVerdict: 2, startDispute: 2 },
    play: async (engine) => {
      const claim = await engine.claimed()
      const { handle, sessionId } = claim
      await throughRefusal(engine, 'startVerifier', handle, () => engine.submit(handle, sessionId, 'work'))
      await throughRefusal(engine, 'observeVerdict', handle, () => handle.signal(chainMoved, NEWS))
      await throughRefusal(engine, 'startDispute', handle, () => announce(engine, claim, 'rejected'))
      await untilStage(engine.client.workflow.getHandle(disputeWorkflowId(sessionId)), 'window')
      await engine.move(7 * DAY + MINUTE)
      return handle
    },
  },
  {
    ending: 'expiry-refused-by-the-record',
    result: { status: 'expired' },
    through: { recordExpiry: 2 },
    play: async (engine) => {
      const claim = await engine.claimed()
      await throughRefusal(engine, 'recordExpiry', claim.handle, () => passClaim(engine, claim))
      return claim.handle
    },
  },
]

const DISPUTES: Omit<Scenario, 'workflowType'>[] = [
  {
    ending: 'silence-that-comes-to-nothing-at-first',
    result: { status: 'rejected' },
    through: { applyTimeout: 3, remindPeople: 1 },
    play: async (engine) => {
      const { service } = engine
      service.play({ applyTimeout: async () => undefined })
      const { dispute } = await contested(engine, 'rejected', 'window')
      await engine.move(7 * DAY + MINUTE)
      await until(() => calls(engine, 'applyTimeout') >= 1)
      await engine.move(11 * MINUTE)
      await until(() => calls(engine, 'applyTimeout') >= 2)
      service.replay({ applyTimeout: service.usual.applyTimeout })
      await engine.move(11 * MINUTE)
      return dispute
    },
  },
  {
    ending: 'word-left-after-the-end',
    result: { status: 'resolved' },
    through: { announceEnd: 1, recordArbitration: 2 },
    play: async (engine) => {
      const told = gate()
      const { dispute } = await disputed(engine)
      const { announceEnd } = engine.service.usual
      engine.service.replay({ announceEnd: async (input) => told.passed.then(() => announceEnd(input)) })
      const first = await dispute.startUpdate(verdictUpdate, { args: [word('dismissed')], waitForStage: WorkflowUpdateStage.ACCEPTED })
      await first.result()
      await until(() => calls(engine, 'announceEnd') === 1)
      const late = await dispute.startUpdate(verdictUpdate, { args: [word('upheld')], waitForStage: WorkflowUpdateStage.ACCEPTED })
      told.open()
      await refusalOf(late.result())
      return dispute
    },
  },
  {
    ending: 'words-at-the-wrong-stage',
    result: { status: 'resolved' },
    through: { recordHumanVerdict: 1, overturnRejection: 2, recordArbitration: 1 },
    play: async (engine) => {
      const { dispute } = await contested(engine, 'rejected', 'window')
      await refusalOf(dispute.executeUpdate(reviewUpdate, { args: [people('approve')] }))
      engine.service.replay({ overturnRejection: refuse('overturn_window_closed') })
      await refusalOf(dispute.executeUpdate(overturnUpdate, { args: [{ by: '0xadmin', note: 'Too late.' }] }))
      engine.service.replay({ overturnRejection: engine.service.usual.overturnRejection })
      await dispute.executeUpdate(overturnUpdate, { args: [{ by: '0xadmin', note: 'Wrong terms.' }] })
      await dispute.executeUpdate(verdictUpdate, { args: [word('dismissed')] })
      return dispute
    },
  },
  {
    ending: 'verdict-of-a-machine-told-in-the-window',
    result: { status: 'rejected' },
    through: { takeVerdict: 1, applyTimeout: 1 },
    play: async (engine) => {
      const claim = await contested(engine, 'rejected', 'window')
      await engine.announce(claim.dispute, claim.sessionId, engine.service.decide(claim.sessionId, 'approved'))
      await engine.untilIdle()
      await engine.move(7 * DAY + MINUTE)
      return claim.dispute
    },
  },
  {
    ending: 'prepared-word-found-by-a-run-that-begins-anew',
    result: { status: 'resolved' },
    through: { recordArbitration: 1, applyDecision: 2 },
    play: async (engine) => {
      engine.service.disputes.holdArbitratorKey(false)
      const { dispute, handle, sessionId } = await disputed(engine)
      await dispute.executeUpdate(verdictUpdate, { args: [word('dismissed')] })
      await dispute.terminate('lost')
      // The claim makes sure of it each day.
      const before = calls(engine, 'applyDecision')
      await engine.move(DAY + MINUTE)
      await until(() => calls(engine, 'applyDecision') > before)
      await untilStage(dispute, 'arbitration')
      engine.service.disputes.decideOnChain(sessionId, 'dismissed')
      await engine.move(13 * 60 * MINUTE)
      await handle.result()
      return engine.client.workflow.getHandle(disputeWorkflowId(sessionId))
    },
  },
  {
    ending: 'dispute-begun-by-a-word',
    result: { status: 'rejected' },
    through: { recordArbitration: 1, reconcileWithChain: 2 },
    play: async (engine) => {
      const { sessionId } = await contested(engine, 'rejected', 'window')
      await engine.client.workflow.getHandle(disputeWorkflowId(sessionId)).terminate('lost')
      engine.service.disputes.disputeOnChain(sessionId)
      const handle = await engine.beginDispute(sessionId)
      await handle.executeUpdate(verdictUpdate, { args: [word('upheld')] })
      return handle
    },
  },
  {
    ending: 'steps-refused-from-the-verdict-to-the-silence',
    result: { status: 'closed' },
    through: { takeVerdict: 2, reconcileWithChain: 2, applyTimeout: 2 },
    play: async (engine) => {
      const claim = await engine.submitted()
      const dispute = engine.client.workflow.getHandle(disputeWorkflowId(claim.sessionId))
      await throughRefusal(engine, 'takeVerdict', dispute, () => announce(engine, claim, 'rejected'))
      await untilStage(dispute, 'window')
      engine.service.disputes.disputeOnChain(claim.sessionId)
      await throughRefusal(engine, 'reconcileWithChain', dispute, () => dispute.signal(chainMoved, NEWS))
      await untilStage(dispute, 'arbitration')
      const { dispute: record } = engine.service.disputes.of(claim.sessionId)
      await throughRefusal(engine, 'applyTimeout', dispute, async () => {
        if (record !== null) record.deadlineAt = engine.now() - MINUTE
        await dispute.signal(chainMoved, NEWS)
      })
      return dispute
    },
  },
  {
    ending: 'prepared-word-given-once-the-key-is-back',
    result: { status: 'resolved' },
    through: { recordArbitration: 1, applyDecision: 2 },
    play: async (engine) => {
      engine.service.disputes.holdArbitratorKey(false)
      const { dispute } = await disputed(engine)
      await dispute.executeUpdate(verdictUpdate, { args: [word('dismissed')] })
      await engine.untilIdle()
      engine.service.disputes.holdArbitratorKey(true)
      await engine.move(13 * 60 * MINUTE)
      return dispute
    },
  },
]

const PULL_REQUESTS: Omit<Scenario, 'workflowType'>[] = [
  {
    ending: 'pull-request-fault-told-and-watched-on',
    result: {},
    through: { readPullRequest: 3, announceVerdict: 2 },
    play: async (engine) => {
      engine.service.play(heldPullRequest(engine))
      const handle = await engine.beginVerification('session-12')
      await untilLooked(engine, 1)
      engine.service.replay({ readPullRequest: decidedLook(engine, 'platform_fault', 'TERMS_UNREADABLE') })
      await engine.move(31 * MINUTE)
      await untilLooked(engine, 2)
      await until(() => calls(engine, 'announceVerdict') === 1)
      engine.service.replay({ readPullRequest: engine.service.usual.readPullRequest })
      await engine.move(31 * MINUTE)
      return handle
    },
  },
]

/** Ways that few runs go: what is said twice, too late or to the wrong process, and what begins anew. */
export const RARE: readonly Scenario[] = [
  ...CLAIMS.map((scenario) => ({ ...scenario, workflowType: 'claimSession' as const })),
  ...DISPUTES.map((scenario) => ({ ...scenario, workflowType: 'dispute' as const })),
  ...PULL_REQUESTS.map((scenario) => ({ ...scenario, workflowType: 'verifierRun' as const })),
]
