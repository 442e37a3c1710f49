// Calls of operators about lanes, recurring jobs, sources of jobs, sessions and money.
import type { Agent } from '../support/http.ts'
import { createJob, encode } from '../support/jobs.ts'
import type { World } from '../support/world.ts'

/** Pauses and resumes a lane; fires, pauses and resumes a template; sweeps the definitions. */
export const callLanes = async (world: World, agent: Agent): Promise<void> => {
  const { admin } = world
  await admin.get('/admin/lanes')
  await agent.get('/admin/lanes', 403)
  for (const action of ['pause', 'resume']) await admin.post('/admin/lanes/state', { lane: 'oss-anchored', action, reason: 'A test.' })
  const templateId = await createJob(world, { recurring: true, schedule: { cron: '0 0 1 1 *' } })
  await admin.post('/admin/jobs/pause', { templateId, reason: 'A test.' })
  await admin.post('/admin/jobs/resume', { templateId })
  await admin.post('/admin/jobs/fire', { templateId }, 201)
  await admin.post('/admin/jobs/fire', { templateId: 'no-such-job' }, 404)
  await admin.post('/admin/jobs/spec-hash-sweep', {})
}

/** Has each source propose a job, and pauses one. */
export const callSources = async ({ admin }: World): Promise<void> => {
  const runs = {
    github: { query: 'label:bug' },
    wikipedia: {},
    osv: { packages: [{ ecosystem: 'npm', name: 'minimist', version: '0.0.8' }] },
    'open-data': { query: 'air quality' },
    openapi: {},
    standards: {},
  }
  for (const [provider, own] of Object.entries(runs)) await admin.post(`/admin/jobs/ingest/${provider}`, { ...own, limit: 1, minScore: 0 })
  await admin.post('/admin/jobs/ingest/openapi', { limit: 51 }, 400)
  await admin.get('/admin/sources')
  await admin.get('/admin/sources/items?limit=2')
  await admin.post('/admin/sources/steer', { provider: 'standards', action: 'pause', note: 'A test.' })
}

/** Reads what waits for a person, the lists of every wallet, and a payload of a history. */
export const callAllWallets = async ({ admin }: World, agent: Agent): Promise<void> => {
  await admin.get('/queue')
  await admin.get('/queue?kind=alarm&limit=1')
  await admin.get('/queue?kind=everything', 400)
  await agent.get('/queue', 403)
  for (const path of ['/admin/postings', '/admin/webhooks', '/admin/verification-runs', '/admin/delegates']) {
    await admin.get(`${path}?limit=2`)
    await admin.get(`${path}?limit=0`, 400)
    await agent.get(path, 403)
  }
  await callPayloads(admin, agent)
}

/** Converts a payload of a history. */
const callPayloads = async (admin: Agent, agent: Agent): Promise<void> => {
  const body = { direction: 'decode', payloads: [{ metadata: { encoding: 'anNvbi9wbGFpbg==' }, data: 'e30=' }] }
  await admin.post('/admin/payloads', body)
  await admin.post('/admin/payloads', { ...body, direction: 'both' }, 400)
  await agent.post('/admin/payloads', body, 403)
}

/** Reads the lists of sessions, payments and wallets, and the money of a session. */
export const callLists = async (world: World, agent: Agent, sessionId: string): Promise<void> => {
  const { admin } = world
  await admin.get('/admin/sessions?status=disputed')
  await admin.get('/admin/sessions?format=compact&view=money_waiting&order=deadline')
  await admin.get('/admin/sessions?view=lost', 400)
  const money = `/session/money?sessionId=${encode(sessionId)}`
  for (const reader of [admin, world.verifier]) await reader.get(money)
  await agent.get(money, 403)
  await admin.get('/session/money?sessionId=none', 404)
  for (const path of ['/admin/payments/days', '/admin/payments', '/admin/wallets']) {
    await admin.get(path)
    await agent.get(path, 403)
  }
  await admin.get('/admin/payments/days?from=2026-01-02&to=2026-01-01', 400)
  await admin.get('/admin/payments?day=yesterday', 400)
  await admin.get('/admin/wallets?role=owner', 400)
}
