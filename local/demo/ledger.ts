import type { Address } from 'viem'
import type { VerdictMoney } from '../../client/src/generated/operations.ts'
import type { moneyView } from '../../domain/disputes/payout.ts'
import type { ChainView } from './chain.ts'
import { money, type Place } from './place.ts'

const WHOSE = ['worker', 'poster', 'treasury', 'verifier'] as const
const WHERE = { account: 'liquidRaw', locked: 'stakedRaw', wallet: 'tokensRaw' } as const
const WHAT = Object.keys(WHERE) as (keyof typeof WHERE)[]

/** Wallets whose balances the end of a job can change. */
export type Participants = Record<(typeof WHOSE)[number], Address>

/** Amounts by wallet and place, base units; absent ones are zero. */
export type Ledger = Partial<Record<`${keyof Participants} ${keyof typeof WHERE}`, bigint>>

/**
 * Balance changes by the end of a job. The worker's wallet belongs to the demo alone: its changes count since the claim. The others may change
 * for other reasons: only the block that closed the job counts.
 */
export const readClosingChanges = async (chain: ChainView, participants: Participants, jobId: string): Promise<Ledger> => {
  const closedIn = await chain.blockOf(jobId, 'JobClosed')
  const sinceClaim = [await chain.blockOf(jobId, 'JobClaimed'), await chain.client.getBlockNumber({ cacheTime: 0 })] as const
  const ledger: Ledger = {}
  for (const who of WHOSE) {
    const [from, to] = who === 'worker' ? sinceClaim : [closedIn - 1n, closedIn]
    const [before, after] = await Promise.all([chain.balancesOf(participants[who], from), chain.balancesOf(participants[who], to)])
    for (const what of WHAT) ledger[`${who} ${what}`] = after[WHERE[what]] - before[WHERE[what]]
  }
  return ledger
}

/** Balance changes that a preview predicts. */
export const predictedLedger = ({ worker, poster, treasury, verifier }: ReturnType<typeof moneyView> | VerdictMoney): Ledger => {
  const slashed = BigInt(poster.slash.raw) + BigInt(treasury.slash.raw) + BigInt(verifier.feeShare.raw)
  return {
    'worker account': BigInt(worker.payout.raw) + BigInt(worker.bondReturned.raw),
    'worker locked': -(BigInt(worker.bondReturned.raw) + slashed),
    'poster account': BigInt(poster.refund.raw),
    'poster wallet': BigInt(poster.slash.raw),
    'treasury account': BigInt(treasury.fee.raw) + BigInt(treasury.slash.raw),
    'verifier wallet': BigInt(verifier.feeShare.raw),
  }
}

/** Prints predicted and actual changes side by side. Returns the rows that differ. */
export const compareLedgers = (place: Place, predicted: Ledger, found: Ledger): string[] => {
  const names = WHOSE.flatMap((who) => WHAT.map((what) => `${who} ${what}` as const))
  const rows = names
    .map((name) => ({ name, predicted: predicted[name] ?? 0n, found: found[name] ?? 0n }))
    .filter((row) => row.predicted !== 0n || row.found !== 0n)
  place.report.line()
  place.report.table([
    ['ledger', 'predicted', 'on chain', ''],
    ...rows.map((row) => [row.name, money(place, row.predicted), money(place, row.found), row.predicted === row.found ? '=' : 'DIFFERS']),
  ])
  const sum = (column: 'predicted' | 'found') => rows.reduce((total, row) => total + row[column], 0n)
  place.report.line(`    moved in all: predicted ${money(place, sum('predicted'))}, on chain ${money(place, sum('found'))}`)
  return rows
    .filter((row) => row.predicted !== row.found)
    .map(({ name, predicted: wanted, found: is }) => `${name} moved by ${is}, not ${wanted}`)
}
