// A worker that holds a service token only: the narrowest one that earns, and what it gets when it is taken back.
import { describe, expect, test } from '@jest/globals'
import { openStream } from '../../api/support/event-stream.ts'
import type { Agent, Reply } from '../support/http.ts'
import { claim, createJob, encode, GOOD_WORK, leaves } from '../support/jobs.ts'
import { extraWallet } from '../support/mutations.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ shared: true })
const WORKER = ['events:read', 'jobs:claim', 'jobs:preflight', 'jobs:submit', 'session:read']

interface Held {
  agent: Agent
  grantId: string
  token: string
}
/** A caller that never signed in: its wallet is the subject of the grant. */
const holderOf = async (capabilities: readonly string[], account: Agent['account'] = extraWallet()): Promise<Held> => {
  const issued = await world().admin.post('/admin/service-tokens', { subject: account.address, capabilities }, 201)
  return { agent: await world().agent(account, issued.token), grantId: issued.grant.id, token: issued.token }
}
const codeOf = async (agent: Agent, path: string, body?: object): Promise<unknown> => {
  const reply: Reply = await agent.call(path, body === undefined ? {} : { body })
  return reply.body.code ?? reply.status
}

describe('a service token of a worker', () => {
  test('claims, submits and earns for the wallet of its grant, and does nothing beside', async () => {
    const { agent } = await holderOf(WORKER)
    const jobId = await createJob(world(), { onboardingWaiverEligible: true, rewardAmount: 0.2 })
    expect(await agent.get(`/jobs/preflight?jobId=${jobId}`)).toMatchObject({ eligible: true })
    const { sessionId } = await claim(agent, jobId)
    expect(sessionId).toBe(`${jobId}:${agent.account.address}`)
    await agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
    expect((await leaves(agent, sessionId, 'submitted')).status).toBe('resolved')
    const badge = await world().expectCall(200, `/badges/${encode(sessionId)}`)
    expect(badge.service.worker.toLowerCase()).toBe(agent.account.address.toLowerCase())
    const { events } = await agent.get('/events/poll')
    expect(events.map(({ topic }: { topic: string }) => topic)).toContain('session.claimed')
    for (const path of ['/account', '/me', `/session/timeline?sessionId=${encode(sessionId)}`])
      expect([path, await codeOf(agent, path)]).toEqual([path, 'missing_capability'])
    for (const path of ['/shares', '/agents/consent', '/webhooks'])
      expect([path, await codeOf(agent, path, {})]).toEqual([path, 'wallet_session_required'])
    for (const path of ['/admin/sessions', '/admin/service-tokens'])
      expect([path, await codeOf(agent, path)]).toEqual([path, 'missing_role'])
  })

  test('reads as everyone where a token is optional and it lacks the capability', async () => {
    const owner = await world().agent()
    const { sessionId } = await claim(owner, await createJob(world(), { onboardingWaiverEligible: true, rewardAmount: 0.2 }))
    await owner.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
    await leaves(owner, sessionId, 'submitted')
    const { account } = owner
    const [narrow, wide] = [await holderOf(['jobs:claim'], account), await holderOf(['session:read'], account)]
    const path = `/verifier/result?sessionId=${encode(sessionId)}`
    expect(await narrow.agent.get(path)).toEqual(await world().expectCall(200, path))
    expect((await wide.agent.get(path)).verificationInput).toEqual((await owner.get(path)).verificationInput)
  })

  test('goes on until it is taken back: then nothing starts and an open stream ends, while its wallet stays signed in', async () => {
    const owner = await world().agent()
    const { agent, grantId, token } = await holderOf(WORKER, owner.account)
    const jobId = await createJob(world(), { onboardingWaiverEligible: true, rewardAmount: 0.2 })
    const stream = await openStream(`${world().base}/events`, { token })
    await stream.until(() => stream.frames.length > 0)
    await world().admin.post(`/admin/service-tokens/${grantId}/revoke`, {})
    await stream.ended
    expect(stream.frames.at(-1)).toMatchObject({ topic: 'auth_expired', data: { code: 'missing_capability' } })
    expect(await codeOf(agent, '/jobs/claim', { jobId })).toBe('missing_capability')
    expect((await agent.get('/auth/session')).capabilities).toEqual([])
    expect((await owner.post('/jobs/claim', { jobId })).status).toBe('claimed')
  })
})
