import { randomBytes } from 'node:crypto'
import { LOCAL_WEB_HOST } from '../../../../local/codehost/start.ts'
import { type DeliveryActivities, deliveryChanged, deliveryWorkflowId } from '../../../../schemas/deliveries/process.ts'
import { createJob } from '../../../e2e/support/jobs.ts'
import { pullRequestJob } from '../../../e2e/support/pull-requests.ts'
import { readCommonEnd, shapeOf } from '../end-state.ts'
import type { Effect, ProcessRow, Scenario } from '../scenario.ts'
import { post, type Stage, waitFor } from '../stage.ts'

const WORKER_RAW = 10_000_000n
const INSTANTS = ['changedAt', 'trackedSince', 'deadlineAt', 'confirmAt', 'nextReadAt', 'wokenAt', 'endedAt', 'readAt']
/** A step that is repeated reads again, so the number of readings is a matter of kills. */
const OF_THE_LIFE = ['sessionId', 'jobId', 'wallet', 'address', 'readings', 'history', 'facts']

/** A pull request that is paid while it is open, merged later, and not reverted until its state stays. */
const merged = async (stage: Stage): Promise<Scenario> => {
  const { rows } = stage.database
  const { world } = stage.codehost
  const repo = `acme/delivered-${randomBytes(6).toString('hex')}`
  const jobId = await createJob(stage, pullRequestJob(repo))
  const worker = await stage.saver(WORKER_RAW)
  const wallet = worker.account.address
  const { sessionId, disclosureFooter } = await post(worker, '/jobs/claim', { jobId }, { key: `claim-${jobId}` })
  const runs = [{ name: 'test', conclusion: 'success' }]
  world.set(repo, 1, { title: 'Keep the last row', body: `Fixes #7.\n\n${disclosureFooter}`, runs })
  const prUrl = `https://${LOCAL_WEB_HOST}/${repo}/pull/1`
  const workflowId = deliveryWorkflowId(sessionId)
  const records = () => rows.selectFrom('tracked_delivery').selectAll().where('jobId', '=', jobId).execute()
  const pull = () => rows.selectFrom('pull_request').selectAll().where('sessionId', '=', sessionId).executeTakeFirst()
  return {
    key: sessionId,
    acts: {
      handIn: async () => {
        const submission = { prUrl, summary: 'The last row is kept.', tests: 'npm test: 12 passed' }
        await post(worker, '/jobs/submit', { sessionId, submission }, { key: `submit-${jobId}` })
        await waitFor('the pull request that was read', async () => (await pull())?.readAt != null)
      },
      pay: async () => {
        await stage.verifierPost('/verifier/run', { sessionId })
        await waitFor('the first reading of the delivery', async () => ((await records())[0]?.readings ?? 0) > 0)
      },
      merge: async () => {
        world.set(repo, 1, { merged: true })
        await stage.engine.workflow.getHandle(workflowId).signal(deliveryChanged, { deliveryId: sessionId })
        await waitFor('the delivery that is merged', async () => (await records())[0]?.state === 'merged')
      },
      passTerms: async () => {
        await stage.passTerms()
        await waitFor('the end of the tracking', async () => (await records())[0]?.endedAt)
      },
    },
    readEnd: async () => {
      const common = await readCommonEnd(stage, { workflowId, wallet, key: jobId })
      const { mergeCommit } = world.find(repo, 1) ?? {}
      return {
        ...common,
        deliveries: (await records()).map((row) => shapeOf(row, INSTANTS, OF_THE_LIFE)),
        facts: (await records()).map(({ facts }) =>
          facts?.kind === 'pull_request'
            ? { ...facts, mergeCommit: facts.mergeCommit === mergeCommit ? 'that of the host' : facts.mergeCommit }
            : facts,
        ),
        history: (await records()).map(({ history }) => history.map(({ state }) => state)),
        'state of the pull request': (await pull())?.delivery,
      }
    },
  }
}

const reading = (name: string, act: string, result: string): Effect => ({
  ...{ name, scenario: 'merged', act, result: [result] },
  record: { call: '^update "tracked_delivery" set .*"readings"', of: [] },
})

export const deliveryTracking: ProcessRow<DeliveryActivities> = {
  scenarios: {
    merged: {
      create: merged,
      leaves: {
        process: 'COMPLETED',
        events: { 'delivery.changed': 1 },
        deliveries: [{ state: 'merged', failure: null, failedReadings: 0, confirmAt: true, endedAt: true }],
        facts: [{ isMerged: true, mergeCommit: 'that of the host', revertedBy: null }],
        history: [['open', 'merged']],
        'state of the pull request': 'merged',
      },
    },
  },
  steps: {
    readDelivery: [reading('first', 'pay', '"open"'), reading('merge', 'merge', '"merged"'), reading('last', 'passTerms', '"isOver":true')],
  },
  outside: {
    payment: [
      {
        ...{ scenario: 'merged', act: 'pay', in: 'worker' },
        effect: { on: 'engine', call: '/SignalWithStartWorkflowExecution$', of: ['delivery/'] },
      },
    ],
  },
}
