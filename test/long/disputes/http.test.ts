import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { encodeFunctionData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { treasuryPolicyAbi } from '../../../activities/chain/abi/treasury-policy.ts'
import { localKey } from '../../../local/keys.ts'
import type { TimeTarget } from '../../../local/time/expression.ts'
import { moveTime } from '../../../local/time/move.ts'
import { disputeWorkflowId, verdictGiven } from '../../../schemas/disputes/process.ts'
import { SEARCH } from '../../../schemas/processes.ts'
import {
  decide,
  decideOnChain,
  disputePath,
  expected,
  foretold,
  movedTogether,
  openDispute,
  RATIONALE,
  REWARD,
  rejectedBy,
  reviewedBy,
  together,
} from '../../e2e/support/disputes.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { encode, fundedAgent, leaves, sessionOf } from '../../e2e/support/jobs.ts'
import { moved, readBalances } from '../../e2e/support/money.ts'
import { endOpenSessions } from '../../e2e/support/time.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { eventually } from '../../support/eventually.ts'

const world = useWorld()
const HOUR = 3_600

interface Case {
  agent: Agent
  session: Reply['body']
}

let arbitrator: Agent
let stranger: Agent
let engine: Client
let connection: Connection
const cases: Record<string, Case> = {}
const the = (name: string): Case => {
  const found = cases[name]
  if (found === undefined) throw new Error(`no case ${name}`)
  return found
}
const everybody = (): Agent[] => [world().admin, world().verifier, arbitrator, stranger, ...Object.values(cases).map(({ agent }) => agent)]
const signInAgain = async (): Promise<void> => {
  for (const agent of everybody()) await agent.signInAgain()
}
const pass = async (target: TimeTarget): Promise<void> => {
  await moveTime(world().info, target)
  await signInAgain()
}
/** What a step moves, of the case's worker and of everybody else. */
const moves = async ({ agent }: Case, act: () => Promise<unknown>) => {
  const before = await readBalances(world(), agent.account.address)
  await act()
  return moved(before, await readBalances(world(), agent.account.address))
}
const now = async ({ agent, session }: Case): Promise<Reply['body']> => sessionOf(agent, session.sessionId)
const ends = ({ agent, session }: Case, status = 'disputed'): Promise<Reply['body']> => leaves(agent, session.sessionId, status)
const scoresOf = async ({ agent }: Case) => {
  const { skill, reliability, economic } = await agent.get('/reputation')
  return { skill, reliability, economic }
}

/** By submission, and by id within the same second. */
const oldestFirst = (names: string[]): string[] => {
  const key = ({ submittedAt, sessionId }: Reply['body']) => `${submittedAt} ${sessionId}`
  const sessions = names.map((name) => the(name).session).sort((left, right) => (key(left) < key(right) ? -1 : 1))
  return sessions.map(({ sessionId }) => sessionId)
}

const DISPUTED = ['dismissed', 'upheld', 'split', 'signalled', 'raced', 'silent']
const REVIEWED = ['approved', 'arbitrated', 'unanswered', 'refused']

beforeAll(async () => {
  connection = await Connection.connect({ address: world().info.temporalAddress })
  engine = new Client({ connection })
  await endOpenSessions(world(), engine)
  arbitrator = await world().agent(privateKeyToAccount(world().info.keys.arbitrator))
  stranger = await world().agent()
  // One key funds all agents; what they do then needs no order.
  const agents: [string, Agent][] = []
  for (const name of [...DISPUTED, 'lapsed', 'overturned', ...REVIEWED]) agents.push([name, await fundedAgent(world())])
  await Promise.all(
    agents.map(async ([name, agent]) => {
      const session = REVIEWED.includes(name) ? await reviewedBy(world(), engine, agent) : await rejectedBy(world(), agent)
      cases[name] = { agent, session }
    }),
  )
  for (const name of DISPUTED) await openDispute(world(), the(name).agent.account, the(name).session)
  await pass({ plusSeconds: 13 * HOUR })
}, 300_000)
afterAll(() => connection?.close())

describe('a rejection that the worker disputed with its own key', () => {
  test('is disputed here within half a day, without a notification, and waits for the arbitrator of the record', async () => {
    for (const name of DISPUTED) expect(await now(the(name))).toMatchObject({ status: 'disputed', chainState: 'disputed' })
    const dispute = await the('dismissed').agent.get(disputePath(the('dismissed').session))
    expect(dispute).toMatchObject({
      status: 'open',
      stage: 'arbitration',
      origin: 'participant',
      verdict: null,
      remainingPayout: { raw: REWARD.toString() },
      arbitration: { execution: { mode: 'backend_signer', backendCanResolve: true }, authority: { verdict: ['arbitrator', 'admin'] } },
      remedy: { brokeredPath: { reason: 'no_worker_reachable_brokered_open_dispute_route' } },
    })
    expect(Date.parse(dispute.deadline) - Date.parse(dispute.openedAt)).toBe(14 * 24 * HOUR * 1_000)
  })

  test('is seen by its parties and by who decides, and is unknown to everybody else', async () => {
    const { session } = the('dismissed')
    const seen = await Promise.all([world().admin, world().verifier, arbitrator].map((agent) => agent.call(disputePath(session))))
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await stranger.get('/disputes')).disputes).toEqual([])
    const { disputes } = await the('upheld').agent.get('/disputes')
    for (const body of ['evidence', 'timeline']) expect(disputes[0]).not.toHaveProperty(body)
    expect(disputes[0]).toHaveProperty('evidenceHash')
    expect((await the('upheld').agent.get('/disputes')).disputes.map(({ sessionId }: { sessionId: string }) => sessionId)).toEqual([
      the('upheld').session.sessionId,
    ])
    const { status, body } = await stranger.call(disputePath(session))
    expect([status, body.code]).toEqual([404, 'dispute_not_found'])
  })

  test('is decided by an arbitrator or an admin only, with a word that says who gets the money', async () => {
    const subject = the('split')
    const codes = async (agent: Agent, body: object) => {
      const reply = await agent.call(`${disputePath(subject.session)}/verdict`, { body: { rationale: RATIONALE, ...body } })
      return [reply.status, reply.body.code]
    }
    expect(await codes(subject.agent, { verdict: 'dismissed' })).toEqual([403, 'missing_role'])
    expect(await codes(world().verifier, { verdict: 'dismissed' })).toEqual([403, 'missing_role'])
    for (const verdict of ['reject', 'rejected', 'request-more', 'perhaps'])
      expect(await codes(arbitrator, { verdict })).toEqual([400, 'invalid_request'])
    expect(await codes(arbitrator, { verdict: 'split', workerPayout: (REWARD + 1n).toString() })).toEqual([400, 'invalid_request'])
    expect(await codes(arbitrator, { verdict: 'dismissed', workerPayout: '1' })).toEqual([400, 'invalid_request'])
    expect(await codes(arbitrator, { verdict: 'upheld', rationale: 'No.' })).toEqual([400, 'invalid_request'])
    expect(await codes(arbitrator, { verdict: 'timeout' })).toEqual([409, 'dispute_timeout_not_reached'])
  })

  test.each([
    ['dismissed', 'resolved', undefined],
    ['upheld', 'rejected', undefined],
    ['split', 'resolved', '400000'],
  ] as const)('%s: the preview foretells to the unit what the verdict moves', async (verdict, status, workerPayout) => {
    const subject = the(verdict)
    const preview = await decide(arbitrator, subject, { verdict, workerPayout, preview: true })
    expect((await now(subject)).status).toBe('disputed')
    const key = `key of ${verdict}`
    const ask = (agent: Agent) =>
      agent.call(`${disputePath(subject.session)}/verdict`, {
        body: { rationale: RATIONALE, verdict, workerPayout, idempotencyKey: key },
      })
    let first: Reply | undefined
    const money = await moves(subject, async () => {
      first = await ask(arbitrator)
    })
    expect(money).toEqual(foretold(preview.money))
    expect(money).toEqual(expected(verdict, BigInt(workerPayout ?? 0)))
    expect(first?.body).toMatchObject({
      status: 'resolved',
      verdict,
      chainStatus: 'confirmed',
      reasonCode: preview.reasonCode,
      release: { chainStatus: 'settled_by_verdict' },
    })
    expect(await now(subject)).toMatchObject({ status, chainState: 'closed', disputeResolution: { verdict } })
    expect((await ask(arbitrator)).headers.get('idempotent-replayed')).toBe('true')
    const again = await decide(arbitrator, subject, { verdict, workerPayout }, 409)
    expect([again.code, again.details.verdict]).toEqual(['dispute_already_decided', verdict])
    expect((await decide(world().admin, subject, { verdict: 'dismissed' }, 409)).code).toBe('dispute_already_decided')
  })

  test('leaves badge, reputation and a rationale that everybody reads', async () => {
    const { agent, session } = the('split')
    const uri = `${world().base}/badges/${encode(session.sessionId)}`
    const standing = await world().view.standingOf(agent.account.address)
    expect(standing.badges).toMatchObject([{ level: 1n, metadataUri: uri }])
    expect((await world().expectCall(200, `/badges/${encode(session.sessionId)}`)).service.reward.amount).toBe('400000')
    expect((await world().view.standingOf(the('upheld').agent.account.address)).badges).toEqual([])
    expect(await scoresOf(the('split'))).toEqual({ skill: 0, reliability: 0, economic: 0 })
    const { reasoningHash, metadataURI, timeline } = await agent.get(disputePath(session))
    expect(metadataURI).toBe(`${world().base}/content/${reasoningHash}`)
    expect(timeline.map(({ action }: { action: string }) => action)).toEqual(['dispute_opened', 'verdict_submitted', 'verdict_settled'])
    expect((await agent.get(`/content/${reasoningHash}`)).payload).toMatchObject({ rationale: RATIONALE, verdict: 'split' })
    const published = await stranger.call(`/content/${reasoningHash}`)
    expect([published.status, published.body.visibility]).toEqual([200, 'public'])
    const { service, resolution, description } = await world().expectCall(200, `/badges/${encode(session.sessionId)}`)
    expect(service.verifierMode).toBe('human_fallback')
    expect(resolution).toMatchObject({
      kind: 'arbitration',
      verdict: 'split',
      workerShareBps: 4_000,
      replacedVerdict: { outcome: 'rejected' },
    })
    expect(description).toContain('40 %')
    expect((await stranger.call(`/content/0x${'1'.repeat(64)}`)).body.code).toBe('content_not_found')
  })

  test('is decided by a signal from the engine’s own tools', async () => {
    const subject = the('signalled')
    const handle = engine.workflow.getHandle(disputeWorkflowId(subject.session.sessionId))
    const money = await moves(subject, async () => {
      await handle.signal(verdictGiven, { verdict: 'dismissed', rationale: RATIONALE, by: 'operator' })
      expect((await ends(subject)).status).toBe('resolved')
    })
    expect(money).toEqual(expected('dismissed'))
  })

  test('that the arbitrator decides with its own transaction while the API is asked has one outcome, and the API says which', async () => {
    const subject = the('raced')
    const account = privateKeyToAccount(world().info.keys.arbitrator)
    const money = await moves(subject, async () => {
      const [, reply] = await Promise.allSettled([
        decideOnChain(world(), account, subject.session, 'split', 300_000n),
        arbitrator.call(`${disputePath(subject.session)}/verdict`, { body: { rationale: RATIONALE, verdict: 'upheld' } }),
      ])
      const final = await ends(subject)
      const dispute = await subject.agent.get(disputePath(subject.session))
      if (reply.status === 'rejected') throw reply.reason
      const won = reply.value.status === 200
      expect([reply.value.status, reply.value.body.code ?? null]).toEqual(won ? [200, null] : [409, 'dispute_already_decided'])
      expect([final.status, dispute.verdict]).toEqual(won ? ['rejected', 'upheld'] : ['resolved', 'split'])
    })
    expect([expected('upheld'), expected('split', 300_000n)]).toContainEqual(money)
  })
})

