// What a life of a savings process has left, without ids and instants.
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { depositPoolAbi } from '../../../activities/chain/abi/deposit-pool.ts'
import { followerAtHead } from '../../support/follower-head.ts'
import type { Print } from '../prints/print.ts'
import type { Stage } from './stage.ts'
import { waitFor } from './stage.ts'

/** Topics of the events that name a wallet, or an id, with their numbers. */
const topicsOf = async ({ database: { rows } }: Stage, wallet: string, key: string): Promise<Record<string, number>> => {
  const found = await rows
    .selectFrom('event')
    // Time passes, tokens end, and a wallet signs in again.
    .where('topic', 'not like', 'journey.%')
    .select(['topic', 'wallets', 'correlationId'])
    // An event of a claim names its session, or its job where the follower came before the record.
    .where((is) => is.or([is('correlationId', '=', key), is('jobId', '=', key), sql<boolean>`jsonb_exists(wallets, ${wallet})`]))
    .execute()
  const counts: Record<string, number> = {}
  for (const { topic } of found) counts[topic] = (counts[topic] ?? 0) + 1
  return Object.fromEntries(Object.entries(counts).sort(([left], [right]) => left.localeCompare(right)))
}

/** Transactions of the service for this life. */
const sentFor = async ({ database: { rows } }: Stage, key: string) => {
  const found = await rows
    .selectFrom('chain_transaction')
    .select(['functionName', 'status'])
    .where('intentKey', 'like', `%${key}%`)
    .orderBy('createdAt')
    .orderBy('nonce')
    .execute()
  return found.map(({ functionName, status }) => [functionName, status])
}

/** Money of a wallet on chain, base units: in its account by kind, in its own hands and in the pool. */
const moneyOf = async ({ view, chainFile }: Stage, wallet: Hex) => {
  const { agentAccount, depositPool } = chainFile.contracts
  const asset = chainFile.asset.address as Hex
  const account = { address: agentAccount.address as Hex, abi: agentAccountCoreAbi } as const
  const block = await view.client.getBlockNumber({ cacheTime: 0 })
  const [position, { tokensRaw }, shares] = await Promise.all([
    view.client.readContract({ ...account, functionName: 'positions', args: [wallet, asset] }),
    view.balancesOf(wallet, block),
    depositPool === undefined
      ? 0n
      : view.client.readContract({
          address: depositPool.address as Hex,
          abi: depositPoolAbi,
          functionName: 'balanceOf',
          args: [wallet],
        }),
  ])
  return { account: position.map(String), tokens: String(tokensRaw), shares: String(shares) }
}

/** Whether the process has ended, and how. */
export const endOf = ({ engine }: Stage, workflowId: string): Promise<string> =>
  waitFor(`the end of ${workflowId}`, async () => {
    const { status } = await engine.workflow.getHandle(workflowId).describe()
    return status.name !== 'RUNNING' && status.name
  })

/** What every process leaves. `of`: its workflow, its wallet and the key of its effects. */
export const readCommonEnd = async (stage: Stage, of: { workflowId: string; wallet: Hex; key: string }): Promise<Print> => {
  const process = await endOf(stage, of.workflowId)
  await followerAtHead(stage)
  const [events, transactions, money] = await Promise.all([
    topicsOf(stage, of.wallet.toLowerCase(), of.key),
    sentFor(stage, of.key),
    moneyOf(stage, of.wallet),
  ])
  return { process, events, transactions, money }
}

const plain = (value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

/** Columns of a row but those that are `left` out; of the `instants` only whether they are there. */
export const shapeOf = (row: Record<string, unknown>, instants: readonly string[], left: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !left.includes(name))
      .map(([name, value]) => [name, instants.includes(name) ? value !== null : plain(value)]),
  )
