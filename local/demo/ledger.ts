import type { Address } from 'viem'
import { agentAccountCoreAbi } from '../../activities/chain/abi/agent-account-core.ts'
import { escrowCoreAbi } from '../../activities/chain/abi/escrow-core.ts'
import { testUsdcAbi } from '../../activities/chain/abi/test-usdc.ts'
import { chainJobId } from '../../domain/common/ids.ts'
import { type ChainFile, liveEscrow } from '../../schemas/chain/chain-file.ts'
import type { ChainView } from './chain.ts'
import { money, type Place } from './place.ts'

/** Wallets whose balances the end of a job can change. */
export interface Participants {
  worker: Address
  poster: Address
  treasury: Address
  verifier: Address
}

type Who = keyof Participants
type What = 'account' | 'locked' | 'wallet'

/** Amounts by wallet and place, base units; absent ones are zero. */
export type Ledger = Partial<Record<`${Who} ${What}`, bigint>>

const WHOSE = ['worker', 'poster', 'treasury', 'verifier'] as const satisfies Who[]
const WHERE = ['account', 'locked', 'wallet'] as const satisfies What[]

/**
 * Balance changes by the end of a job. The worker's wallet belongs to the demo alone: its changes count since the claim. The others may change
 * for other reasons: only the block that closed the job counts.
 */
export const readClosingChanges = async (view: ChainView, chain: ChainFile, participants: Participants, jobId: string): Promise<Ledger> => {
  const { client } = view
  const blockOf = async (eventName: 'JobClaimed' | 'JobClosed'): Promise<bigint> => {
    const jobs = { address: liveEscrow(chain), abi: escrowCoreAbi, args: { jobId: chainJobId(jobId) }, fromBlock: 0n } as const
    const found = await client.getContractEvents({ ...jobs, eventName })
    const blockNumber = found.at(-1)?.blockNumber
    if (blockNumber === undefined) throw new Error(`${jobId} has no ${eventName} on chain`)
    return blockNumber
  }
  const closedIn = await blockOf('JobClosed')
  const stretches: Record<Who, [before: bigint, after: bigint]> = {
    worker: [await blockOf('JobClaimed'), await client.getBlockNumber({ cacheTime: 0 })],
    poster: [closedIn - 1n, closedIn],
    treasury: [closedIn - 1n, closedIn],
    verifier: [closedIn - 1n, closedIn],
  }
  const token = chain.asset.address as Address
  const accounts = { address: chain.contracts.agentAccount.address as Address, abi: agentAccountCoreAbi } as const
  const holdings = async (wallet: Address, at: bigint): Promise<Record<What, bigint>> => {
    const [position, tokens] = await Promise.all([
      client.readContract({ ...accounts, functionName: 'positions', args: [wallet, token], blockNumber: at }),
      client.readContract({ address: token, abi: testUsdcAbi, functionName: 'balanceOf', args: [wallet], blockNumber: at }),
    ])
    return { account: position[0], locked: position[4], wallet: tokens }
  }
  const ledger: Ledger = {}
  for (const who of WHOSE) {
    const [from, to] = stretches[who]
    const [before, after] = await Promise.all([holdings(participants[who], from), holdings(participants[who], to)])
    for (const what of WHERE) if (after[what] !== before[what]) ledger[`${who} ${what}`] = after[what] - before[what]
  }
  return ledger
}

/** Balance changes that a preview predicts. */
export const predictedLedger = (money: {
  worker: { payoutRaw: string; bondReturnedRaw: string }
  poster: { refundRaw: string; slashRaw: string }
  treasury: { feeRaw: string; slashRaw: string }
  verifier: { feeShareRaw: string }
}): Ledger => {
  const { worker, poster, treasury, verifier } = money
  const slashed = BigInt(poster.slashRaw) + BigInt(treasury.slashRaw) + BigInt(verifier.feeShareRaw)
  return {
    'worker account': BigInt(worker.payoutRaw) + BigInt(worker.bondReturnedRaw),
    'worker locked': -(BigInt(worker.bondReturnedRaw) + slashed),
    'poster account': BigInt(poster.refundRaw),
    'poster wallet': BigInt(poster.slashRaw),
    'treasury account': BigInt(treasury.feeRaw) + BigInt(treasury.slashRaw),
    'verifier wallet': BigInt(verifier.feeShareRaw),
  }
}

/** Prints predicted and actual changes side by side. Returns the rows that differ. */
export const compareLedgers = (place: Place, predicted: Ledger, found: Ledger): string[] => {
  const names = WHOSE.flatMap((who) => WHERE.map((what) => `${who} ${what}` as const))
  const rows = names
    .map((name) => ({ name, predicted: predicted[name] ?? 0n, found: found[name] ?? 0n }))
    .filter((row) => row.predicted !== 0n || row.found !== 0n)
  place.report.line()
  place.report.table([
    ['ledger', 'predicted', 'on chain', ''],
    ...rows.map((row) => [row.name, money(place, row.predicted), money(place, row.found), row.predicted === row.found ? '=' : 'DIFFERS']),
  ])
  const sum = (pick: (row: (typeof rows)[number]) => bigint) => rows.reduce((total, row) => total + pick(row), 0n)
  place.report.line(
    `    moved in all: predicted ${money(
      place,
      sum((row) => row.predicted),
    )}, on chain ${money(
      place,
      sum((row) => row.found),
    )}`,
  )
  return rows
    .filter((row) => row.predicted !== row.found)
    .map(({ name, predicted: wanted, found: is }) => `${name} moved by ${is}, not ${wanted}`)
}