describe('a fault of the platform', () => {
  test('waits for people with its escrow still submitted, oldest first in their queue', async () => {
    expect(await now(the('approved'))).toMatchObject({ status: 'disputed', chainState: 'submitted' })
    const { pending } = await world().verifier.get('/verifier/pending?limit=200')
    const own = pending.filter(({ sessionId }: { sessionId: string }) => REVIEWED.some((name) => the(name).session.sessionId === sessionId))
    expect(own.map(({ sessionId }: { sessionId: string }) => sessionId)).toEqual(oldestFirst(REVIEWED))
    expect(own[0]).toMatchObject({ disposition: 'human_review', reason: 'platform_fault' })
  })

  test('that people approve is paid as the preview computed, and badged as decided by a person', async () => {
    const subject = the('approved')
    const path = `/verifier/sessions/${encode(subject.session.sessionId)}/verdict`
    const body = { verdict: 'approve', rationale: 'The work is right.' }
    const preview = await world().verifier.post(path, { ...body, preview: true })
    let verdict: Reply['body']
    const money = await moves(subject, async () => {
      verdict = await world().verifier.post(path, body)
    })
    expect(verdict).toMatchObject({ handler: 'human_review', outcome: 'approved', originalVerdict: { outcome: 'platform_fault' } })
    expect(money).toEqual(foretold(preview.money))
    expect(money).toEqual(expected('approved'))
    expect(await now(subject)).toMatchObject({ status: 'resolved', humanReview: { verdict: 'approved' } })
    expect(await scoresOf(subject)).toEqual({ skill: 25, reliability: 20, economic: 1 })
    const again = await world().verifier.call(path, { body })
    expect([again.status, again.body.code]).toEqual([409, 'invalid_session_transition'])
  })

  test('that people reject moves nothing yet and opens the dispute window', async () => {
    const subject = the('refused')
    const path = `/verifier/sessions/${encode(subject.session.sessionId)}/verdict`
    const money = await moves(subject, () => world().verifier.post(path, { verdict: 'reject', rationale: 'It is not right.' }))
    expect(money).toEqual({})
    expect(await now(subject)).toMatchObject({ status: 'rejected', chainState: 'rejected' })
  })

  test('goes straight to the arbitrator’s verdict when one is given', async () => {
    const subject = the('arbitrated')
    const money = await moves(subject, () => decide(world().admin, subject, { verdict: 'dismiss' }))
    expect(money).toEqual(expected('dismissed'))
    expect(await now(subject)).toMatchObject({ status: 'resolved', chainState: 'closed' })
  })
})

