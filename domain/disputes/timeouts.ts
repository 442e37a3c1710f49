import type { TimeoutOutcome } from '../../schemas/disputes/record.ts'
import { ARBITRATOR_SLA_SECONDS, inDays } from '../common/constants.ts'
import { describeFinalRejection } from '../sessions/economics-view.ts'

const ON_CHAIN = `the service opens the dispute on chain, where an arbitrator has ${inDays(ARBITRATOR_SLA_SECONDS)}`

/** What each time-out outcome does to a claim with a bond. */
const BONDED: Readonly<Record<TimeoutOutcome, string>> = {
  finalize_rejection: describeFinalRejection(true),
  split_half: 'the worker gets half of the reward and its bond back',
  split_unit: 'the worker gets one base unit and its bond back, and the poster the rest',
  open_on_chain: ON_CHAIN,
  contract_timeout: 'the contract pays half of the reward and slashes the bond',
}

/** What it does to a claim whose bond was waived. */
const UNBONDED: Readonly<Record<TimeoutOutcome, string>> = {
  finalize_rejection: describeFinalRejection(false),
  split_half: 'the worker gets half of the reward',
  split_unit: 'the worker gets one base unit, and the poster the rest',
  open_on_chain: ON_CHAIN,
  contract_timeout: 'the contract pays half of the reward',
}

/** What happens when a deadline passes, as the end of a sentence. */
export const describeTimeout = (outcome: TimeoutOutcome, isBonded: boolean): string => (isBonded ? BONDED : UNBONDED)[outcome]
