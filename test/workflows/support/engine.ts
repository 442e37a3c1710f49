import type { WorkflowHandle } from '@temporalio/client'
import { WithStartWorkflowOperation, WorkflowUpdateStage } from '@temporalio/client'
import { optionalTsToMs, tsToMs } from '@temporalio/common/lib/time.js'
import { Worker } from '@temporalio/worker'
import { contentDisclosureStart } from '../../../activities/content/start.ts'
import { crossChainStart } from '../../../activities/cross-chain/start.ts'
import { deliveryStart } from '../../../activities/deliveries/start.ts'
import { idleAllocationStart } from '../../../activities/idle-allocation/start.ts'
import { ingestionStart, SOURCE_PROCESSES } from '../../../activities/ingestion/start.ts'
import { recurringStart } from '../../../activities/lanes/start.ts'
import { lockedDepositStart } from '../../../activities/locked-deposits/start.ts'
import { executionStart, verificationStart } from '../../../activities/paid-verification/start.ts'
import { vestingStart } from '../../../activities/pool/start.ts'
import { postingStart } from '../../../activities/postings/start.ts'
import { startStanding } from '../../../activities/temporal/standing.ts'
import { verifierStart } from '../../../activities/verification/start.ts'
import { webhookStart } from '../../../activities/webhooks/start.ts'
import { gasGrantStart } from '../../../api/temporal/single-runs.ts'
import { moveWorkflows } from '../../../local/time/workflows.ts'
import type { GasGrantInput } from '../../../schemas/accounts/process.ts'
import { auditScheduleId } from '../../../schemas/audit/process.ts'
import { followerWorkflowId } from '../../../schemas/chain/process.ts'
import {
  type ClaimInput,
  claimedUpdate,
  claimWorkflowId,
  sessionFinal,
  submitUpdate,
  verdictReached,
} from '../../../schemas/claims/process.ts'
import { disputeWorkflowId } from '../../../schemas/disputes/process.ts'
import { ingestWorkflowId } from '../../../schemas/ingestion/process.ts'
import { integritySweepScheduleId, staleSweepScheduleId } from '../../../schemas/lanes/process.ts'
import type { LockConsent } from '../../../schemas/locked-deposits/process.ts'
import { RUNNER_TASK_QUEUE } from '../../../schemas/paid-verification/runner.ts'
import { QUEUE_KINDS, SEARCH, TASK_QUEUE } from '../../../schemas/processes.ts'
import { sessionLogWorkflowId } from '../../../schemas/session-log/process.ts'
import type { VerifierInput } from '../../../schemas/verification/process.ts'
import { subject as audit } from '../../../workers/audit/subject.ts'
import { subject as chain } from '../../../workers/chain/subject.ts'
import { subject as sessionLog } from '../../../workers/session-log/subject.ts'
import { failureInterceptor } from '../../../workers/temporal/failures.ts'
import { ISOLATION } from '../../../workers/temporal/isolation.ts'
import { readablePayloads } from '../../../workers/temporal/payload-guard.ts'
import { createQueueWorkers } from '../../../workers/temporal/queues.ts'
import { eventually } from '../../support/eventually.ts'
import { workflowBundle } from '../../support/workflow-bundle.ts'
import { claimInput, WALLET } from './claim-input.ts'
import './runtime.ts'
import { createScriptedService } from './scripted-service.ts'
import { connectToServer } from './server.ts'

/** The server in memory lists a workflow at once; the rest is for a busy machine. */
const LIST_LAG_MS = 250
/** Time without progress after which a process stays behind: wide, for a busy machine. */
const SETTLE_MS = 60_000

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

interface Timer {
  ms: number
  /** Epoch ms of the process's own clock. */
  dueAt: number
  open: boolean
}

