import { ROLES } from '../identity/authorisation.ts'

/** Each reason for which a withdrawal is refused, with its meaning for people. */
export const WITHDRAWAL_REFUSALS = {
  amount_exceeds_available: 'The account cannot pay out that much now.',
  locked_deposit_encumbered: 'Locked deposits bind a part of this amount.',
  destination_refused: 'Tokens at this destination could never be moved again.',
} as const
export type WithdrawalRefusal = keyof typeof WITHDRAWAL_REFUSALS

/** States of a gas grant: the transfer may have been sent, it paid the wallet, or the wallet refused it. Each rules out another grant. */
export const GAS_GRANT_STATUSES = ['sending', 'granted', 'failed'] as const
export type GasGrantStatus = (typeof GAS_GRANT_STATUSES)[number]

/** Each reason of a gas-grant decision, with its meaning for people. Source: specification, "Other rules". */
export const GAS_GRANT_REASONS = {
  first_withdrawal_gas_grant_available: 'The wallet gets the grant when this withdrawal asks for it.',
  first_withdrawal_gas_grant_sent: 'The grant for this withdrawal was sent.',
  first_withdrawal_gas_grant_in_progress: 'The grant is being sent, or its outcome is not known yet.',
  first_withdrawal_gas_grant_already_granted: 'The wallet had its grant; there is one for its lifetime.',
  first_withdrawal_gas_grant_usdc_only: 'The grant is for withdrawals of the settlement asset only.',
  first_withdrawal_gas_grant_balance_below_floor: 'The liquid balance is below the least for a grant.',
  first_withdrawal_gas_grant_daily_cap_reached: 'All grants of this UTC day are given.',
  first_withdrawal_gas_grant_withdrawal_intent_required: 'A grant belongs to a withdrawal; build one first.',
  first_withdrawal_gas_grant_withdrawal_intent_stale: 'The balance changed since the withdrawal was built; build it again.',
  first_withdrawal_gas_grant_unavailable: 'The operator gives no grants now, or this wallet refused the transfer of its grant.',
  first_withdrawal_gas_grant_address_unmapped:
    'The native account of this wallet is not mapped: the transfer would not reach it. Map the account, then ask again.',
  first_withdrawal_gas_grant_status_read_failed: 'What decides about the grant cannot be read now.',
} as const
export type GasGrantReason = keyof typeof GAS_GRANT_REASONS

/** Roles of a wallet in the operators' list: `worker` has claimed, `poster` has funded a job, the others are configured. */
export const WALLET_ROLES = ['worker', 'poster', ...ROLES] as const
export type WalletRole = (typeof WALLET_ROLES)[number]
