import { chainJobId, sessionId } from '../../../domain/common/ids.ts'
import type { SessionRecord, SessionTimestamps } from '../../../schemas/sessions/record.ts'

export const CLAIMED_AT = Date.parse('2026-03-01T12:00:00.000Z')
export const EXPIRES_AT = CLAIMED_AT + 7_200_000
export const WORKER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

const TIMESTAMPS: SessionTimestamps = {
  ...{ claimedAt: CLAIMED_AT, submittedAt: null, resolvedAt: null, rejectedAt: null, disputedAt: null, closedAt: null },
  ...{ expiredAt: null, timedOutAt: null, chainStateDivergedAt: null, rejectionFinalizedAt: null },
}

type Changes = Partial<Omit<SessionRecord, 'timestamps'>> & { timestamps?: Partial<SessionTimestamps> }

/** A session claimed for two USDC; changes say what is different. */
export const aSession = ({ timestamps, ...changes }: Changes = {}): SessionRecord => ({
  sessionId: sessionId('job-1', WORKER),
  wallet: WORKER,
  jobId: 'job-1',
  chainJobId: chainJobId('job-1'),
  attempt: 1,
  runId: 'run-1',
  exposureRaw: 2_050_000n,
  countsAsAttempt: true,
  poster: null,
  claimTxHash: null,
  claimBlock: null,
  submitTxHash: null,
  verificationId: null,
  idempotencyKey: 'key-1',
  protocolHistory: ['http'],
  version: 1,
  external: false,
  verifierMode: 'codehost_pr',
  status: 'claimed',
  chainState: 'claimed',
  statusHistory: [{ from: null, to: 'claimed', reason: 'job_claimed', at: CLAIMED_AT, metadata: { protocol: 'http' } }],
  timestamps: { ...TIMESTAMPS, ...timestamps },
  updatedAt: CLAIMED_AT,
  economics: {
    asset: { symbol: 'USDC', decimals: 6 },
    ...{ rewardRaw: 2_000_000n, claimStakeRaw: 200_000n, claimStakeBps: 1000, claimFeeRaw: 50_000n, claimFeeBps: 200 },
    ...{ claimNumber: 4, waived: false, brokered: true, claimFeeRetainedOnSuccess: false },
    ...{ gasRetentionSupported: true, gasRetainedRaw: 50_000n },
  },
  admission: {
    ...{ workerExposure: { applies: true }, dailyExposure: null, dailyAllowance: null, catalogueAccess: null, tierGate: null },
    ...{ catalogueDailyBudget: null, onboardingSubsidy: null, claimantAttribution: null, priorityQualification: null },
  },
  jobSnapshot: {
    version: 'job-snapshot-v1',
    capturedAt: new Date(CLAIMED_AT).toISOString(),
    jobId: 'job-1',
    definition: {},
    definitionHash: `0x${'1'.repeat(64)}`,
    specDefinition: {},
    specHash: `0x${'2'.repeat(64)}`,
    outputSchema: { ref: 'schema://jobs/coding-output', schema: {}, schemaHash: `0x${'3'.repeat(64)}` },
    verifierConfigSnapshot: {},
    verifierConfigHash: `0x${'4'.repeat(64)}`,
    verifierPolicyVersion: 1,
    verifierConfigVersion: 1,
    handlerVersion: 1,
    chainId: 31_337,
    escrowAddress: `0x${'5'.repeat(40)}`,
    claimEconomics: {},
    specSource: 'chain_verified',
  },
  badgeSnapshot: {
    category: 'coding',
    tier: 'starter',
    rewardAsset: 'USDC',
    rewardAmount: '2',
    rewardAmountRaw: '2000000',
    verifierMode: 'deterministic',
  },
  claimTtlSeconds: 7200,
  reviewEndsAt: null,
  claimExpiresAt: EXPIRES_AT,
  submission: null,
  evidenceHash: null,
  submitFailedAt: null,
  verificationSummary: null,
  payoutTx: null,
  disputeResolution: null,
  chainStateDivergence: null,
  humanReview: null,
  operatorOverturn: null,
  workReceiptId: null,
  claimReconciliation: null,
  operatorClose: null,
  ...changes,
})
