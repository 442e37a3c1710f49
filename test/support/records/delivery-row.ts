import { DAY_MS } from '../../../domain/common/instants.ts'
import type { Tables } from '../../../schemas/entities/tables.ts'

const PAID_AT = Date.parse('2026-03-01T10:00:00.000Z')

/** A delivered pull request that is open a day after its payment. */
export const aDelivery = (changes: Partial<Tables['tracked_delivery']> = {}): Tables['tracked_delivery'] => ({
  sessionId: 'job:0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  jobId: 'job',
  wallet: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  kind: 'pull_request',
  address: 'https://codehost.example/acme/widgets/pull/7',
  state: 'open',
  changedAt: PAID_AT,
  trackedSince: PAID_AT,
  deadlineAt: PAID_AT + 30 * DAY_MS,
  confirmAt: null,
  adopted: null,
  nextReadAt: PAID_AT + 2 * DAY_MS,
  wokenAt: PAID_AT,
  endedAt: null,
  readings: 2,
  failedReadings: 1,
  readAt: PAID_AT + DAY_MS,
  facts: { kind: 'pull_request', state: 'open', isMerged: false, mergeCommit: null, revertedBy: null },
  failure: null,
  history: [{ state: 'open', at: PAID_AT, facts: null }],
  ...changes,
})