describe('a rejection that an operator overturned', () => {
  test('is disputed for the worker, once', async () => {
    const subject = the('overturned')
    const body = { sessionId: subject.session.sessionId, note: 'The wrong page was read.' }
    const answer = await world().admin.post('/admin/sessions/overturn', body)
    expect(answer).toMatchObject({
      session: { status: 'disputed', operatorOverturn: { note: body.note } },
      dispute: { origin: 'operator' },
    })
    // The service halves the reward before a caller may time the dispute out on chain.
    expect(Date.parse(answer.dispute.windowEndsAt) - Date.parse(answer.dispute.deadline)).toBe(15 * 60_000)
    const again = await world().admin.call('/admin/sessions/overturn', { body })
    expect([again.status, again.body.code]).toEqual([409, 'invalid_session_transition'])
  })
})

describe('a time-out', () => {
  test('after seven days makes a rejection final and slashes the bond, to the unit', async () => {
    const subject = the('lapsed')
    const money = await moves(subject, async () => {
      await pass({ instant: Date.parse(subject.session.lifecycle.disputeWindowEndsAt) + 2_000 })
      await eventually('the rejection is final', async () => (await now(subject)).rejectionFinalizedAt !== undefined)
    })
    expect(money).toEqual(expected('final_rejection'))
    const warned = async () => (await world().call('/health')).body.warnings.map(({ code }: { code: string }) => code)
    await eventually('the warnings of the service', warned, (codes) => codes.includes('disputes_waiting_for_people'))
    const late = await world().admin.call('/admin/sessions/overturn', {
      body: { sessionId: subject.session.sessionId, note: 'Too late for this.' },
    })
    expect([late.status, late.body.code]).toEqual([409, 'overturn_window_closed'])
  })

  test('after fourteen days: the contract’s rule for the worker’s own dispute, half and the bond for what the platform left undecided', async () => {
    const names = ['silent', 'unanswered', 'overturned', 'refused']
    const agents = names.map((name) => the(name).agent)
    const { deadline } = await the('overturned').agent.get(disputePath(the('overturned').session))
    const money = await movedTogether(world(), agents, async () => {
      await pass({ instant: Date.parse(deadline) + 13 * HOUR * 1_000 })
      const statuses = []
      for (const name of names.slice(0, 3)) statuses.push((await ends(the(name))).status)
      expect(statuses).toEqual(['closed', 'resolved', 'resolved'])
      await eventually('the rejection is final', async () => (await now(the('refused'))).rejectionFinalizedAt !== undefined)
    })
    const half = expected('split', REWARD / 2n)
    expect(money).toEqual(together([expected('timeout'), half, half, expected('final_rejection')]))
    expect((await world().view.standingOf(the('silent').agent.account.address)).badges).toEqual([])
    expect((await world().view.standingOf(the('unanswered').agent.account.address)).badges).toHaveLength(1)
    const reminded = (await the('unanswered').agent.get(disputePath(the('unanswered').session))).timeline
    expect(reminded.filter(({ action }: { action: string }) => action === 'people_reminded').length).toBeGreaterThan(0)
  })
})

