// Each thing that a verdict needs is taken away and given back, on real services.
import { beforeAll, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { VERDICT_NEED_MAX_AGE_SECONDS } from '../../../domain/common/constants.ts'
import { localKeys } from '../../../local/keys.ts'
import type { ReadinessReason } from '../../../schemas/catalogue/readiness.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { createJob, encode, fundedAgent } from '../../e2e/support/jobs.ts'
import { pullRequestJob } from '../../e2e/support/pull-requests.ts'
import { sampleOf } from '../../support/cases/sample.ts'
import { eventually } from '../../support/eventually.ts'
import type { FleetWorld } from '../../support/fleet/world.ts'
import { codehost, encyclopedia, world } from './failing.ts'

const VERIFIER = localKeys().verifier.address

const KINDS = ['keywords', 'anchored', 'pullRequest', 'people'] as const
type Kind = (typeof KINDS)[number]

let agent: Agent
let balance: bigint
const jobs: Record<Kind, string> = { keywords: '', anchored: '', pullRequest: '', people: '' }

beforeAll(async () => {
  agent = await fundedAgent(world())
  balance = await world().view.client.getBalance({ address: VERIFIER })
  const anchorEvidence = { kind: 'wikipedia_revision_wikitext', language: 'en', revisionId: '1', normalization: 'whitespace' } as const
  jobs.keywords = await createJob(world())
  jobs.anchored = await createJob(world(), { verifierConfig: { anchorEvidence } })
  jobs.pullRequest = await createJob(world(), pullRequestJob('acme/ready'))
  jobs.people = await createJob(world(), { verifierMode: 'human_fallback', verifierTerms: undefined })
})

const restart = async (members: FleetWorld['workers'] | FleetWorld['apis'], env: Record<string, string> = {}): Promise<void> => {
  for (const member of members) {
    if (member.isUp()) await member.stop()
    await member.start({ env })
  }
}
const failHost = (status: number): void => codehost().world.fail({ path: '/rate_limit', status, times: 1_000 })
const setGas = (value: bigint) =>
  world().view.client.request({ method: 'anvil_setBalance', params: [VERIFIER as Hex, `0x${value.toString(16)}`] } as never)

const claimable = async (): Promise<Kind[]> => {
  const { jobs: rows } = await agent.get('/jobs?state=claimable&format=compact&limit=100')
  const listed = new Set(rows.map(({ id }: { id: string }) => id))
  return KINDS.filter((kind) => listed.has(jobs[kind]))
}

/** Waits until the list has just these jobs as claimable. */
const becomesClaimable = (kinds: readonly Kind[]): Promise<Kind[]> =>
  eventually('the claimable jobs', claimable, (found) => JSON.stringify(found) === JSON.stringify(kinds))

const readinessOf = async (kind: Kind): Promise<Reply['body']> =>
  (await agent.get(`/jobs/definition?jobId=${encode(jobs[kind])}`)).verification.readiness
const heldFor = (jobId: string) => world().database.rows.selectFrom('claim_intent').select('runId').where('jobId', '=', jobId).execute()

/** Waits until the health report names the reason; its first answer after a pause may be an earlier one. */
const isReported = (reason: ReadinessReason) =>
  eventually(
    `the health report names ${reason}`,
    async (): Promise<{ ready: boolean; reason: string }[]> => (await agent.call('/health')).body.components.verification.needs,
    (needs) => needs.some((found) => !found.ready && found.reason === reason),
  )

/** Jobs that cannot be judged, each with the reason. */
type Lost = Partial<Record<Kind, ReadinessReason>>

/** The jobs leave the claimable list in time; job, claim and health report name their reason, and no claim begins. */
const expectLost = async (lost: Lost): Promise<void> => {
  await becomesClaimable(KINDS.filter((kind) => lost[kind] === undefined))
  for (const [kind, reason] of Object.entries(lost) as [Kind, ReadinessReason][]) {
    expect(await readinessOf(kind)).toMatchObject({ ready: false, reason, checkedAt: expect.any(String) })
    const { status, body } = await agent.call('/jobs/claim', { body: { jobId: jobs[kind] } })
    expect([status, body.code, body.reason, body.retryable]).toEqual([409, 'verifier_not_ready', reason, true])
    expect(body.nextActions).not.toEqual([])
    expect(await heldFor(jobs[kind])).toEqual([])
    await isReported(reason)
  }
}

interface Outage {
  /** How a worker learns of it. The gate plays one outage of each kind. */
  kind: 'found by a check' | 'found at a start'
  lost: Lost
  takeAway: () => Promise<unknown>
  giveBack: () => Promise<unknown>
}
const machineLost = (reason: ReadinessReason): Lost => ({ keywords: reason, anchored: reason, pullRequest: reason })
const restartWorkers = () => restart(world().workers)
const NO_PEOPLE = { VERIFIER_WALLETS: '', ARBITRATOR_WALLETS: '' }

/** As if no worker had checked anything for longer than a check counts. */
const ageChecks = () =>
  world()
    .database.rows.updateTable('verdict_need')
    .set({ checkedAt: Date.now() - (VERDICT_NEED_MAX_AGE_SECONDS + 1) * 1_000 })
    .execute()

/** Things that different jobs need are taken away together: each job names its own. */
const OUTAGES: Record<string, Outage> = {
  'the code host, the server of pinned evidence, and verifiers and arbitrators': {
    kind: 'found by a check',
    lost: { anchored: 'source_unavailable', pullRequest: 'code_host_unavailable', people: 'reviewers_missing' },
    takeAway: async () => {
      failHost(0)
      encyclopedia.status = 0
      await restart(world().apis, NO_PEOPLE)
    },
    giveBack: async () => {
      codehost().world.clear()
      encyclopedia.status = 404
      await restart(world().apis)
    },
  },
  'the code host’s token': {
    kind: 'found at a start',
    lost: { pullRequest: 'code_host_token_missing' },
    takeAway: () => restart(world().workers, { CODEHOST_TOKEN: '' }),
    giveBack: restartWorkers,
  },
  'the gas of the verifier key': {
    kind: 'found by a check',
    lost: machineLost('verifier_gas_missing'),
    takeAway: () => setGas(1_000n),
    giveBack: () => setGas(balance),
  },
  'the verifier key': {
    kind: 'found at a start',
    lost: machineLost('verifier_key_missing'),
    takeAway: () => restart(world().workers, { VERIFIER_KEY: '' }),
    giveBack: restartWorkers,
  },
  'the handlers, since no worker runs': {
    kind: 'found at a start',
    lost: { ...machineLost('check_overdue'), people: 'check_overdue' },
    takeAway: async () => {
      await Promise.all(world().workers.map((worker) => worker.kill()))
      await ageChecks()
    },
    giveBack: restartWorkers,
  },
}

const PLAYED = sampleOf(Object.keys(OUTAGES), (name) => [OUTAGES[name]?.kind])

test.each(PLAYED)('without %s its jobs leave the claimable list, claims are refused, and both come back', async (name) => {
  const { lost, takeAway, giveBack } = OUTAGES[name] as Outage
  await becomesClaimable(KINDS)
  await takeAway()
  try {
    await expectLost(lost)
  } finally {
    await giveBack()
  }
  await becomesClaimable(KINDS)
})

const claimPullRequest = () => agent.call('/jobs/claim', { body: { jobId: jobs.pullRequest } })
const claimOutcome = () => eventually('the claim has an outcome', claimPullRequest, ({ status }) => status !== 202)

test('a claim that waits for a worker is refused by the worker that finds the token of the code host refused, and so are later ones', async () => {
  await becomesClaimable(KINDS)
  await Promise.all(world().workers.map((worker) => worker.kill()))
  const waiting = claimPullRequest()
  failHost(401)
  await Promise.all(world().workers.map((worker) => worker.start()))
  const first = await waiting
  const { status, body } = first.status === 202 ? await claimOutcome() : first
  expect([status, body.code, body.reason]).toEqual([409, 'verifier_not_ready', 'code_host_token_refused'])
  await expectLost({ pullRequest: 'code_host_token_refused' })
  codehost().world.clear()
  await becomesClaimable(KINDS)
  expect((await claimOutcome()).status).toBe(200)
})
