import type { WorkflowHandle } from '@temporalio/client'
import { resumedClaimStart } from '../../../activities/claims/start.ts'
import type { ObservedSubmission } from '../../../schemas/claims/process.ts'
import { deliveryChanged } from '../../../schemas/deliveries/process.ts'
import { disputeWorkflowId, verdictUpdate } from '../../../schemas/disputes/process.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { idleBalanceMoved, idleConsentUpdate } from '../../../schemas/idle-allocation/process.ts'
import { templateChanged } from '../../../schemas/lanes/process.ts'
import { requestExitUpdate } from '../../../schemas/locked-deposits/process.ts'
import { settlementObserved } from '../../../schemas/paid-verification/process.ts'
import { depositsMoved } from '../../../schemas/pool/process.ts'
import { postingChanged } from '../../../schemas/postings/process.ts'
import { chainMoved } from '../../../schemas/processes.ts'
import { eventsRecorded, webhookTest } from '../../../schemas/webhooks/process.ts'
import { WALLET } from '../support/claim-input.ts'
import { parked, retry } from '../support/cross-chain.ts'
import { DAY, type Engine, HOUR, inTurn, MINUTE, shownState, until } from '../support/engine.ts'
import { heldPullRequest, untilLooked } from '../support/pull-requests.ts'
import { announceTo, CHAIN_EVENT, DECISION, disputed, REST_MS, refuseOnce, stageIs } from '../support/reach.ts'
import {
  CLAIM_ON_CHAIN,
  deliveryIn,
  ENDPOINT,
  endpointIn,
  freeingAt,
  lockIn,
  pageOf,
  playConsents,
  postingIn,
  RELEASED,
  runIn,
  templateIn,
  VESTED,
  vestsAt,
} from '../support/savings.ts'
import type { Step } from '../support/scripted-service.ts'

export interface Scenario {
  /** Result of the workflow, in part. */
  result: Record<string, unknown>
  /** Steps of the workflow, and how often each runs at least. */
  through: Partial<Record<Step, number>>
  /** Drives the workflow until it only has to end by itself. */
  play(engine: Engine): Promise<WorkflowHandle>
}

const HASH = `0x${'e'.repeat(64)}`
const REQUEST = { requestId: 'r-1' }

const untilCalled = (engine: Engine, step: Step, times: number) => until(() => engine.service.callsOf(step).length >= times)

/** Refuses a step once after `act`; the workflow is blocked by it and retries it. */
const throughRefusal = async <T>(engine: Engine, step: Step, handle: WorkflowHandle, act: () => Promise<T>): Promise<T> => {
  refuseOnce(engine, step)
  const result = await act()
  await until(async () => (await shownState(handle).catch(() => '')) === 'blocked')
  await engine.move(REST_MS)
  return result
}

/** The run that was continued as new, not the newest one. */
const firstRun = async ({ client }: Engine, handle: WorkflowHandle): Promise<WorkflowHandle> => {
  const { runId } = await handle.describe()
  return client.workflow.getHandle(handle.workflowId, runId, { followRuns: false })
}

