import type { Hex } from 'viem'
import { toDisplay } from '../../domain/common/money.ts'
import { type ChainFile, readChainFile } from '../../schemas/chain/chain-file.ts'
import type { StackInfo } from '../info.ts'
import { type ChainView, createChainView, type Standing } from './chain.ts'
import type { Evidence } from './proof.ts'
import { createReport, type Report } from './report.ts'
import {
  type Agent,
  type Badge,
  claimableJobs,
  isTaken,
  type Preflight,
  type Row,
  type Session,
  type Verdict,
  type Worker,
} from './worker.ts'

/** Where a flow runs and what it prints to. */
export type Place = { base: string; chain: ChainView; report: Report; asset: { symbol: string; decimals: number } }

/** A place with the files and keys of its stack. */
export type StackPlace = Place & { info: StackInfo; chainFile: ChainFile }

/** The place of a running stack; `say` prints a line. */
export const placeOf = (info: StackInfo, say: (line: string) => void): StackPlace => {
  if (info.api === undefined) throw new Error('the stack runs without API and worker: end it and start the demo again')
  const chainFile = readChainFile(info.chainFile)
  const chain = createChainView(chainFile, info.rpcUrl)
  return { base: info.api, chain, report: createReport(say), asset: chainFile.asset, info, chainFile }
}

export type Outcome = Evidence & { jobId: string; badge: Badge }

/** Base units as a person reads them. */
export const money = ({ asset }: Place, raw: bigint): string => `${toDisplay(raw, asset.decimals)} ${asset.symbol}`

/** Describes a decided session in one line. */
export const describeDecided = ({ session, verdict }: { session: Session; verdict: Verdict }): string =>
  `${verdict.outcome} (${verdict.reasonCode}), session ${session.status}`

/** Signs the service's unsigned templates with the worker's own key and broadcasts them directly to the chain. Returns the steps. */
export const deposit = async ({ chain }: Place, worker: Worker, amountRaw: bigint): Promise<string[]> => {
  const { templates } = await worker.client.buildAccountDepositTransactions({ amount: amountRaw })
  for (const { to, data } of templates) await chain.send(worker.account, { to: to as Hex, data: data as Hex })
  return templates.map(({ step }) => step)
}

/** Tries the suitable jobs of the catalogue in its order until a claim succeeds. Skips jobs that another worker has claimed. */
export const firstToWin = async <Won>(
  place: Place,
  { worker, suits, attempt }: { worker: Agent; suits: (row: Row) => boolean; attempt: (select: () => Promise<Row>) => Promise<Won> },
): Promise<Won> => {
  const tried: string[] = []
  const select = async (): Promise<Row> => {
    const row = (await claimableJobs(worker)).find((job) => suits(job) && !tried.includes(job.id))
    if (row === undefined) throw new Error('no job that suits is open: start the stack again, it tops the catalogue up')
    tried.push(row.id)
    return row
  }
  for (;;) {
    try {
      return await attempt(select)
    } catch (error) {
      if (!isTaken(error)) throw error
      place.report.line(`    ${tried.at(-1)} was claimed by another wallet; trying the next`)
    }
  }
}

/** A worker's position at several moments, side by side. */
export const showBalances = (place: Place, moments: [name: string, standing: Standing][]): void => {
  const row = (name: string, pick: (standing: Standing) => string) => [name, ...moments.map(([, standing]) => pick(standing))]
  place.report.line()
  place.report.table([
    ['on chain', ...moments.map(([name]) => name)],
    row('liquid', ({ liquidRaw }) => money(place, liquidRaw)),
    row('locked as bond', ({ stakedRaw }) => money(place, stakedRaw)),
    row('badges', ({ badges }) => String(badges.length)),
  ])
}

type Ending = { worker: Agent; preflight: Preflight; session: Session; before: Standing; locked: Standing }

/** Reads the badge over HTTP, then the balances on chain. */
export const conclude = async (place: Place, { worker, preflight, session, ...looks }: Ending): Promise<Outcome> => {
  const { jobId, sessionId } = session
  const badge = await place.report.step(
    'inspect-earned-badge',
    () => worker.client.getBadge({ sessionId }),
    ({ name, service }) => `“${name}”, ${money(place, BigInt(service.reward.amount))}, ${service.verifierMode}`,
  )
  const wallet = worker.account.address
  const [after, escrow] = await Promise.all([place.chain.standingOf(wallet), place.chain.escrowOf(jobId)])
  const { totalClaimLockRaw, netRewardRaw } = preflight
  if (totalClaimLockRaw === null || netRewardRaw === null) throw new Error('preflight could not read the terms from the chain')
  const badgeUrl = `${place.base}/badges/${encodeURIComponent(sessionId)}`
  return { wallet, jobId, badge, badgeUrl, ...looks, after, escrow, bondRaw: totalClaimLockRaw, netRewardRaw }
}
