import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { localKey } from '../../../local/keys.ts'
import type { TimeTarget } from '../../../local/time/expression.ts'
import { moveTime } from '../../../local/time/move.ts'
import { decide, disputePath, expected, movedTogether, openDispute, rejectedBy, reviewedBy, together } from '../../e2e/support/disputes.ts'
import { becomes, type Subject } from '../../e2e/support/edge-cases.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { encode, fundedAgent, leaves, sessionOf } from '../../e2e/support/jobs.ts'
import { until } from '../../e2e/support/pull-requests.ts'
import { world } from './other-settings.ts'

const HOUR_MS = 3_600_000

let account: PrivateKeyAccount
let arbitrator: Agent
let engine: Client
let connection: Connection
const cases: Record<string, Subject> = {}
const the = (name: string): Subject => {
  const found = cases[name]
  if (found === undefined) throw new Error(`no case ${name}`)
  return found
}

const ofDispute = async (agent: Agent): Promise<Subject> => {
  const subject = { agent, session: await rejectedBy(world(), agent) }
  await openDispute(world(), agent.account, subject.session)
  await becomes(subject, 'rejected', 'disputed')
  return subject
}
const ofReview = async (agent: Agent): Promise<Subject> => ({ agent, session: await reviewedBy(world(), engine, agent) })
const ofOverturn = async (agent: Agent): Promise<Subject> => {
  const session = await rejectedBy(world(), agent)
  await world().admin.post('/admin/sessions/overturn', { sessionId: session.sessionId, note: 'The wrong page was read.' })
  return { agent, session }
}
const CASES = {
  'the worker’s own dispute': ofDispute,
  'a review': ofReview,
  'a verdict that was replaced': ofDispute,
  unsigned: ofDispute,
  unanswered: ofReview,
  overturned: ofOverturn,
}

beforeAll(async () => {
  connection = await Connection.connect({ address: world().info.temporalAddress })
  engine = new Client({ connection })
  account = privateKeyToAccount(world().info.keys.arbitrator)
  arbitrator = await world().agent(account)
  for (const [name, make] of Object.entries(CASES)) cases[name] = await make(await fundedAgent(world()))
}, 300_000)
afterAll(() => connection?.close())

const pass = async (target: TimeTarget): Promise<void> => {
  await moveTime(world().info, target)
  for (const agent of [world().admin, arbitrator, ...Object.values(cases).map(({ agent }) => agent)]) await agent.signInAgain()
}
const now = ({ agent, session }: Subject): Promise<Reply['body']> => sessionOf(agent, session.sessionId)
const ends = ({ agent, session }: Subject): Promise<Reply['body']> => leaves(agent, session.sessionId, 'disputed')
const disputeOf = ({ agent, session }: Subject): Promise<Reply['body']> => agent.get(disputePath(session))
const movedOf = (names: string[], act: () => Promise<unknown>) =>
  movedTogether(
    world(),
    names.map((name) => the(name).agent),
    act,
  )
const actionsOf = async (subject: Subject): Promise<string[]> =>
  (await disputeOf(subject)).timeline.map(({ action }: { action: string }) => action)
const badgesOf = async ({ agent }: Subject) => (await world().view.standingOf(agent.account.address)).badges
const scoresOf = async ({ agent }: Subject) => {
  const { skill, reliability, economic } = await agent.get('/reputation')
  return { skill, reliability, economic }
}
/** The arbitrator signs what it was handed, and sends it directly to the chain; the session ends by what the chain shows. */
const signed = async (subject: Subject, { preparation }: Reply['body']): Promise<Reply['body']> => {
  const { to, data } = preparation.transaction
  await world().view.send(account, { to, data })
  return ends(subject)
}
const NOTHING = together([{}])