/** One way through each workflow, and others under a name with a hyphen, rich in steps, timers and messages. The replay test fails for a workflow without a history. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  audit: {
    result: { block: '7' },
    through: { runAudit: 1 },
    play: (engine) => engine.beginAudit(421),
  },
  chainFollower: {
    result: {},
    through: { followChain: 60 },
    play: async (engine) => {
      const run = await firstRun(engine, await engine.beginFollower(420))
      await untilCalled(engine, 'followChain', 61)
      return run
    },
  },
  claimSession: {
    result: { status: 'rejected' },
    through: { startVerifier: 2, observeVerdict: 2, startDispute: 2 },
    play: async (engine) => {
      const claim = await engine.claimed()
      const { handle, sessionId } = claim
      await throughRefusal(engine, 'startVerifier', handle, () => engine.submit(handle, sessionId, 'work'))
      await throughRefusal(engine, 'observeVerdict', handle, () => handle.signal(chainMoved, CHAIN_EVENT))
      await throughRefusal(engine, 'startDispute', handle, () => announceTo(engine, claim, 'rejected'))
      await stageIs(engine.client.workflow.getHandle(disputeWorkflowId(sessionId)), 'window')
      await engine.move(7 * DAY + MINUTE)
      return handle
    },
  },
  'claimSession-adopted': {
    result: { status: 'expired' },
    through: { bringSubmissionHome: 4, recordExpiry: 1 },
    play: async (engine) => {
      const expiry = { result: 'removed', observedState: 'open', observedWorker: null, blockNumber: '9', txHash: null } as const
      const awaited = { kind: 'awaited' } as const
      engine.service.replay({ bringSubmissionHome: inTurn<ObservedSubmission>(awaited, awaited, { kind: 'removed', expiry }) })
      const { handle } = await engine.claimed({ adopted: true, selfPaid: true })
      for (const times of [1, 2]) {
        await untilCalled(engine, 'bringSubmissionHome', times)
        await handle.signal(chainMoved, CHAIN_EVENT)
      }
      await untilCalled(engine, 'bringSubmissionHome', 3)
      await engine.move(MINUTE + 1_000)
      return handle
    },
  },
  'claimSession-resumed': {
    result: { status: 'resolved' },
    through: { resumeClaim: 1, bringSubmissionHome: 1, submitOnChain: 1, observeVerdict: 1 },
    play: async (engine) => {
      const { jobId, sessionId, handle: lost, expiresAt } = await engine.claimed()
      await lost.terminate('lost')
      const claimExpiresAt = new Date(expiresAt).toISOString()
      const session = { sessionId, claimExpiresAt, claimedAt: claimExpiresAt, lapsesInMs: expiresAt - engine.now() }
      engine.service.play({
        resumeClaim: async () => ({ kind: 'claimed', session, accepted: null }),
        bringSubmissionHome: async () => ({ kind: 'awaited' }),
      })
      const job = { title: 'Retry policy', chainJobId: HASH, verifierMode: 'benchmark' }
      const start = resumedClaimStart({ sessionId, jobId, wallet: WALLET, requestId: 'request-1', selfPaid: false, ...job })
      const handle = engine.client.workflow.getHandle((await engine.client.workflow.start('claimSession', start)).workflowId)
      await engine.submit(handle, sessionId, 'work')
      await announceTo(engine, { handle, sessionId }, 'approved')
      return handle
    },
  },
  contentDisclosure: {
    result: { details: `Published. Event: 0x${'a'.repeat(64)}.` },
    through: { publishContent: 1, discloseContent: 2 },
    play: async (engine) => {
      engine.service.play({ discloseContent: async () => Promise.reject(new ServiceError('blockchain_revert')) })
      const handle = await engine.beginDisclosure(HASH)
      await untilCalled(engine, 'discloseContent', 1)
      engine.service.replay({ discloseContent: engine.service.usual.discloseContent })
      await engine.move(REST_MS)
      return handle
    },
  },
  crossChainRequest: {
    result: { requestId: '0x05', status: 'succeeded' },
    through: { settleCrossChainRequest: 6, parkCrossChainRequest: 1 },
    play: async (engine) => {
      const handle = await parked(engine, '0x05')
      await engine.move(DAY)
      await retry(handle)
      return handle
    },
  },
  dispute: {
    result: { status: 'resolved' },
    through: { recordArbitration: 2, applyDecision: 1 },
    play: async (engine) => {
      engine.service.disputes.holdArbitratorKey(false)
      const { handle, sessionId } = await disputed(engine)
      await handle.executeUpdate(verdictUpdate, { args: [{ ...DECISION, verdict: 'split' }] })
      const supersedes = engine.service.disputes.of(sessionId).decision?.preparation?.preparationId
      await handle.executeUpdate(verdictUpdate, { args: [{ ...DECISION, ...(supersedes !== undefined && { supersedes }) }] })
      engine.service.disputes.decideOnChain(sessionId, 'dismissed')
      await handle.signal(chainMoved, CHAIN_EVENT)
      return handle
    },
  },
  deliveryTracking: {
    result: { state: 'merged' },
    through: { readDelivery: 4 },
    play: async (engine) => {
      const next = engine.now() + DAY
      const readings = [deliveryIn('open', next), deliveryIn('open', next), deliveryIn('merged', next + 7 * DAY), deliveryIn('merged')]
      engine.service.replay({ readDelivery: inTurn(...readings) })
      const handle = await engine.beginDelivery('job:0xworker')
      await untilCalled(engine, 'readDelivery', 1)
      await handle.signal(deliveryChanged, { deliveryId: 'a-webhook' })
      await untilCalled(engine, 'readDelivery', 2)
      await engine.move(DAY + MINUTE)
      await untilCalled(engine, 'readDelivery', 3)
      await engine.move(7 * DAY + MINUTE)
      return handle
    },
  },
  verificationRun: {
    result: { state: 'captured' },
    through: { executeRun: 1, billRun: 3 },
    play: async (engine) => {
      const waiting = runIn('capturing', engine.now() + DAY)
      engine.service.replay({ billRun: inTurn(waiting, waiting, runIn('captured')) })
      const handle = await engine.beginPaidRun('b'.repeat(64))
      await untilCalled(engine, 'billRun', 1)
      await handle.signal(settlementObserved)
      await untilCalled(engine, 'billRun', 2)
      await engine.move(DAY + MINUTE)
      return handle
    },
  },
  profileExecution: {
    result: { kind: 'executed' },
    through: { runProfile: 2 },
    play: async (engine) => {
      const lost = async () => Promise.reject(new Error('the runner is lost'))
      const result = { verdict: 'approved' as const, reason: null, checks: [], artefacts: [], evidence: {} }
      let attempts = 0
      engine.service.replay({ runProfile: async () => (attempts++ === 0 ? lost() : { kind: 'executed', result }) })
      return engine.beginExecution('b'.repeat(64))
    },
  },
  externalPosting: {
    result: { status: 'settled' },
    through: { reconcilePosting: 5, bringClaimHome: 1 },
    play: async (engine) => {
      const waiting = postingIn('awaiting_funding', engine.now() + 3 * DAY)
      const claimed = postingIn('live', null, { unrecordedClaim: CLAIM_ON_CHAIN })
      const steps = inTurn(waiting, postingIn('live'), claimed, postingIn('live'), postingIn('settled'))
      engine.service.replay({ reconcilePosting: steps })
      const handle = await engine.beginPosting(HASH)
      for (const times of [1, 2, 4]) {
        await untilCalled(engine, 'reconcilePosting', times)
        await handle.signal(postingChanged)
      }
      return handle
    },
  },
  'externalPosting-unlisted': {
    result: { status: 'mismatch' },
    through: { reconcilePosting: 3, freeEscrow: 2 },
    play: async (engine) => {
      const unlisted = postingIn('mismatch', null, { unlistedClaim: CLAIM_ON_CHAIN, isOver: false })
      engine.service.replay({
        reconcilePosting: inTurn(unlisted, unlisted, postingIn('mismatch')),
        freeEscrow: inTurn(freeingAt(engine.now() + 7 * DAY), null),
      })
      const handle = await engine.beginPosting(HASH)
      await untilCalled(engine, 'freeEscrow', 1)
      await engine.move(7 * DAY + MINUTE)
      return handle
    },
  },
  gasGrant: {
    result: { txHash: `0x${'a'.repeat(64)}` },
    through: { reserveGasGrant: 1, sendGasGrant: 1 },
    play: (engine) => engine.beginGasGrant('0xworker'),
  },
  idleAllocation: {
    result: { consent: 'Consent: over.' },
    through: { recordIdleConsent: 1, moveIdleBalance: 3 },
    play: async (engine) => {
      const end = engine.now() + 90 * DAY
      playConsents(engine, end, end, end, null)
      const handle = await engine.beginIdleAllocation('0xsaver')
      await untilCalled(engine, 'moveIdleBalance', 1)
      await handle.executeUpdate(idleConsentUpdate, { args: [{ termsHash: HASH, signature: '0x', ...REQUEST }] })
      await untilCalled(engine, 'moveIdleBalance', 2)
      await handle.signal(idleBalanceMoved)
      await untilCalled(engine, 'moveIdleBalance', 3)
      await engine.move(90 * DAY + MINUTE)
      return handle
    },
  },
  ingestion: {
    result: { status: 'done' },
    through: { beginIngestion: 1, ingestPage: 3, endIngestion: 1 },
    play: async (engine) => {
      engine.service.replay({ ingestPage: inTurn(pageOf(0, { isBusy: true }), pageOf(1), pageOf(2, { isOver: true })) })
      const handle = await engine.beginIngestion('replayed')
      await untilCalled(engine, 'ingestPage', 1)
      await engine.move(MINUTE)
      return handle
    },
  },
  integritySweep: {
    result: { action: 'none', total: 2 },
    through: { sweepDefinitions: 1 },
    play: (engine) => engine.beginSweep('integritySweep', 423),
  },
  staleSweep: {
    result: { status: 'off' },
    through: { sweepStaleJobs: 1 },
    play: (engine) => engine.beginSweep('staleSweep', 424),
  },
  recurringJob: {
    result: { runs: 2 },
    through: { advanceTemplate: 5, millisecondsUntil: 2 },
    play: async (engine) => {
      const [due, later] = [engine.now() + HOUR, engine.now() + 2 * HOUR]
      const advanceTemplate = inTurn(
        templateIn('waiting', due, 0),
        templateIn('paused', null, 0),
        templateIn('held', due, 0),
        templateIn('waiting', later, 1),
        templateIn('ended', null, 2),
      )
      engine.service.replay({ advanceTemplate })
      const handle = await engine.beginTemplate('weekly-links')
      for (const times of [1, 2]) {
        await untilCalled(engine, 'advanceTemplate', times)
        await handle.signal(templateChanged)
      }
      await untilCalled(engine, 'advanceTemplate', 3)
      await engine.move(HOUR + MINUTE)
      await engine.move(HOUR)
      return handle
    },
  },
  lockedDeposit: {
    result: { status: 'released' },
    through: { openLock: 1, exitLock: 1, advanceLock: 3 },
    play: async (engine) => {
      const active = lockIn('active', engine.now() + 30 * DAY)
      engine.service.replay({ advanceLock: inTurn(active, lockIn('exiting', engine.now() + 2 * DAY), RELEASED) })
      const handle = await engine.beginLock(HASH)
      await untilCalled(engine, 'advanceLock', 1)
      await handle.executeUpdate(requestExitUpdate, { args: [REQUEST] })
      await untilCalled(engine, 'advanceLock', 2)
      await engine.move(2 * DAY + MINUTE)
      return handle
    },
  },
  principalVesting: {
    result: { principal: '10 USDC' },
    through: { advanceVesting: 3 },
    play: async (engine) => {
      engine.service.replay({ advanceVesting: inTurn(vestsAt(null), vestsAt(engine.now() + 2 * DAY + HOUR), VESTED) })
      const handle = await engine.beginVesting('0xdepositor')
      await untilCalled(engine, 'advanceVesting', 1)
      await engine.move(HOUR)
      await handle.signal(depositsMoved)
      await untilCalled(engine, 'advanceVesting', 2)
      await engine.move(2 * DAY + MINUTE)
      return handle
    },
  },
  sessionLog: {
    result: {},
    through: { closeLogDay: 30, millisecondsUntil: 30 },
    play: async (engine) => {
      const run = await firstRun(engine, await engine.beginSessionLog(422))
      for (let day = 1; day <= 30; day += 1) {
        await untilCalled(engine, 'closeLogDay', day)
        await engine.move(DAY + MINUTE)
      }
      await untilCalled(engine, 'closeLogDay', 31)
      return run
    },
  },
  verifierRun: {
    result: {},
    through: { readPullRequest: 2, recordReviewRequired: 1, announceVerdict: 2 },
    play: async (engine) => {
      const steps = heldPullRequest(engine)
      const slaDeadline = new Date(engine.now() + HOUR).toISOString()
      engine.service.play({ ...steps, loadSubject: async (input) => ({ ...(await steps.loadSubject(input)), slaDeadline }) })
      const handle = await engine.beginVerification('session-5')
      await untilLooked(engine, 1)
      await engine.move(HOUR + MINUTE)
      await untilCalled(engine, 'recordReviewRequired', 1)
      engine.service.replay({ readPullRequest: engine.service.usual.readPullRequest })
      await engine.move(31 * MINUTE)
      return handle
    },
  },
  webhook: {
    result: { state: 'deleted' },
    through: { deliverEvents: 4, deliverTestEvent: 1 },
    play: async (engine) => {
      const deliverEvents = inTurn(endpointIn('delivering'), endpointIn('waiting'), endpointIn('waiting'), endpointIn('deleted'))
      engine.service.replay({ deliverEvents })
      const handle = await engine.beginWebhook(ENDPOINT)
      await untilCalled(engine, 'deliverEvents', 2)
      await handle.signal(eventsRecorded)
      await untilCalled(engine, 'deliverEvents', 3)
      await handle.executeUpdate(webhookTest, { args: [REQUEST] })
      await handle.signal(eventsRecorded)
      return handle
    },
  },
}
