import type { TimeoutOutcome } from '../../schemas/disputes/record.ts'
import { ARBITRATOR_SLA_SECONDS, inDays } from '../common/constants.ts'

const TIMEOUTS: Readonly<Record<TimeoutOutcome, string>> = {
  finalize_rejection: 'the rejection becomes final and the bond is slashed',
  split_half: 'the worker gets half of the reward and its bond back',
  open_on_chain: `the service opens the dispute on chain, where an arbitrator has ${inDays(ARBITRATOR_SLA_SECONDS)}`,
  contract_timeout: 'the contract pays half of the reward and slashes the bond',
}

/** What happens when a deadline passes, as the end of a sentence. */
export const describeTimeout = (outcome: TimeoutOutcome): string => TIMEOUTS[outcome]