describe('a verdict', () => {
  test.each(['the worker’s own dispute', 'a review'])(
    'of %s is handed out unsigned, replaced, signed and sent by the arbitrator, and ends the session with its money',
    async (name) => {
      const subject = the(name)
      const verdict = { verdict: 'split', workerPayout: '400000' }
      let prepared: Reply['body']
      const before = await movedOf([name], async () => {
        const { preparation } = await decide(arbitrator, subject, { verdict: 'upheld' })
        expect((await decide(arbitrator, subject, verdict, 409)).code).toBe('dispute_already_decided')
        prepared = await decide(arbitrator, subject, { ...verdict, supersedes: preparation.preparationId })
      })
      expect(before).toEqual(NOTHING)
      expect(prepared).toMatchObject({
        status: 'open',
        chainStatus: 'submitted',
        arbitration: { execution: { mode: 'out_of_band_hardware', backendCanResolve: false } },
        nextActions: [{ kind: 'transaction', transaction: prepared.preparation.transaction }],
      })
      expect(await now(subject)).toMatchObject({ status: 'disputed', chainState: 'disputed' })

      const money = await movedOf([name], async () => expect((await signed(subject, prepared)).status).toBe('resolved'))
      expect(money).toEqual(together([expected('split', 400_000n)]))
      expect(await disputeOf(subject)).toMatchObject({
        status: 'resolved',
        verdict: 'split',
        source: 'arbitrator',
        chainStatus: 'confirmed',
      })
      expect(await actionsOf(subject)).not.toContain('arbitration_prepared_payout_mismatch')
      const metadataUri = `${world().base}/badges/${encode(subject.session.sessionId)}`
      expect(await badgesOf(subject)).toMatchObject([{ level: 1n, metadataUri }])
      expect((await decide(arbitrator, subject, verdict, 409)).code).toBe('dispute_already_decided')
    },
  )

  test('that was replaced and signed all the same is the one that counts, and the record says that it was not the last', async () => {
    const subject = the('a verdict that was replaced')
    const first = await decide(arbitrator, subject, { verdict: 'upheld' })
    await decide(arbitrator, subject, { verdict: 'dismissed', supersedes: first.preparation.preparationId })
    const money = await movedOf(['a verdict that was replaced'], async () => expect((await signed(subject, first)).status).toBe('rejected'))
    expect(money).toEqual(together([expected('upheld')]))
    const counted = { verdict: 'upheld', source: 'chain', decidedBy: account.address.toLowerCase() }
    expect(await disputeOf(subject)).toMatchObject({ status: 'resolved', ...counted, payoutMismatch: true })
    expect(await disputeOf(subject)).not.toHaveProperty('reasoningHash')
    expect(await actionsOf(subject)).toContain('arbitration_prepared_payout_mismatch')
    expect(await badgesOf(subject)).toEqual([])
  })
})

describe('a time-out', () => {
  const endedByContract = async (name: string): Promise<void> => {
    expect(await badgesOf(the(name))).toEqual([])
    expect(await scoresOf(the(name))).toEqual({ skill: 0, reliability: 0, economic: 0 })
    expect(await disputeOf(the(name))).toMatchObject({
      status: 'resolved',
      verdict: 'timeout',
      reasonCode: 'ARB_TIMEOUT',
      chainStatus: 'confirmed',
      source: 'chain',
      decidedBy: localKey('operator').address.toLowerCase(),
    })
  }

  test('after fourteen days: what people left undecided goes to the chain, an overturned rejection and an unsigned verdict end by the contract’s rule', async () => {
    await decide(arbitrator, the('unsigned'), { verdict: 'dismissed' })
    const unsigned = await disputeOf(the('unsigned'))
    expect(unsigned.deadline).toBe(unsigned.windowEndsAt)
    expect(unsigned.nextActions[0].description).toContain(unsigned.deadline)
    const { deadline } = await disputeOf(the('overturned'))
    const money = await movedOf(['overturned', 'unanswered', 'unsigned'], async () => {
      await pass({ instant: Math.max(Date.parse(deadline), Date.parse(unsigned.deadline)) + HOUR_MS })
      for (const name of ['overturned', 'unsigned']) expect([name, (await ends(the(name))).status]).toEqual([name, 'closed'])
      await until(
        () => now(the('unanswered')),
        ({ chainState }) => chainState === 'disputed',
      )
    })
    expect(money).toEqual(together([expected('timeout'), {}, expected('timeout')]))
    expect((await now(the('unanswered'))).status).toBe('disputed')
    expect(await disputeOf(the('unanswered'))).toMatchObject({ stage: 'arbitration', origin: 'platform', verdict: null })
    for (const name of ['overturned', 'unsigned']) await endedByContract(name)
    expect(await actionsOf(the('unsigned'))).toContain('arbitration_prepared_payout_mismatch')
    expect(await disputeOf(the('unsigned'))).not.toHaveProperty('rationale')
    const late = await decide(arbitrator, the('unsigned'), { verdict: 'upheld' }, 409)
    const { verdict, decidedAt } = await disputeOf(the('unsigned'))
    expect([late.code, late.details]).toEqual(['dispute_already_decided', { verdict, decidedAt }])
  })

  test('after twenty-eight days: half to the worker, the bond slashed and no badge, for what people left undecided', async () => {
    const { deadline, openedAt, timeline } = await disputeOf(the('unanswered'))
    const opened = Date.parse(timeline[0].at)
    expect(Date.parse(deadline)).toBeGreaterThanOrEqual(opened + 28 * 24 * HOUR_MS)
    expect(Date.parse(deadline) - Date.parse(openedAt)).toBe(14 * 24 * HOUR_MS)
    const money = await movedOf(['unanswered'], async () => {
      await pass({ instant: Date.parse(deadline) + HOUR_MS })
      expect((await ends(the('unanswered'))).status).toBe('closed')
    })
    expect(money).toEqual(together([expected('timeout')]))
    await endedByContract('unanswered')
    expect(await actionsOf(the('unanswered'))).toContain('people_reminded')
  })
})