/** Every timer a process has set, in order. */
export const timersOf = async (handle: WorkflowHandle): Promise<Timer[]> => {
  const timers = new Map<string, Timer>()
  for (const event of (await handle.fetchHistory()).events ?? []) {
    const { timerStartedEventAttributes: started, timerFiredEventAttributes: fired, timerCanceledEventAttributes: cancelled } = event
    const ms = optionalTsToMs(started?.startToFireTimeout) ?? 0
    if (started?.timerId) timers.set(started.timerId, { ms, dueAt: tsToMs(event.eventTime) + ms, open: true })
    const ended = timers.get(fired?.timerId ?? cancelled?.timerId ?? '')
    if (ended !== undefined) ended.open = false
  }
  return [...timers.values()]
}

export interface EngineOptions {
  /** Events after which the server calls a history long. */
  historyLimit?: number
  /** With none, every workflow task replays its history, which proves the workflow deterministic at twice the processor time. */
  cachedWorkflows?: number
  /** For how long of a move every timer fires at its own instant; a workflow that still polls then skips the rest of its timers. */
  stepwiseMs?: number
}

/** The workflows of this service on a real server, with a scripted service behind them. */
export const startEngine = async ({ historyLimit, cachedWorkflows = 50, stepwiseMs }: EngineOptions = {}) => {
  const server = await connectToServer(historyLimit)
  let offsetMs = 0
  const now = () => Date.now() + offsetMs
  const client = server.client.workflow
  const begun: WorkflowHandle[] = []
  const service = createScriptedService(now, {
    startDispute: async ({ sessionId, verdictId, requestId }) => {
      const handle = await client.signalWithStart('dispute', {
        taskQueue: TASK_QUEUE,
        workflowId: disputeWorkflowId(sessionId),
        args: [{ v: 1, sessionId, requestId }],
        signal: verdictReached,
        signalArgs: [{ sessionId, verdictId }],
      })
      begun.push(client.getHandle(handle.workflowId))
    },
    announceEnd: async ({ sessionId, status }) => {
      const jobId = sessionId.slice(0, sessionId.indexOf(':'))
      await client
        .getHandle(claimWorkflowId(jobId))
        .signal(sessionFinal, { sessionId, status })
        .catch(() => undefined)
    },
  })
  const worker = await createQueueWorkers(QUEUE_KINDS, {
    connection: server.nativeConnection,
    namespace: server.namespace,
    workflowBundle: await workflowBundle(),
    activities: service.activities,
    dataConverter: { payloadCodecs: [readablePayloads] },
    interceptors: { activity: [({ info }) => ({ inbound: failureInterceptor(info) })] },
    ...ISOLATION,
    maxCachedWorkflows: cachedWorkflows,
  })
  // Runners are processes of their own, with one step.
  const { runProfile } = service.activities
  const runner = await Worker.create({
    connection: server.nativeConnection,
    namespace: server.namespace,
    taskQueue: RUNNER_TASK_QUEUE,
    activities: { runProfile },
    dataConverter: { payloadCodecs: [readablePayloads] },
  })
  const running = Promise.all([worker.run(), runner.run()])
  let jobs = 0

  const startOf = (input: ClaimInput) =>
    new WithStartWorkflowOperation('claimSession', {
      workflowId: claimWorkflowId(input.jobId),
      taskQueue: TASK_QUEUE,
      workflowIdConflictPolicy: 'FAIL',
      args: [input],
      typedSearchAttributes: [{ key: SEARCH.sessionState, value: 'claimed' }],
    })

  /** Nothing is under way: the process waits for a message, or for a time that has not come. */
  const isIdle = async (handle: WorkflowHandle): Promise<boolean> => {
    const { status, raw } = await handle.describe()
    if (status.name !== 'RUNNING') return true
    if (raw.pendingActivities?.length || raw.pendingWorkflowTask) return false
    const ownTime = optionalTsToMs(raw.workflowExtendedInfo?.timeSkippingInfo?.currentTime) ?? Date.now()
    return (await timersOf(handle)).every(({ open, dueAt }) => !open || dueAt > ownTime)
  }
  const areIdle = async (): Promise<boolean> => (await Promise.all(begun.map(isIdle))).every(Boolean)

  /** Starts a claim of a new job; does not wait for its outcome. */
  const beginClaim = async (changes: Partial<ClaimInput> = {}) => {
    jobs += 1
    const jobId = `job-${jobs}`
    const input = claimInput(jobId, changes)
    const operation = startOf(input)
    const update = await client.startUpdateWithStart(claimedUpdate, {
      updateId: `claimed ${jobId}`,
      startWorkflowOperation: operation,
      waitForStage: WorkflowUpdateStage.ACCEPTED,
    })
    const outcome = update.result()
    // Some tests look at the process only; its refusal is of no interest to them.
    outcome.catch(() => undefined)
    const handle = client.getHandle(claimWorkflowId(jobId))
    begun.push(handle)
    return { jobId, sessionId: `${jobId}:${WALLET}`, handle, outcome }
  }

  /** Until the run has taken the submission up; its answer comes later. */
  const handIn = (handle: WorkflowHandle, sessionId: string, submission: unknown, updateId?: string) =>
    handle.startUpdate(submitUpdate, {
      args: [{ sessionId, submission, requestId: 'request-2', protocol: 'http' }],
      waitForStage: WorkflowUpdateStage.ACCEPTED,
      ...(updateId && { updateId }),
    })
  const submit = async (...offer: Parameters<typeof handIn>) => (await handIn(...offer)).result()

  const claimed = async (changes?: Partial<ClaimInput>) => {
    const claim = await beginClaim(changes)
    const { claimExpiresAt } = await claim.outcome
    return { ...claim, expiresAt: Date.parse(claimExpiresAt) }
  }

  return {
    client: server.client,
    service,
    now,

    /** Moves the service clock only; no workflow is notified. */
    moveServiceClock: (ms: number): void => {
      offsetMs += ms
    },

    /** Service time and every process move on together; a process may be up to a second late. */
    move: async (ms: number): Promise<void> => {
      await until(areIdle)
      offsetMs += ms
      const { behind } = await moveWorkflows(server.client, now, ms, {
        listLagMs: LIST_LAG_MS,
        settleMs: SETTLE_MS,
        ...(stepwiseMs !== undefined && { stepwiseMs }),
      })
      if (behind.length > 0) throw new Error(`${behind.join(', ')} stayed behind`)
      await until(areIdle)
    },

    /** Until no process has anything under way. */
    untilIdle: (): Promise<void> => until(areIdle),

    /** A claim whose process has its first message before it takes its first step. */
    beginClaimWith: async <Answer>(begin: (input: ClaimInput, sessionId: string) => Promise<Answer>) => {
      jobs += 1
      const jobId = `job-${jobs}`
      const sessionId = `${jobId}:${WALLET}`
      const answer = await begin(claimInput(jobId), sessionId)
      const handle = client.getHandle(claimWorkflowId(jobId))
      begun.push(handle)
      return { sessionId, handle, answer }
    },

    startOf,
    beginClaim,
    handIn,
    submit,

    /** A claim whose bond is locked and recorded. */
    claimed,

    /** A claim whose work was handed in. */
    submitted: async () => {
      const claim = await claimed()
      await submit(claim.handle, claim.sessionId, 'work')
      return claim
    },

    beginVerification: async (sessionId: string) => {
      const input: VerifierInput = { v: 1, sessionId, requestId: 'request-1', requestedBy: 'system:auto-verifier' }
      const subject = await service.usual.loadSubject({ sessionId })
      const handle = await client.start('verifierRun', verifierStart(subject, input))
      begun.push(handle)
      return client.getHandle(handle.workflowId)
    },

    /** Starts a dispute without a decision, as a request does that needs one. */
    beginDispute: async (sessionId: string) => {
      const workflowId = disputeWorkflowId(sessionId)
      const handle = await client.start('dispute', {
        taskQueue: TASK_QUEUE,
        workflowId,
        args: [{ v: 1, sessionId, requestId: 'request-3' }],
      })
      begun.push(handle)
      return client.getHandle(workflowId)
    },

    /** Makes sure that a chain is followed, as a worker does at its start. */
    beginFollower: async (chainId: number) => {
      await startStanding(server.client, chain.standing({ chainId, name: 'Test chain' }))
      const handle = client.getHandle(followerWorkflowId(chainId))
      begun.push(handle)
      return handle
    },

    /** Makes sure that the days of the session log are closed, as a worker does at its start. */
    beginSessionLog: async (chainId: number) => {
      await startStanding(server.client, sessionLog.standing({ chainId, name: 'Test chain' }))
      const handle = client.getHandle(sessionLogWorkflowId(chainId))
      begun.push(handle)
      return handle
    },

    /** Makes sure that a chain is audited, as a worker does at its start. */
    beginAudits: async (chainId: number) => {
      await startStanding(server.client, audit.standing({ chainId, name: 'Test chain' }))
      return server.client.schedule.getHandle(auditScheduleId(chainId))
    },

    /** Makes sure that every source has its schedule, likewise. */
    beginSources: async () => {
      for (const process of SOURCE_PROCESSES) await startStanding(server.client, process)
    },

    /** Starts one audit, as the schedule does. */
    beginAudit: async (chainId: number) => {
      const handle = await client.start('audit', { taskQueue: TASK_QUEUE, workflowId: auditScheduleId(chainId), args: [{ v: 1, chainId }] })
      begun.push(handle)
      return handle
    },

    /** Begins the process of a recurring template. */
    beginTemplate: async (templateId: string) => {
      const handle = await client.start('recurringJob', recurringStart({ v: 1, templateId }))
      begun.push(handle)
      return handle
    },

    /** Starts one sweep, as its schedule does. */
    beginSweep: async (workflow: 'staleSweep' | 'integritySweep', chainId: number) => {
      const workflowId = workflow === 'staleSweep' ? staleSweepScheduleId(chainId) : integritySweepScheduleId(chainId)
      const handle = await client.start(workflow, { taskQueue: TASK_QUEUE, workflowId, args: [{ v: 1 }] })
      begun.push(handle)
      return handle
    },

    /** Asks for the gas grant of a wallet, without a wait for its end. */
    beginGasGrant: async (wallet: string) => {
      const input: GasGrantInput = { v: 1, wallet, destination: wallet, amountRaw: '1', liquidRaw: '250000', requestId: 'a request' }
      const handle = await client.start('gasGrant', gasGrantStart(input))
      begun.push(handle)
      return handle
    },

    /** Begins the publication of a blob, without a wait for its end. */
    beginDisclosure: async (hash: string) => {
      const handle = await client.start(
        'contentDisclosure',
        contentDisclosureStart({ v: 1, hash, owner: '0xowner', requestId: 'a request' }),
      )
      begun.push(handle)
      return handle
    },

    /** Begins the vesting of a wallet, as the follower does at its first deposit. */
    beginVesting: async (wallet: string) => {
      const handle = await client.start('principalVesting', vestingStart({ v: 1, wallet }))
      begun.push(handle)
      return handle
    },

    /** Begins the process of a lock, as a consent does; without one as an event does. */
    beginLock: async (id: string, consent: LockConsent | null = { signature: '0x', requestId: 'r-1' }) => {
      const handle = await client.start('lockedDeposit', lockedDepositStart({ v: 1, id, consent }, '0xsaver'))
      begun.push(handle)
      return handle
    },

    /** Begins the process of a posting. */
    beginPosting: async (jobId: string) => {
      const handle = await client.start('externalPosting', postingStart({ v: 1, jobId }, { poster: '0xposter', title: 'Check the links' }))
      begun.push(handle)
      return handle
    },

    /** Begins the tracking of what a paid session delivered. */
    beginDelivery: async (sessionId: string) => {
      const address = 'https://codehost.example/acme/widgets/pull/7'
      const handle = await client.start('deliveryTracking', deliveryStart({ sessionId, jobId: 'job', wallet: WALLET, address }))
      begun.push(handle)
      return handle
    },

    /** Begins a paid run of a profile. */
    beginPaidRun: async (runKey: string) => {
      const run = { runKey, profileRef: 'structured-output-evidence-v1@1', payer: WALLET }
      const handle = await client.start('verificationRun', verificationStart(run))
      begun.push(handle)
      return handle
    },

    /** Begins work for a runner. */
    beginExecution: async (key: string) => {
      const work = { kind: 'execute', profileRef: 'git-patch-tests-v1@1', target: {}, inputs: {} } as const
      const handle = await client.start('profileExecution', executionStart(key, work))
      begun.push(handle)
      return handle
    },

    /** Begins a run over a source. */
    beginIngestion: async (key: string) => {
      const run = {
        v: 1,
        provider: 'openapi',
        input: {},
        dryRun: false,
        limit: 10,
        minScore: 55,
        origin: 'request',
        requestedBy: null,
      } as const
      const handle = await client.start('ingestion', ingestionStart(ingestWorkflowId('openapi', key), run))
      begun.push(handle)
      return handle
    },

    /** Begins the idle-balance allocation of a wallet. */
    beginIdleAllocation: async (wallet: string) => {
      const handle = await client.start('idleAllocation', idleAllocationStart({ v: 1, wallet }))
      begun.push(handle)
      return handle
    },

    /** Begins the deliveries to a webhook endpoint. */
    beginWebhook: async (id: string) => {
      const handle = await client.start('webhook', webhookStart({ v: 1, id }, WALLET))
      begun.push(handle)
      return handle
    },

    /** Begins a cross-chain request, as the follower does once it is queued. */
    beginRequest: async (requestId: string) => {
      const handle = await client.start('crossChainRequest', crossChainStart({ v: 1, requestId }))
      begun.push(handle)
      return handle
    },

    announce: (handle: WorkflowHandle, sessionId: string, verdictId: string) => handle.signal(verdictReached, { sessionId, verdictId }),

    /** Ends what a test left running, and lets every step go well again. */
    async settle() {
      await Promise.all(begun.splice(0).map((handle) => handle.terminate().catch(() => undefined)))
      service.play({})
      service.disputes.holdArbitratorKey(true)
      offsetMs = 0
    },

    async stop() {
      worker.shutdown()
      runner.shutdown()
      await running
      await server.close()
    },
  }
}
export type Engine = Awaited<ReturnType<typeof startEngine>>

