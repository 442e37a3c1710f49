// Jobs of posters, funded on the chain of a stack, and the transactions that their workers send.
import { randomBytes } from 'node:crypto'
import { encodeFunctionData, type Hex } from 'viem'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { liveEscrow } from '../../../schemas/chain/chain-file.ts'
import { createArgs, draftOf } from '../../activities/support/postings.ts'
import { eventually } from '../../support/eventually.ts'
import type { Agent, Reply } from '../support/http.ts'
import { fundedAgent } from '../support/jobs.ts'
import type { World } from '../support/world.ts'

/** Beyond every time that a test moves to. */
const YEARS_HOURS = 100_000

type Parts = Pick<World, 'view' | 'agent' | 'chain' | 'database' | 'expectCall'>

/** A call of the escrow by an agent's own transaction. */
export const sendEscrow = (world: Parts, agent: Agent, functionName: string, args: readonly unknown[]) =>
  world.view.send(agent.account, {
    to: liveEscrow(world.chain),
    data: encodeFunctionData({ abi: escrowCoreAbi, functionName, args } as Parameters<typeof encodeFunctionData>[0]),
  })

/** Sends the transactions that a refusal asks for, in their order. */
export const sendAsked = async (world: Parts, agent: Agent, refusal: Reply['body']): Promise<void> => {
  for (const { to, data } of refusal.details.transactions) await world.view.send(agent.account, { to, data })
}

/** A job that a new poster has drafted and funded, once it is listed. */
export const postJob = async (
  world: Parts,
  { rewardRaw = 1_000_000n, poster }: { rewardRaw?: bigint; poster?: Agent } = {},
): Promise<{ jobId: Hex; poster: Agent }> => {
  const owner = poster ?? (await fundedAgent(world, 20_000_000n))
  const { row, drafted } = draftOf(
    randomBytes(5).toString('hex'),
    { poster: owner.account.address, rewardRaw, ttlHours: YEARS_HOURS },
    Date.now(),
  )
  await world.database.rows.insertInto('posting').values(row).execute()
  await sendEscrow(world, owner, 'createSinglePayoutJob', createArgs(world.chain.asset.address as Hex, drafted))
  const { jobId } = drafted
  const isListed = async () => (await owner.call(`/jobs/definition?jobId=${jobId}`)).status
  await eventually(`${jobId} is listed`, isListed, (status) => status === 200)
  return { jobId, poster: owner }
}
