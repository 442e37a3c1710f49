import type { MoneyStep } from '../../schemas/settlement/record.ts'

/** What events of the escrow say of their transaction, the last step first. */
const STEP_OF_EVENT = [
  ['SettlementSplit', 'payout'],
  ['DisputeResolved', 'resolution'],
  ['DisputeOpened', 'dispute'],
  ['Verified', 'verdict'],
  ['JobCancelled', 'cancellation'],
  ['JobReopened', 'timeout'],
  ['JobClosed', 'finalisation'],
  ['WorkSubmitted', 'submit'],
  ['JobClaimed', 'claim'],
  ['JobFunded', 'fund'],
] as const satisfies readonly (readonly [string, MoneyStep])[]

/** What a call of the escrow would do, for a transaction without events. */
const STEP_OF_CALL: Readonly<Record<string, MoneyStep>> = {
  createSinglePayoutJob: 'fund',
  createSinglePayoutJobFeeWaived: 'fund',
  createSinglePayoutJobFromRecurringReserve: 'fund',
  setOnboardingWaiverEligible: 'waiver',
  claimJobFor: 'claim',
  submitWorkFor: 'submit',
  resolveSinglePayout: 'verdict',
  openDisputeFor: 'dispute',
  resolveDispute: 'resolution',
  autoResolveOnTimeout: 'resolution',
  finalizeRejectedJob: 'finalisation',
  handleClaimTimeout: 'timeout',
}

/** What a transaction does: the last step among its events; without events what its call says. */
export const moneyStep = (events: readonly string[], functionName: string | null): MoneyStep => {
  const found = STEP_OF_EVENT.find(([event]) => events.includes(event))
  return found?.[1] ?? STEP_OF_CALL[functionName ?? ''] ?? 'other'
}
