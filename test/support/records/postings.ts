// Jobs that wallets draft and fund over HTTP, with their own transactions.
import { randomBytes } from 'node:crypto'
import { concat, type Hex, keccak256, numberToHex } from 'viem'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { liveEscrow } from '../../../schemas/chain/chain-file.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { fundedAgent } from '../../e2e/support/jobs.ts'
import type { World } from '../../e2e/support/world.ts'
import { eventually } from '../eventually.ts'
import type { FleetWorld } from '../fleet/world.ts'

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

/** Words of a contract that are looked at for a mapping. */
const SLOTS = 200

/** Makes a job of the escrow as old as that, as if it had been funded then; the time of nothing else moves. */
export const ageJob = async ({ view, chain }: Pick<World, 'view' | 'chain'>, jobId: Hex, seconds: number): Promise<void> => {
  const address = liveEscrow(chain)
  const createdAt = await view.client.readContract({ address, abi: escrowCoreAbi, functionName: 'createdAt', args: [jobId] })
  for (let slot = 0n; slot < SLOTS; slot += 1n) {
    const place = keccak256(concat([jobId, numberToHex(slot, { size: 32 })]))
    const word = await view.client.getStorageAt({ address, slot: place })
    if (BigInt(word ?? 0) !== createdAt) continue
    const params = [address, place, numberToHex(createdAt - BigInt(seconds), { size: 32 })]
    await view.client.request({ method: 'anvil_setStorageAt', params } as never)
    return
  }
  throw new Error('the escrow has no mapping of creation times')
}
