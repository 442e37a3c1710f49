import type { Policy } from '../../schemas/shares/shapes.ts'
import { DISPUTE_WINDOW_SECONDS } from '../common/constants.ts'

const SINCE = '2026-11-26T00:00:00.000Z'
const FIRST = {
  state: 'active',
  revision: 1,
  history: [{ revision: 1, at: SINCE, note: 'First text.' }],
  activeSince: SINCE,
  lastChange: SINCE,
}

/** Rules of the service as documents, by tag. They are served through shares only. Source: identity, "Shares". */
export const POLICIES: readonly Policy[] = [
  {
    ...FIRST,
    id: 'policy-receipt-co-sign',
    tag: 'receipt-co-sign',
    scope: 'co-sign',
    severity: 'gating',
    handler: 'receipts',
    gates: ['session_end'],
    rule: 'The service signs a work receipt in the transaction that ends a session. Without a signature the end is not recorded.',
  },
  {
    ...FIRST,
    id: 'policy-claim-dependency-security',
    tag: 'claim-dependency-security',
    scope: 'claim',
    severity: 'advisory',
    handler: 'reviewers',
    gates: [],
    rule: 'Work on the security of a dependency stays within the package and the advisory that the job names. Other changes are not part of the claim.',
  },
  {
    ...FIRST,
    id: 'policy-settle-receipt-before-payout',
    tag: 'settle-receipt-before-payout',
    scope: 'settle',
    severity: 'hard_stop',
    handler: 'settlement',
    gates: ['payout_record'],
    rule: 'A payout is recorded only together with its signed work receipt.',
  },
  {
    ...FIRST,
    id: 'policy-dispute-human-review-window',
    tag: 'dispute-human-review-window',
    scope: 'settle',
    severity: 'gating',
    handler: 'disputes',
    gates: ['rejection_final'],
    rule: `A worker can dispute a rejection for ${DISPUTE_WINDOW_SECONDS} seconds. An arbitrator then decides: upheld, dismissed or split.`,
  },
]
