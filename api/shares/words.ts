import type { z } from 'zod'
import { definitionPath } from '../../domain/catalogue/job-definition.ts'
import { receiptUrl } from '../../domain/receipts/work-receipt.ts'
import type { releaseActionOf } from '../../domain/settlement/award.ts'
import type { SHARED_DISPUTE, SHARED_DISPUTE_FACTS, SHARED_RELEASE } from '../../domain/shares/dispute-snapshot.ts'
import type { SHARED_PAYOUT, SHARED_SESSION, SHARED_SESSION_FACTS } from '../../domain/shares/session-snapshot.ts'
import { html } from '../../pages/html.ts'
import { codeWords, duration } from '../../pages/parts.ts'
import type { NativeAccountShape } from '../../schemas/operations/values.ts'
import type { GasRetentionShape } from '../../schemas/sessions/shapes.ts'
import type {
  BadgeSnapshotShape,
  DisputeResolutionShape,
  PayoutShape,
  VerificationSummaryShape,
} from '../../schemas/sessions/stored-shapes.ts'
import type { Policy } from '../../schemas/shares/shapes.ts'
import { VERDICTS } from '../receipts/receipt-page.ts'
import { DECIDERS } from '../reputation/badge-page.ts'
import { bps, group, units, type Wordings } from './values.ts'

type MembersOf<Shape extends z.ZodType> = keyof z.output<Shape> & string

/** Writes the words of a code; a code of another version stays as it is. */
const oneOf = (words: Readonly<Record<string, string>>) => (value: unknown) => words[String(value)] ?? codeWords(String(value))

const seconds = (value: unknown): string => duration(Number(value))
const jobLink = (value: unknown) => html`<a href="${definitionPath(String(value))}">${String(value)}</a>`
const receiptLink = (value: unknown) => html`<a href="${receiptUrl('', String(value))}">${String(value)}</a>`

/** What a decision does with the bond. */
const RELEASES: Readonly<Record<ReturnType<typeof releaseActionOf>, string>> = {
  'return-to-depositor': 'The bond returns to the worker',
  'slash-to-treasury': 'The bond is lost',
  contract: 'The contract decides over the bond',
}

const VERIFICATION: Wordings<MembersOf<typeof VerificationSummaryShape>> = {
  outcome: 'Outcome',
  reasonCode: 'Reason',
  handler: 'Judged with',
  escalatedFrom: 'Sent to people by',
  handlerVersion: 'Version of the judgement',
  verifierPolicyVersion: 'Version of the policy',
  verifierConfigVersion: 'Version of the configuration',
}

const RESOLUTION: Wordings<MembersOf<typeof DisputeResolutionShape>> = {
  disputeId: 'Dispute',
  kind: ['Decided by', oneOf(DECIDERS)],
  verdict: ['Decision', oneOf(VERDICTS)],
  workerShareBps: ['Part of the reward for the worker, before gas', bps],
  workerPayout: 'Paid to the worker',
  reasonCode: 'Reason',
  txHash: 'Transaction',
  decidedAt: 'Decided',
}

const NATIVE_ACCOUNT: Wordings<MembersOf<typeof NativeAccountShape>> = { ss58: 'Address', accountId32: 'Account id' }

const BADGE: Wordings<MembersOf<typeof BadgeSnapshotShape>> = {
  category: 'Category',
  tier: 'Tier',
  rewardAmount: ['Reward', units],
  rewardAmountRaw: null,
  rewardAsset: null,
  verifierMode: 'Verifier',
}

const GAS: Wordings<MembersOf<typeof GasRetentionShape>> = {
  supported: null,
  brokered: 'Operator pays the gas of the claim',
  waived: 'Nothing is kept, as the bond is waived',
  retained: ['Kept from the reward', units],
  retainedRaw: null,
  netReward: ['Reward after that', units],
  netRewardRaw: null,
}

const SETTLEMENT: Wordings<MembersOf<(typeof PayoutShape)['shape']['settlement']>> = {
  worker: 'Worker',
  workerAmount: ['Paid to the worker', units],
  workerAmountRaw: null,
  protocolFeeAmount: ['Protocol fee', units],
  protocolFeeAmountRaw: null,
  protocolFeeBps: ['Protocol fee in percent', bps],
  gasRetentionAmount: ['Kept for gas', units],
  gasRetentionAmountRaw: null,
  gasRetentionBps: ['Kept for gas in percent', bps],
  rewardAmount: ['Whole reward', units],
  rewardAmountRaw: null,
  posterTotalAmount: ['Paid by the poster in all', units],
  posterTotalAmountRaw: null,
  treasuryAccount: 'Account of the fee',
  asset: 'Contract of the token',
  assetSymbol: null,
  decimals: null,
  brokered: 'Operator paid the gas of the claim',
  waived: 'Bond was waived',
}

const PAYOUT: Wordings<(typeof SHARED_PAYOUT)[number]> = {
  txHash: 'Transaction',
  blockNumber: 'Block',
  status: null,
  settlement: ['Amounts', group(SETTLEMENT)],
}

