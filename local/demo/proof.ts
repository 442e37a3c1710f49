import type { Address } from 'viem'
import type { EscrowState, Standing } from './chain.ts'

/** Chain state before, during and after one job of a worker. Amounts in base units. */
export type Evidence = {
  wallet: Address
  badgeUrl: string
  before: Standing
  after: Standing
  escrow: EscrowState
  /** While the job was claimed. */
  locked: Standing
  /** Bond and net reward by the preflight. */
  bondRaw: bigint
  netRewardRaw: bigint
}

const check = (holds: boolean, failure: string): string[] => (holds ? [] : [failure])

/** Missing parts of the proof of payment and badge on chain; empty when both are proved. */
export const missingProof = ({ wallet, badgeUrl, before, after, locked, escrow, bondRaw, netRewardRaw }: Evidence): string[] => {
  const gainedRaw = after.liquidRaw - before.liquidRaw
  const known = new Set(before.badges.map(({ tokenId }) => tokenId))
  const fresh = after.badges.filter(({ tokenId }) => !known.has(tokenId))
  return [
    ...check(escrow.state === 'closed', `the escrow job is ${escrow.state}, not closed`),
    ...check(escrow.worker.toLowerCase() === wallet.toLowerCase(), `the escrow names ${escrow.worker} as worker, not ${wallet}`),
    ...check(escrow.releasedRaw === escrow.rewardRaw, `the escrow released ${escrow.releasedRaw} of ${escrow.rewardRaw}`),
    ...check(gainedRaw === netRewardRaw && gainedRaw > 0n, `the worker gained ${gainedRaw}, not ${netRewardRaw}`),
    ...check(after.stakedRaw === 0n, `${after.stakedRaw} of the worker are still locked`),
    ...check(locked.stakedRaw - before.stakedRaw === bondRaw, `the claim locked ${locked.stakedRaw}, not ${bondRaw}`),
    ...check(fresh.length === 1 && fresh[0]?.metadataUri === badgeUrl, `the badge contract has no new badge that points to ${badgeUrl}`),
  ]
}
