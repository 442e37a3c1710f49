import type { ChainJobState } from '../../schemas/chain/job-state.ts'
import type { Freeing } from '../../schemas/postings/process.ts'
import type { FreeingStep } from '../../schemas/postings/terms.ts'
import { ARBITRATOR_SLA_SECONDS } from '../common/constants.ts'
import { plusSeconds } from '../common/instants.ts'
import { disputeWindowEndsAt } from '../sessions/state-machine.ts'

/** Whose key signs each step. */
export const FREEING_ROLES = { time_out: 'operator', reject: 'verifier', finalize: 'operator', uphold: 'arbitrator' } as const

interface Held {
  state: ChainJobState
  claimExpiresAt: number | null
  rejectedAt: number | null
  disputedAt: number | null
}

/**
 * What frees the escrow of a job that is funded but not listed from a claim on chain: the step, from when on the escrow allows it, and until when it
 * counts (epoch ms; null without an end). Null where no claim holds the escrow. The service offers such a job to no wallet, so its escrow pays no
 * worker: only the poster gets its money back. Times are of whole seconds, and the escrow wants them over.
 */
export const nextFreeing = ({
  state,
  claimExpiresAt,
  rejectedAt,
  disputedAt,
}: Held): { step: FreeingStep; from: number; until: number | null } | null => {
  switch (state) {
    case 'claimed':
      return { step: 'time_out', from: (claimExpiresAt ?? 0) + 1_000, until: null }
    case 'submitted':
      return { step: 'reject', from: 0, until: null }
    case 'rejected':
      return { step: 'finalize', from: disputeWindowEndsAt(rejectedAt ?? 0) + 1_000, until: null }
    case 'disputed':
      return { step: 'uphold', from: 0, until: plusSeconds(disputedAt ?? 0, ARBITRATOR_SLA_SECONDS) }
    case 'none':
    case 'open':
    case 'closed':
    case 'cancelled':
      return null
  }
}

const STEPS: Readonly<Record<FreeingStep, string>> = {
  time_out: 'the service times the claim out',
  reject: 'the verifier rejects its submission',
  finalize: 'the service makes its rejection final, and the poster gets the money back',
  uphold: 'the arbitrator upholds the rejection',
}

const describeMissing = ({ next, missingKey, lapsesAt }: Freeing): string => {
  const call = next === 'uphold' ? 'resolveDispute with a payout of 0' : STEPS[next]
  const end = lapsesAt === null ? '' : ` before ${lapsesAt}; after that anyone can make the escrow pay half of the reward to the worker`
  return `This process has no key of the ${missingKey}. One that has it sends this (${call})${end}.`
}

/** What operators read of an escrow that is freed from a claim; `freeing` is null once it is free. */
export const describeFreeing = (wallet: string, freeing: Freeing | null): string => {
  if (freeing === null) return `The escrow is free of the claim of ${wallet}.`
  const { next, until, missingKey } = freeing
  const claimed = `${wallet} has claimed it on chain.`
  return missingKey === null ? `${claimed} From ${until} on ${STEPS[next]}.` : `${claimed} ${describeMissing(freeing)}`
}