describe('a verdict that the verifier’s key may not give on chain any more', () => {
  const mayVerify = async (may: boolean): Promise<void> => {
    const args = [world().verifier.account.address, may] as const
    const data = encodeFunctionData({ abi: treasuryPolicyAbi, functionName: 'setVerifier', args })
    await world().view.send(privateKeyToAccount(localKey('deployer').privateKey), {
      to: world().chain.contracts.policy.address as Hex,
      data,
    })
  }

  test('leaves the dispute held, in plain sight and within reach of the time machine, and is carried out when the key may again', async () => {
    const agent = await fundedAgent(world())
    const subject = { agent, session: await reviewedBy(world(), engine, agent) }
    const { sessionId } = subject.session
    const workflowId = disputeWorkflowId(sessionId)
    const shown = async () => (await engine.workflow.getHandle(workflowId).describe()).searchAttributes[SEARCH.sessionState.name]
    await mayVerify(false)
    const verdict = world().verifier.call(`/verifier/sessions/${encode(sessionId)}/verdict`, {
      body: { verdict: 'approve', rationale: 'The work is right.' },
    })
    const warned = async (): Promise<boolean> => {
      const { warnings } = await world().expectCall(200, '/health')
      return warnings.some(({ code }: { code: string }) => code === 'sessions_held')
    }
    await eventually('the state of the dispute', shown, (state) => String(state) === 'blocked')
    await eventually('the service warns of held sessions', warned)
    const money = await moves(subject, async () => {
      await mayVerify(true)
      await pass({ plusSeconds: HOUR })
      expect((await ends(subject)).status).toBe('resolved')
    })
    expect(money).toEqual(expected('approved'))
    expect([200, 202]).toContain((await verdict).status)
    const result = await agent.get(`/verifier/result?sessionId=${encode(sessionId)}`)
    const reviewer = world().verifier.account.address.toLowerCase()
    expect(result).toMatchObject({
      outcome: 'approved',
      handler: 'human_review',
      reviewedBy: reviewer,
      originalVerdict: { outcome: 'platform_fault' },
    })
    // The checks of what verdicts need find the role again.
    const needs = async (): Promise<Reply['body'][]> => (await world().expectCall(200, '/health')).components.verification.needs
    const isWhole = (found: Reply['body'][]) => found.every(({ ready }) => ready)
    await eventually('the needs of verdicts', needs, isWhole)
  })
})
