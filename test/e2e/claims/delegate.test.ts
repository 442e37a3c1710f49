// A program that holds the token of a delegate only: it earns for the wallet that granted it, and stops when that takes it back.
import { describe, expect, test } from '@jest/globals'
import { grantTo } from '../../api/support/delegates.ts'
import { openStream } from '../../api/support/event-stream.ts'
import type { Agent } from '../support/http.ts'
import { claim, createJob, encode, GOOD_WORK, leaves } from '../support/jobs.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ shared: true })
const STARTER = { onboardingWaiverEligible: true, rewardAmount: 0.2 } as const

const delegateOf = async (owner: Agent, terms: object = {}) => {
  const { token, capabilityGrantId: grantId } = (await grantTo(world(), owner.account, terms)).body
  return { token, grantId, agent: await world().agent(owner.account, token) }
}
const codeOf = async (agent: Agent, path: string, body?: object): Promise<unknown> => {
  const reply = await agent.call(path, body === undefined ? {} : { body })
  return reply.body.code ?? reply.status
}

describe('a delegate', () => {
  test('claims, submits and earns for its wallet, which sees what it used', async () => {
    const owner = await world().agent()
    const { agent, grantId } = await delegateOf(owner)
    const jobId = await createJob(world(), STARTER)
    expect(await agent.get(`/jobs/preflight?jobId=${jobId}`)).toMatchObject({ eligible: true })
    const { sessionId } = await claim(agent, jobId)
    expect(sessionId).toBe(`${jobId}:${owner.account.address}`)
    await agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
    expect((await leaves(agent, sessionId, 'submitted')).status).toBe('resolved')
    const badge = await world().expectCall(200, `/badges/${encode(sessionId)}`)
    expect(badge.service.worker.toLowerCase()).toBe(owner.account.address.toLowerCase())
    const { items } = await owner.get('/auth/delegates')
    expect([items[0].grantId, items[0].used.jobs]).toEqual([grantId, 1])
    expect((await agent.get('/auth/session')).delegate.left.jobs).toBe(9)
    const { events } = await owner.get('/events/poll')
    expect(events.map(({ topic }: { topic: string }) => topic)).toContain('delegate.grant')
    for (const path of ['/account/withdraw/transactions', '/shares', '/agents/consent', '/webhooks', '/auth/delegates/revoke'])
      expect([path, await codeOf(agent, path, {})]).toEqual([path, 'wallet_session_required'])
  })

  test('that was taken back starts nothing and reads nothing, while what it claimed goes on for its wallet', async () => {
    const owner = await world().agent()
    const { agent, token, grantId } = await delegateOf(owner)
    const { sessionId } = await claim(agent, await createJob(world(), STARTER))
    const stream = await openStream(`${world().base}/events`, { token })
    await stream.until(() => stream.frames.length > 0)
    await owner.post('/auth/delegates/revoke', { grantId })
    await stream.ended
    expect(stream.frames.at(-1)).toMatchObject({ topic: 'auth_expired', data: { code: 'delegate_ended' } })
    expect(await codeOf(agent, '/jobs/submit', { sessionId, submission: GOOD_WORK })).toBe('delegate_ended')
    expect(await codeOf(agent, `/session?sessionId=${encode(sessionId)}`)).toBe('delegate_ended')
    await owner.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
    expect((await leaves(owner, sessionId, 'submitted')).status).toBe('resolved')
  })
})
