import { expect } from '@jest/globals'
import { type Address, encodeEventTopics, type Hex } from 'viem'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { chainJobId } from '../../../domain/common/ids.ts'
import { liveEscrow } from '../../../schemas/chain/chain-file.ts'
import { type Balances, type Moves, moved, readBalances } from './money.ts'
import type { World } from './world.ts'

/** Everything an edge can move, in base units. `retained` is part of what the treasury got, so it is no balance of its own. */
interface Books {
  balances: Balances
  /** What the escrow holds of the poster's money, in the account contract. */
  escrow: bigint
  /** Kept back of this job's reward for gas. */
  retained: bigint
  /** Liquid money and tokens of a poster other than the operator. */
  poster: bigint
}

const positionOf = ({ view, chain }: World, wallet: Address) =>
  view.client.readContract({
    address: chain.contracts.agentAccount.address as Hex,
    abi: agentAccountCoreAbi,
    functionName: 'positions',
    args: [wallet, chain.asset.address as Hex],
  })

const retainedOf = async ({ view, chain }: World, jobId: string): Promise<bigint> => {
  const topics = encodeEventTopics({ abi: escrowCoreAbi, eventName: 'GasRetentionApplied', args: { jobId: chainJobId(jobId) } })
  const [signature, job] = topics as [Hex, Hex]
  const logs = (await view.client.request({
    method: 'eth_getLogs',
    params: [{ address: liveEscrow(chain), fromBlock: '0x0', toBlock: 'latest', topics: [signature, job] }],
  })) as { data: Hex }[]
  return logs.reduce((sum, { data }) => sum + BigInt(data.slice(0, 66)), 0n)
}

interface BookSubject {
  worker: Address
  jobId: string
  poster?: Address
}

/** Reads all books of one job; `poster` where it is not the operator. */
const readBooks = async (world: World, subject: BookSubject): Promise<Books> => {
  const { worker, jobId, poster } = subject
  const [balances, position, retained, own] = await Promise.all([
    readBalances(world, worker),
    positionOf(world, poster ?? world.operatorAccount.address),
    retainedOf(world, jobId),
    poster === undefined ? null : world.view.standingOf(poster),
  ])
  return { balances, escrow: position[1], retained, poster: own === null ? 0n : own.liquidRaw + own.tokensRaw }
}

const sumOf = (moves: Moves): bigint =>
  Object.values(moves)
    .flatMap((members) => Object.values(members))
    .reduce((sum, raw) => sum + raw, 0n)

const difference = (before: Books, after: Books): Moves => {
  const single = { escrow: after.escrow - before.escrow, poster: after.poster - before.poster }
  const others = Object.entries(single).filter(([, raw]) => raw !== 0n)
  return { ...moved(before.balances, after.balances), ...Object.fromEntries(others.map(([who, raw]) => [who, { all: raw }])) }
}

/** What an act moved of each party and of the escrow; fails unless the sum of it is zero. */
export const bookMoves = async (world: World, subject: BookSubject, act: () => Promise<unknown>) => {
  const before = await readBooks(world, subject)
  await act()
  const after = await readBooks(world, subject)
  const money = difference(before, after)
  expect(sumOf(money)).toBe(0n)
  return { money, retained: after.retained - before.retained }
}
