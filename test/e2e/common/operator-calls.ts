// Calls of operators about lanes, recurring jobs and sources of jobs.
import type { Agent } from '../support/http.ts'
import { createJob } from '../support/jobs.ts'
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

/** Reads what waits for a person, and the lists of every wallet. */
export const callLists = async ({ admin }: World, agent: Agent): Promise<void> => {
  await admin.get('/admin/queue')
  await admin.get('/admin/queue?kind=alarm&limit=1')
  await admin.get('/admin/queue?kind=everything', 400)
  await agent.get('/admin/queue', 403)
  for (const path of ['/admin/postings', '/admin/webhooks', '/admin/verification-runs', '/admin/delegates']) {
    await admin.get(`${path}?limit=2`)
    await admin.get(`${path}?limit=0`, 400)
    await agent.get(path, 403)
  }
}
