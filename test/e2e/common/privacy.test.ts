import { beforeAll, describe, expect, test } from '@jest/globals'
import type { OperationId } from '../../../schemas/operations/registry.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import type { Agent, Reply } from '../support/http.ts'
import { claim, createJob, encode, fundedAgent, GOOD_WORK, leaves } from '../support/jobs.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ shared: true })

/** A wallet that worked, and the session, or one that was never seen with an id of the same form. */
interface Subject {
  wallet: string
  sessionId: string
}

/** What every public operation tells about a wallet: `compared`, or why there is nothing to compare. */
const PUBLIC: Partial<Record<OperationId, { compared: (subject: Subject) => string } | { because: string }>> = {}
const compare = (id: OperationId, compared: (subject: Subject) => string) => {
  PUBLIC[id] = { compared }
}
const skip = (because: string, ...ids: OperationId[]) => {
  for (const id of ids) PUBLIC[id] = { because }
}

compare('listAgents', () => '/agents?limit=100')
compare('getAgentProfile', ({ wallet }) => `/agents/${wallet}`)
compare('getAgentRegistration', ({ wallet }) => `/agents/${wallet}/registration.json`)
compare('getAgentCard', ({ wallet }) => `/agents/${wallet}/agent-card.json`)
compare(
  'getAgentFeedback',
  ({ wallet, sessionId }) =>
    `/agents/${wallet}/feedback/${encode(sessionId)}?agentRegistry=eip155:1:0x8004a169fb4a3325136eb29fa0ceb6d2e539a432&agentId=1`,
)
skip('badges, receipts and results are public by the specification', 'listBadges', 'getBadge', 'getReceipt', 'getVerificationResult')
skip('the specification lets a reader name the wallet that wants to claim, whose standing is on chain', 'listJobs', 'getJobDefinition')
skip('the answer is about the signed-in wallet, or none', 'getContent', 'getAgentTools', 'getDomainProof')

const IGNORED = ['x-request-id', 'date', 'ratelimit', 'ratelimit-policy', 'etag']
const shown = ({ status, headers, body }: Reply) => ({
  status,
  headers: Object.fromEntries([...headers].filter(([name]) => !IGNORED.includes(name))),
  body: { ...body, requestId: null },
})

const median = (values: number[]): number => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
/** Requests of each of the two wallets, in turn. */
const ROUNDS = 40
/** Medians further apart than this, and by more than half, would tell the wallets apart. */
const TOLERANCE_MS = 2

describe('a wallet that did not consent looks like one that was never seen', () => {
  let agent: Agent
  let worked: Subject
  const never: Subject = { wallet: `0x${'5'.repeat(40)}`, sessionId: `no-job:0x${'5'.repeat(40)}` }

  beforeAll(async () => {
    agent = await fundedAgent(world())
    const { sessionId } = await claim(agent, await createJob(world()))
    await agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
    expect((await leaves(agent, sessionId, 'submitted')).status).toBe('resolved')
    worked = { wallet: agent.account.address.toLowerCase(), sessionId }
    await agent.post('/agents/consent', { publicProfileOptIn: true })
    await agent.get(`/agents/${worked.wallet}`)
    await agent.post('/agents/consent', { publicProfileOptIn: false })
  })

  test('every public operation that can name a wallet is in the table', () => {
    const named = (text: object): boolean => /wallet|sessionId|agent/i.test(JSON.stringify(text))
    const open = operationList.filter(({ auth, params, query, path }) => {
      const members = [...Object.keys(params?.shape ?? {}), ...Object.keys(query?.shape ?? {}), path]
      return (auth === 'none' || auth === 'optional') && named(members)
    })
    expect(open.map(({ id }) => id).filter((id) => PUBLIC[id as OperationId] === undefined)).toEqual([])
  })

  const compared = Object.entries(PUBLIC).flatMap(([id, row]) => ('compared' in row ? [[id, row.compared] as const] : []))

  test.each(compared)('%s', async (_id, pathOf) => {
    const [ofWorked, ofNever] = [await world().call(pathOf(worked)), await world().call(pathOf(never))]
    expect(shown(ofWorked)).toEqual(shown(ofNever))
    expect(ofWorked.text).not.toContain(worked.wallet.slice(2))
    const times = { worked: [] as number[], never: [] as number[] }
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [name, subject] of [
        ['worked', worked],
        ['never', never],
      ] as const) {
        const start = performance.now()
        await world().call(pathOf(subject))
        times[name].push(performance.now() - start)
      }
    const [one, other] = [median(times.worked), median(times.never)].toSorted((left, right) => left - right)
    expect((other ?? 0) - (one ?? 0)).toBeLessThan(Math.max(TOLERANCE_MS, (one ?? 0) / 2))
  })

  test('its own token reads the profile, and only its own', async () => {
    expect((await agent.get(`/agents/${worked.wallet}`)).stats.approvedCount).toBe(1)
    const stranger = await world().agent()
    await stranger.get(`/agents/${worked.wallet}`, 404)
  })
})
