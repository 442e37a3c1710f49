import type { ArbitrationVerdict, RoundVerdict } from '../../schemas/sessions/verdicts.ts'

const CODES: Readonly<Record<RoundVerdict, string>> = {
  upheld: 'DISPUTE_LOST',
  dismissed: 'DISPUTE_OVERTURNED',
  split: 'DISPUTE_PARTIAL',
  timeout: 'ARB_TIMEOUT',
  approved: 'HUMAN_REVIEW_APPROVED',
  rejected: 'HUMAN_REVIEW_REJECTED',
}

/** Reason code of a verdict. */
export const verdictCode = (verdict: RoundVerdict): string => CODES[verdict]

/** Reason code as the escrow stores it: ASCII in bytes32. Verifier codes are hashed instead. */
export const verdictCodeBytes = (verdict: ArbitrationVerdict): `0x${string}` =>
  `0x${[...CODES[verdict]]
    .map((letter) => letter.charCodeAt(0).toString(16))
    .join('')
    .padEnd(64, '0')}`

/** Verdict of a payout from a disputed escrow: the whole remaining reward, or a part. Sums in base units. */
export const verdictForPayout = (payoutRaw: bigint, remainingRaw: bigint): 'dismissed' | 'split' =>
  payoutRaw >= remainingRaw ? 'dismissed' : 'split'

/** Release of the worker's bond by a verdict; `contract` for a time-out. Source: lifecycle 11. */
export const releaseActionOf = (verdict: RoundVerdict) => {
  if (verdict === 'timeout') return 'contract' as const
  return verdict === 'upheld' ? ('slash-to-treasury' as const) : ('return-to-depositor' as const)
}
