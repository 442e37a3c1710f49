import { LAST_MOMENTS_SECONDS } from '../common/constants.ts'

/** What a worker must know about the deadline of a claim before it claims. */
export const DEADLINE_RULES = [
  `Submit before the last ${LAST_MOMENTS_SECONDS} seconds: a later submission that lapses on its way to the chain is refused with brokered_submit_expired.`,
  'A pause of the contracts moves no deadline: a claim that ends during a pause ends as the contract says.',
] as const
