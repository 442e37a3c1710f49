import { type WorkflowHandle, WorkflowUpdateStage } from '@temporalio/client'
import type { VerdictOutcome } from '../../../schemas/sessions/verdicts.ts'
import { type PullRequestResult, pullRequestChanged, runUpdate } from '../../../schemas/verification/process.ts'
import { type Engine, gate, HOUR, MINUTE, until } from '../support/engine.ts'
import type { Scenario } from './scenario.ts'

/** What a look at a pull request that is not approved brings. */
export const HELD: PullRequestResult = {
  kind: 'undecided',
  outcome: 'rejected',
  reasonCode: 'CODEHOST_PR_EVIDENCE_INCOMPLETE',
  detail: 'Not met: checks_failing.',
  disposition: 'waiting_for_merge',
}

/** Steps of a session whose work is a pull request; every look finds it as it is, unless `steps` say otherwise. */
export const heldPullRequest = (engine: Engine, steps: Parameters<Engine['service']['play']>[0] = {}) => ({
  loadSubject: async (input: { sessionId: string }) => ({
    ...(await engine.service.usual.loadSubject(input)),
    verifierMode: 'codehost_pr',
    pollSeconds: 1_800,
    underReview: false,
  }),
  readPullRequest: async () => HELD,
  ...steps,
})

/** A verdict that a look stored. */
export const decidedLook =
  (engine: Engine, outcome: VerdictOutcome, reasonCode: string) =>
  async ({ sessionId }: { sessionId: string }): Promise<PullRequestResult> => ({
    kind: 'verdict',
    verdictId: engine.service.decide(sessionId, outcome, reasonCode),
    outcome,
    reasonCode,
  })

export const looks = (engine: Engine): number => engine.service.callsOf('readPullRequest').length
export const untilLooked = (engine: Engine, times: number) => until(() => looks(engine) >= times)
export const askForVerdict = (handle: WorkflowHandle) =>
  handle.executeUpdate(runUpdate, { args: [{ requestId: 'request-2', requestedBy: '0x1' }] })

const play = (engine: Engine, session: string, steps: Parameters<Engine['service']['play']>[0] = {}) => {
  engine.service.play(heldPullRequest(engine, steps))
  return engine.beginVerification(session)
}

export const PULL_REQUESTS: Omit<Scenario, 'workflowType'>[] = [
  {
    ending: 'pull-request-approved-at-its-first-look',
    result: {},
    through: { readPullRequest: 1, announceVerdict: 1 },
    play: (engine) => play(engine, 'session-1', { readPullRequest: engine.service.usual.readPullRequest }),
  },
  {
    ending: 'pull-request-held-then-approved-at-a-poll',
    result: {},
    through: { readPullRequest: 3, announceVerdict: 1 },
    play: async (engine) => {
      const handle = await play(engine, 'session-2')
      await untilLooked(engine, 1)
      await engine.move(31 * MINUTE)
      await untilLooked(engine, 2)
      engine.service.replay({ readPullRequest: engine.service.usual.readPullRequest })
      await engine.move(31 * MINUTE)
      return handle
    },
  },
  {
    ending: 'pull-request-held-then-approved-when-told',
    result: {},
    through: { readPullRequest: 2, announceVerdict: 1 },
    play: async (engine) => {
      const handle = await play(engine, 'session-3')
      await untilLooked(engine, 1)
      engine.service.replay({ readPullRequest: engine.service.usual.readPullRequest })
      await handle.signal(pullRequestChanged, { deliveryId: 'delivery-1' })
      return handle
    },
  },
  {
    ending: 'pull-request-rejected-when-asked-for',
    result: {},
    through: { readPullRequest: 2, announceVerdict: 1 },
    play: async (engine) => {
      const handle = await play(engine, 'session-4')
      await untilLooked(engine, 1)
      engine.service.replay({ readPullRequest: decidedLook(engine, 'rejected', 'CODEHOST_PR_EVIDENCE_INCOMPLETE') })
      await askForVerdict(handle)
      return handle
    },
  },
  {
    ending: 'pull-request-asked-for-during-its-last-look',
    result: {},
    through: { readPullRequest: 1, announceVerdict: 1 },
    play: async (engine) => {
      const looking = gate()
      const handle = await play(engine, 'session-8', {
        readPullRequest: (input) => looking.passed.then(() => engine.service.usual.readPullRequest(input)),
      })
      await untilLooked(engine, 1)
      const asked = await handle.startUpdate(runUpdate, {
        args: [{ requestId: 'request-2', requestedBy: '0x1' }],
        waitForStage: WorkflowUpdateStage.ACCEPTED,
      })
      looking.open()
      await asked.result()
      return handle
    },
  },
  {
    ending: 'pull-request-overdue-then-approved',
    result: {},
    through: { recordReviewRequired: 1, announceVerdict: 2 },
    play: async (engine) => {
      const subject = { ...(await engine.service.usual.loadSubject({ sessionId: 'session-5' })), verifierMode: 'codehost_pr' }
      const slaDeadline = new Date(engine.now() + HOUR).toISOString()
      const handle = await play(engine, 'session-5', { loadSubject: async () => ({ ...subject, slaDeadline, pollSeconds: 1_800 }) })
      await untilLooked(engine, 1)
      await engine.move(HOUR + MINUTE)
      await until(() => engine.service.callsOf('recordReviewRequired').length === 1)
      engine.service.replay({ readPullRequest: engine.service.usual.readPullRequest })
      await engine.move(31 * MINUTE)
      return handle
    },
  },
  {
    ending: 'pull-request-held-and-goes-on-in-a-new-run',
    result: {},
    through: { readPullRequest: 5 },
    longAfter: 150,
    play: async (engine) => {
      const handle = await play(engine, 'session-9')
      const { runId } = await handle.describe()
      const runOf = async () => (await handle.describe()).runId
      for (let look = 1; (await runOf()) === runId; look += 1) {
        await untilLooked(engine, look)
        await engine.move(31 * MINUTE)
      }
      await handle.terminate('The run before it is the one that is kept.')
      return engine.client.workflow.getHandle(handle.workflowId, runId, { followRuns: false })
    },
  },
  {
    ending: 'pull-request-unreadable-then-over',
    result: { verdictId: null },
    through: { readPullRequest: 2 },
    play: async (engine) => {
      const unavailable = { kind: 'unavailable', reasonCode: 'CODEHOST_PR_LOOKUP_UNAVAILABLE', detail: 'codehost_api_503' } as const
      const handle = await play(engine, 'session-6', { readPullRequest: async () => ({ ...unavailable, retryAfterSeconds: 60 }) })
      await untilLooked(engine, 1)
      engine.service.replay({ readPullRequest: async () => ({ kind: 'ended', status: 'closed' }) })
      await engine.move(2 * MINUTE)
      return handle
    },
  },
]
