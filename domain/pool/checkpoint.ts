import type { VestingCheckpoint } from '../../schemas/pool/record.ts'
import { iso } from '../common/instants.ts'
import type { LogPosition, VestingState } from './vesting.ts'

const positionRecord = ({ blockNumber, logIndex }: LogPosition) => ({ blockNumber: blockNumber.toString(), logIndex })

const parsePosition = ({ blockNumber, logIndex }: { blockNumber: string; logIndex: number }): LogPosition => ({
  blockNumber: BigInt(blockNumber),
  logIndex,
})

/** Vesting of a wallet as plain JSON, to continue from later. */
export const formatCheckpoint = (state: VestingState): VestingCheckpoint => ({
  v: 1,
  asOf: iso(state.asOf),
  upTo: state.upTo === null ? null : positionRecord(state.upTo),
  sharesRaw: state.sharesRaw.toString(),
  maturedRaw: state.maturedRaw.toString(),
  tranches: state.tranches.map((tranche) => ({
    ...positionRecord(tranche),
    txHash: tranche.txHash,
    depositedRaw: tranche.depositedRaw.toString(),
    remainingRaw: tranche.remainingRaw.toString(),
    depositedAt: iso(tranche.depositedAt),
    vestingFrom: iso(tranche.vestingFrom),
  })),
  openLoans: state.openLoans.map(({ loanId, openedAt }) => ({ loanId, openedAt: iso(openedAt) })),
})

/** Vesting of a wallet from its checkpoint. */
export const parseCheckpoint = (checkpoint: VestingCheckpoint): VestingState => ({
  asOf: Date.parse(checkpoint.asOf),
  upTo: checkpoint.upTo === null ? null : parsePosition(checkpoint.upTo),
  sharesRaw: BigInt(checkpoint.sharesRaw),
  maturedRaw: BigInt(checkpoint.maturedRaw),
  tranches: checkpoint.tranches.map((tranche) => ({
    ...parsePosition(tranche),
    txHash: tranche.txHash,
    depositedRaw: BigInt(tranche.depositedRaw),
    remainingRaw: BigInt(tranche.remainingRaw),
    depositedAt: Date.parse(tranche.depositedAt),
    vestingFrom: Date.parse(tranche.vestingFrom),
  })),
  openLoans: checkpoint.openLoans.map(({ loanId, openedAt }) => ({ loanId, openedAt: Date.parse(openedAt) })),
})
