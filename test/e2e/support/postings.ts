// Jobs that wallets draft and fund over HTTP, with their own transactions.
import { randomBytes } from 'node:crypto'
import { eventually } from '../../support/eventually.ts'
import type { FleetWorld } from '../../support/fleet/world.ts'
import type { Agent, Reply } from './http.ts'
import { fundedAgent } from './jobs.ts'
import type { World } from './world.ts'

/** A definition that no other call gives, for 1 USDC, decided by keywords. */
export const newDefinition = (changes: object = {}) => ({
  title: `Retry policy of the client ${randomBytes(5).toString('hex')}`,
  description: 'Design the retry policy of a client.',
  category: 'coding',
  rewardAmount: 1,
  verifierMode: 'benchmark',
  verifierTerms: ['exponential backoff', 'jitter', 'retry budget'],
  ...changes,
})

type PostingWorld = Pick<World | FleetWorld, 'view' | 'agent'>

/** A wallet that drafted a job. */
export interface Drafted {
  agent: Agent
  draft: Reply['body']
}

export const draftedBy = async (agent: Agent, changes: object = {}): Promise<Drafted> => ({
  agent,
  draft: await agent.post('/jobs/draft', { definition: newDefinition(changes) }, 201),
})

/** A draft of a wallet whose account covers it. */
export const newDraft = async (world: PostingWorld, changes: object = {}): Promise<Drafted> => draftedBy(await fundedAgent(world), changes)

/** Sends unsigned transactions. */
const sendAll = async ({ view }: Pick<PostingWorld, 'view'>, { account }: Agent, { templates }: Reply['body']): Promise<void> => {
  for (const { to, data } of templates) await view.send(account, { to, data })
}

/** A draft that is funded and listed. */
export const newPosting = async (world: PostingWorld, changes: object = {}): Promise<Drafted> => {
  const { agent, draft } = await newDraft(world, changes)
  const path = `/jobs/draft/${draft.draftId}`
  await sendAll(world, agent, await agent.post(`${path}/transactions`, {}))
  const live = await eventually(
    `${draft.jobId} is live`,
    () => agent.get(path),
    ({ status }) => status === 'live',
  )
  return { agent, draft: live }
}
