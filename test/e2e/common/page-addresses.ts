import type { Agent } from '../support/http.ts'
import { claim, createJob, encode, GOOD_WORK, leaves } from '../support/jobs.ts'
import type { World } from '../support/world.ts'

/** Addresses of pages about one worker with one paid job, by what they show. */
export const fillPages = async (
  world: Pick<World, 'admin' | 'agent' | 'view'>,
): Promise<{ agent: Agent; paths: Record<PageName, string> }> => {
  const agent = await world.agent()
  const jobId = await createJob(world, { onboardingWaiverEligible: true })
  const { sessionId } = await claim(agent, jobId)
  await agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
  await leaves(agent, sessionId, 'submitted')
  await agent.post('/agents/consent', { publicProfileOptIn: true })
  const badge = `/badges/${encode(sessionId)}`
  const { receipts } = await agent.get('/receipts?limit=1')
  const shared = async (record: Record<string, string>): Promise<string> => (await agent.post('/shares', record, 201)).apiPath
  const paths = {
    home: '/',
    jobs: '/jobs',
    'filtered jobs': '/jobs?tier=starter&claimable=true&limit=2',
    'no jobs': '/jobs?category=nothing-here',
    job: `/jobs/definition?jobId=${await createJob(world)}`,
    'finished job': `/jobs/definition?jobId=${jobId}`,
    badge,
    agents: '/agents',
    profile: `/agents/${agent.account.address}`,
    receipt: `/receipts/${receipts[0].receiptId}`,
    pool: '/pool',
    'log heads': '/log/heads',
    'shared session': await shared({ surface: 'session', sessionId }),
    'shared profile': await shared({ surface: 'agent', wallet: agent.account.address }),
    verification: `/verify?record=${encode(badge)}`,
    documentation: '/docs',
    'search of the documentation': '/docs?q=claim',
    'subject of the documentation': '/docs/jobs',
    guides: '/docs/guides',
    guide: '/docs/guides/own-bond',
    'ways to sign in': '/docs/sign-in',
    'error codes': '/docs/errors',
    'error code': '/docs/errors/missing_token',
  }
  return { agent, paths }
}

/** Pages that have one form alone, and no script but that which copies. */
export const DOCUMENTS = [
  'home',
  'documentation',
  'search of the documentation',
  'subject of the documentation',
  'guides',
  'guide',
  'ways to sign in',
  'error codes',
  'error code',
] as const
export const PAGES = [
  ...['jobs', 'filtered jobs', 'no jobs', 'job', 'finished job', 'badge', 'agents', 'profile', 'receipt', 'pool', 'log heads'],
  ...['shared session', 'shared profile', 'verification', ...DOCUMENTS],
] as const
export type PageName = (typeof PAGES)[number]