/** A session and its payout. */
export const SESSION_WORDS: Wordings<(typeof SHARED_SESSION)[number] | 'payoutTx'> = {
  status: 'State',
  since: 'In this state since',
  jobId: ['Work', jobLink],
  wallet: 'Worker',
  nativeAccount: ['Native account', group(NATIVE_ACCOUNT)],
  claimedAt: 'Claimed',
  claimTtlSeconds: ['Time to do it', seconds],
  claimExpiresAt: 'Last instant to submit',
  submittedAt: 'Submitted',
  rejectedAt: 'Rejected',
  disputedAt: 'Disputed',
  resolvedAt: 'Decided and paid',
  closedAt: 'Closed',
  expiredAt: 'Claim lapsed',
  timedOutAt: 'Closed by an operator',
  rejectionFinalizedAt: 'Rejection became final',
  updatedAt: 'Last change',
  claimStake: ['Stake', units],
  claimStakeRaw: null,
  claimStakeBps: null,
  claimFee: ['Claim fee', units],
  claimFeeRaw: null,
  claimFeeBps: null,
  totalClaimLock: ['Bond: stake and fee', units],
  totalClaimLockRaw: null,
  claimEconomicsWaived: 'Bond waived',
  claimNumber: 'Claim of the wallet, by number',
  gasRetention: ['Gas', group(GAS)],
  verificationSummary: ['Verdict', group(VERIFICATION)],
  disputeResolution: ['End of the dispute', group(RESOLUTION)],
  payoutTx: ['Payment', group(PAYOUT)],
  badgeSnapshot: ['Badge to earn', group(BADGE)],
  workReceiptId: ['Receipt', receiptLink],
  evidenceHash: 'Fingerprint of the work',
  chainState: 'State of the job on chain',
  chainJobId: 'Job on chain',
  sessionId: 'Session',
}

/** Facts of an entry in the timeline of a session. */
export const SESSION_FACT_WORDS: Wordings<(typeof SHARED_SESSION_FACTS)[number]> = {
  from: 'From',
  to: 'To',
  status: 'State',
  phase: 'Phase',
  outcome: 'Outcome',
  verdict: 'Decision',
  reason: 'Why',
  reasonCode: 'Reason',
  handler: 'Judged with',
  action: ['What happens', oneOf(RELEASES)],
  origin: 'Caused by',
  protocol: 'Protocol',
  submissionKind: 'Kind of work',
  schemaRef: 'Form of the work',
  workerPayout: 'Paid to the worker',
  amount: 'Amount',
  txHash: 'Transaction',
  receiptId: ['Receipt', receiptLink],
  disputeId: 'Dispute',
  openedAt: 'Opened',
  windowEndsAt: 'Time to decide ends',
  slaSeconds: ['Time to decide', seconds],
  chainStatus: 'State on chain',
  expected: 'Expected',
  observed: 'Found',
  observedState: 'State found on chain',
  claimExpiresAt: 'Last instant to submit',
}

const RELEASE: Wordings<(typeof SHARED_RELEASE)[number]> = {
  action: ['What happens', oneOf(RELEASES)],
  amount: 'Amount',
  chainStatus: 'State on chain',
  txHash: 'Transaction',
}

/** A dispute and the release of its bond. */
export const DISPUTE_WORDS: Wordings<(typeof SHARED_DISPUTE)[number] | 'rationale' | 'release'> = {
  status: 'State',
  stage: 'Stage',
  verdict: ['Decision', oneOf(VERDICTS)],
  rationale: 'Reasons',
  reasonCode: 'Reason of the decision',
  decidedBy: 'Decided by',
  source: 'Decided as',
  decidedAt: 'Decided',
  workerPayout: 'Paid to the worker',
  payoutSource: 'Amount set by',
  payoutMismatch: 'Chain paid another amount than prepared',
  deadline: 'Decision due',
  openedAt: 'Opened',
  origin: 'Opened by',
  reason: 'Why it was opened',
  since: 'In this state since',
  windowEndsAt: 'Time to decide ends',
  slaSeconds: ['Time to decide', seconds],
  jobId: ['Work', jobLink],
  claimant: 'Worker',
  respondent: 'Poster',
  remainingPayout: 'Reward in dispute',
  stakedAmount: 'Stake',
  claimFee: 'Claim fee',
  totalClaimLock: 'Bond: stake and fee',
  asset: null,
  release: ['Bond', group(RELEASE)],
  sessionStatus: 'State of the session',
  chainState: 'State of the job on chain',
  chainStatus: 'Decision on chain',
  txHash: 'Transaction',
  evidenceHash: 'Fingerprint of the evidence',
  reasoningHash: 'Fingerprint of the reasons',
  chainJobId: 'Job on chain',
  sessionId: 'Session',
  id: 'Dispute',
}

/** Facts of an entry in the timeline of a dispute. */
export const DISPUTE_FACT_WORDS: Wordings<(typeof SHARED_DISPUTE_FACTS)[number]> = {
  verdict: ['Decision', oneOf(VERDICTS)],
  workerPayout: 'Paid to the worker',
  reasonCode: 'Reason',
  origin: 'Opened by',
  openedAt: 'Opened',
  deadline: 'Decision due',
  txHash: 'Transaction',
  evidenceHash: 'Fingerprint of the evidence',
  reasoningHash: 'Fingerprint of the reasons',
}

const SCOPES: Readonly<Record<Policy['scope'], string>> = {
  claim: 'Claims',
  settle: 'Settlements',
  'co-sign': 'Signatures of receipts',
}

const SEVERITIES: Readonly<Record<Policy['severity'], string>> = {
  gating: 'The step waits',
  hard_stop: 'The step is refused',
  advisory: 'Nothing; it is advice',
}

const gateList = (value: unknown): string => (Array.isArray(value) && value.length > 0 ? value.map(codeWords).join(', ') : 'Nothing')

/** A policy. Its history is a table of its own. */
export const POLICY_WORDS: Wordings<keyof Policy> = {
  rule: 'Rule',
  state: 'State',
  scope: ['Applies to', oneOf(SCOPES)],
  severity: ['What a breach stops', oneOf(SEVERITIES)],
  gates: ['Held back until it is met', gateList],
  handler: 'Applied by',
  revision: 'Revision',
  activeSince: 'In force since',
  lastChange: 'Last change',
  history: null,
  tag: 'Name',
  id: 'Id',
}