/** Waits until the condition holds. */
export const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  await eventually(`the condition ${condition} holds`, condition)
}

/** Waits until the workflow has processed what it received. */
export const untilProcessed = (handle: WorkflowHandle): Promise<void> =>
  until(async () => !(await handle.describe()).raw.pendingWorkflowTask)

/** A step that gives one answer after the other; the last one stays. */
export const inTurn = <T>(...answers: T[]): (() => Promise<T>) => {
  let calls = 0
  return async () => answers[Math.min(calls++, answers.length - 1)] as T
}

/** A promise that a test keeps open. */
export const gate = () => {
  let open: () => void = () => undefined
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}

/** SessionState as an operator sees it. */
export const shownState = async (handle: WorkflowHandle): Promise<unknown> =>
  (await handle.describe()).typedSearchAttributes.get(SEARCH.sessionState)

/** The status text that the engine's UI shows for a workflow. */
export const shownDetails = async (handle: WorkflowHandle): Promise<string> =>
  (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails

/** The one item; fails when there are none or more. */
export const only = <T>(items: T[]): T => {
  const [item] = items
  if (item === undefined || items.length > 1) throw new Error(`${items.length} instead of one: ${JSON.stringify(items)}`)
  return item
}

/** Machine code an update was refused with. */
export const refusalOf = async (outcome: Promise<unknown>): Promise<string> => {
  try {
    await outcome
  } catch (error) {
    const cause = (error as Error).cause as { type?: string; cause?: { type?: string } } | undefined
    return cause?.type ?? cause?.cause?.type ?? String(error)
  }
  throw new Error('it was not refused')
}
