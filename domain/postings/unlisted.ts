import type { ChainJobState } from '../../schemas/chain/job-state.ts'
import type { FreeingStep } from '../../schemas/postings/terms.ts'
import { disputeWindowEndsAt } from '../sessions/state-machine.ts'

/**
 * What frees the escrow of a job that is funded but not listed from a claim on chain, and from when on (epoch ms) the escrow allows it; null where no
 * claim holds it. The service offers such a job to no wallet, so its escrow pays no worker: only the poster gets its money back. Times are of whole seconds, and
 * the escrow wants them over.
 */
export const nextFreeing = ({
  state,
  claimExpiresAt,
  rejectedAt,
}: {
  state: ChainJobState
  claimExpiresAt: number | null
  rejectedAt: number | null
}): { step: FreeingStep; from: number } | null => {
  switch (state) {
    case 'claimed':
      return { step: 'time_out', from: (claimExpiresAt ?? 0) + 1_000 }
    case 'submitted':
      return { step: 'reject', from: 0 }
    case 'rejected':
      return { step: 'finalize', from: disputeWindowEndsAt(rejectedAt ?? 0) + 1_000 }
    case 'disputed':
      return { step: 'uphold', from: 0 }
    case 'none':
    case 'open':
    case 'closed':
    case 'cancelled':
      return null
  }
}

const STEPS: Readonly<Record<FreeingStep, string>> = {
  time_out: 'the claim is timed out',
  reject: 'the verifier rejects its submission',
  finalize: 'its rejection is made final and the poster gets the money back',
  uphold:
    'the arbitrator upholds the rejection with resolveDispute and a payout of 0; the time-out of the dispute would pay half of the reward',
}

/** What operators read of an escrow that is freed from a claim. */
export const describeFreeing = (wallet: string, { next, until }: { next: FreeingStep | null; until: string | null }): string =>
  next === null ? `The escrow is free of the claim of ${wallet}.` : `${wallet} has claimed it on chain; from ${until} on ${STEPS[next]}.`
