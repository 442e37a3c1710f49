import { iso } from '../../domain/instants.ts'
import { checkPinnedSubmission } from '../../domain/pinned-submission.ts'
import { captureBadgeFields } from '../../domain/snapshot.ts'
import { submissionRefusal } from '../../domain/submission-refusal.ts'
import type { ChainFile } from '../../schemas/chain-file.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { AdmittedClaim, ClaimInput, ClaimRecordActivities, LockedBond, RecordedClaim } from '../../schemas/processes/claim-session.ts'
import type { SessionSubmission } from '../../schemas/session-record.ts'
import type { Clock } from '../clock.ts'
import { findJob, touchCatalogue } from './catalogue.ts'
import type { Database, Rows } from './database.ts'
import { emit } from './events.ts'
import { type Intent, needIntent } from './intents.ts'
import { appendFirstEvent, needSession, type SessionEvidence, withMove } from './sessions.ts'

export interface ClaimRecordDeps {
  database: Database
  chain: ChainFile
  clock: Clock
}

type Steps = Pick<
  ClaimRecordActivities,
  'recordClaim' | 'admitSubmission' | 'recordSubmission' | 'dropSubmission' | 'recordExpiry' | 'recordLateSubmission'
>

const evidenceOf = async (rows: Rows, claim: ClaimInput, intent: Intent, bond: LockedBond, decimals: number): Promise<SessionEvidence> => {
  const job = await findJob(rows, claim.jobId)
  if (job === null) throw new ServiceError('job_not_found', { details: { jobId: claim.jobId } })
  const retainedRaw = bond.brokered && !bond.waived ? claim.economics.retainedRaw : '0'
  return {
    external: job.postingRoute === 'external-direct',
    verifierMode: job.definition.verifierMode,
    claimTtlSeconds: job.definition.claimTtlSeconds,
    assetDecimals: decimals,
    claimFeeRetainedOnSuccess: claim.economics.claimFeeRetainedOnSuccess,
    gasRetentionSupported: claim.economics.gasRetentionSupported,
    gasRetainedRaw: retainedRaw,
    admission: intent.terms.admission,
    badgeSnapshot: captureBadgeFields(job, decimals),
    outputSchemaBuiltin: null,
    outputSchemaRegistered: null,
    submitFailedAt: null,
    progression: null,
  }
}

/** Columns of everything that comes after a claim. */
const NOT_REACHED = {
  submittedAt: null,
  resolvedAt: null,
  rejectedAt: null,
  disputedAt: null,
  closedAt: null,
  expiredAt: null,
  timedOutAt: null,
  chainStateDivergedAt: null,
  rejectionFinalizedAt: null,
  submission: null,
  evidenceHash: null,
  submitTxHash: null,
  verificationSummary: null,
  verificationId: null,
  payoutTx: null,
  claimReconciliation: null,
  chainStateDivergence: null,
}

const insertSession = async (
  rows: Rows,
  claim: ClaimInput,
  admitted: AdmittedClaim,
  bond: LockedBond,
  intent: Intent,
  chain: ChainFile,
): Promise<void> => {
  const claimedAt = Date.parse(bond.claimedAt)
  const snapshot = intent.terms.snapshot
  const rewardRaw = BigInt(String(snapshot.specDefinition.rewardAmountRaw))
  const row = await rows.selectFrom('claim_intent').select('exposureRaw').where('runId', '=', admitted.runId).executeTakeFirstOrThrow()
  await rows
    .insertInto('session')
    .values({
      sessionId: admitted.sessionId,
      jobId: admitted.jobId,
      wallet: admitted.wallet,
      attempt: intent.attempt,
      chainJobId: admitted.chainJobId,
      runId: admitted.runId,
      idempotencyKey: claim.idempotencyKey,
      protocolHistory: [claim.protocol],
      version: 1,
      status: 'claimed',
      chainState: 'claimed',
      claimedAt,
      claimExpiresAt: Date.parse(bond.claimExpiresAt),
      updatedAt: claimedAt,
      rewardAsset: chain.asset.symbol,
      rewardRaw,
      claimStakeRaw: BigInt(bond.stakeRaw),
      claimStakeBps: bond.waived ? 0 : claim.economics.stakeBps,
      claimFeeRaw: BigInt(bond.feeRaw),
      claimFeeBps: bond.waived ? 0 : claim.economics.feeBps,
      claimNumber: bond.claimNumber,
      waived: bond.waived,
      brokered: bond.brokered,
      exposureRaw: row.exposureRaw,
      countsAsAttempt: true,
      poster: bond.poster,
      claimTxHash: bond.txHash,
      claimBlock: BigInt(bond.blockNumber),
      evidence: { ...(await evidenceOf(rows, claim, intent, bond, chain.asset.decimals)) },
      jobSnapshot: { ...snapshot },
      ...NOT_REACHED,
    })
    .execute()
}

const announceClaim = async (rows: Rows, claim: ClaimInput, admitted: AdmittedClaim, bond: LockedBond, asset: string): Promise<void> => {
  const at = Date.parse(bond.claimedAt)
  const common = {
    wallets: [claim.wallet],
    jobId: admitted.jobId,
    sessionId: admitted.sessionId,
    at,
    blockNumber: BigInt(bond.blockNumber),
    txHash: bond.txHash,
  }
  const lockRaw = (BigInt(bond.stakeRaw) + BigInt(bond.feeRaw)).toString()
  await emit(
    rows,
    { ...common, topic: 'session.claimed', data: { status: 'claimed', phase: 'work', protocolHistory: [claim.protocol] } },
    {
      ...common,
      topic: 'funding.claim_lock_recorded',
      data: {
        asset,
        amount: lockRaw,
        claimStake: bond.stakeRaw,
        claimFee: bond.feeRaw,
        totalClaimLock: lockRaw,
        claimEconomicsWaived: bond.waived,
        source: 'chain_escrow',
      },
    },
  )
}

/** Where the chain charged something else than the evaluation foretold; the chain's numbers are the ones stored. */
const predictionMismatch = (
  { economics }: ClaimInput,
  bond: LockedBond,
): { claimEconomicsPredictionMismatch?: Record<string, unknown> } => {
  const pairs = {
    stakeRaw: [economics.stakeRaw, bond.stakeRaw],
    feeRaw: [economics.feeRaw, bond.feeRaw],
    waived: [economics.waived, bond.waived],
    claimNumber: [economics.claimNumber, bond.claimNumber],
  }
  const differing = Object.entries(pairs).filter(([, [predicted, charged]]) => predicted !== charged)
  if (differing.length === 0) return {}
  return {
    claimEconomicsPredictionMismatch: Object.fromEntries(differing.map(([name, [predicted, charged]]) => [name, { predicted, charged }])),
  }
}

/** How a lapsed claim is recorded, by what the chain showed. */
const ENDS = {
  expired: { to: 'expired', reason: 'claim_ttl_expired', topic: 'session.expired' },
  chain_closed: { to: 'closed', reason: 'chain_close_observed', topic: 'session.closed' },
  diverged: { to: 'chain_state_diverged', reason: 'chain_state_diverged', topic: 'verifier.chain_state_diverged' },
} as const

const divergence = (expected: string, observed: string, at: number) => ({ chainStateDivergence: { expected, observed, at: iso(at) } })

/** The claim's last second counts in full, as the chain compares. */
const recordedClaim = (sessionId: string, claimExpiresAt: number, now: number): RecordedClaim => ({
  sessionId,
  claimExpiresAt: iso(claimExpiresAt),
  lapsesInMs: Math.max(0, claimExpiresAt + 1_000 - now),
})

/** Database steps of a claim: each one transaction, each safe to repeat. */
export const createClaimRecords = ({ database, chain, clock }: ClaimRecordDeps): Steps => ({
  recordClaim: ({ claim, admitted, bond }): Promise<RecordedClaim> =>
    database.transaction(async (rows) => {
      const recorded = await rows.selectFrom('session').select('claimExpiresAt').where('runId', '=', admitted.runId).executeTakeFirst()
      if (recorded !== undefined) return recordedClaim(admitted.sessionId, recorded.claimExpiresAt, clock.now())
      const intent = await needIntent(rows, admitted.runId)
      if (intent.status === 'released') throw new Error(`the intent of ${admitted.runId} was released: another run holds the job now`)
      await insertSession(rows, claim, admitted, bond, intent, chain)
      const at = Date.parse(bond.claimedAt)
      await appendFirstEvent(rows, {
        sessionId: admitted.sessionId,
        to: 'claimed',
        reason: 'job_claimed',
        at,
        metadata: { protocol: claim.protocol, idempotencyKey: claim.idempotencyKey, ...predictionMismatch(claim, bond) },
      })
      await rows
        .updateTable('claim_intent')
        .set({ status: 'recorded', closedAt: clock.now() })
        .where('runId', '=', admitted.runId)
        .execute()
      await announceClaim(rows, claim, admitted, bond, chain.asset.symbol)
      await touchCatalogue(rows)
      return recordedClaim(admitted.sessionId, Date.parse(bond.claimExpiresAt), clock.now())
    }),

  admitSubmission: ({ sessionId, submission }) =>
    database.transaction(async (rows) => {
      await rows.selectFrom('session').select('sessionId').where('sessionId', '=', sessionId).forUpdate().execute()
      const session = await needSession(rows, sessionId)
      const accepted = checkPinnedSubmission(session, submission)
      const refusal = submissionRefusal(session, accepted.evidenceHash, clock.now())
      if (refusal !== null) throw refusal
      if (session.status !== 'claimed') return { alreadySubmitted: true, status: session.status }
      const evidence = { outputSchemaBuiltin: true, outputSchemaRegistered: true }
      const row = await rows.selectFrom('session').select('evidence').where('sessionId', '=', sessionId).executeTakeFirstOrThrow()
      await rows
        .updateTable('session')
        .set({
          submission: stored(accepted.submission, accepted.normalizedFrom),
          evidenceHash: accepted.evidenceHash,
          evidence: { ...row.evidence, ...evidence },
          version: session.version + 1,
        })
        .where('sessionId', '=', sessionId)
        .execute()
      return { alreadySubmitted: false, status: session.status }
    }),

  recordSubmission: async ({ sessionId, txHash, submittedAt, protocol }) => {
    const session = await needSession(database.rows, sessionId)
    const protocolHistory = [...new Set([...session.protocolHistory, protocol])]
    const at = Date.parse(submittedAt)
    const work = { submissionKind: session.submission?.kind ?? null, schemaRef: session.jobSnapshot.outputSchema.ref }
    const patch = { chainState: 'submitted', submitTxHash: txHash, protocolHistory }
    await withMove(database, { sessionId, to: 'submitted', reason: 'work_submitted', at, metadata: { protocol, ...work }, patch }, (rows) =>
      emit(rows, {
        topic: 'session.submitted',
        wallets: [session.wallet],
        jobId: session.jobId,
        sessionId,
        txHash,
        at,
        data: { status: 'submitted', phase: 'verification', protocolHistory, ...work },
      }),
    )
    return { sessionId, status: 'submitted' }
  },

  /** The chain refused the submission: the session is claimed as before, and nothing was counted. */
  dropSubmission: ({ sessionId }) =>
    database.transaction(async (rows) => {
      const row = await rows
        .selectFrom('session')
        .select(['evidence', 'version'])
        .where('sessionId', '=', sessionId)
        .where('status', '=', 'claimed')
        .forUpdate()
        .executeTakeFirst()
      if (row === undefined) return
      await rows
        .updateTable('session')
        .set({ submission: null, evidenceHash: null, evidence: { ...row.evidence, submitFailedAt: clock.now() }, version: row.version + 1 })
        .where('sessionId', '=', sessionId)
        .execute()
    }),

  recordExpiry: async ({ sessionId, expiry }) => {
    const session = await needSession(database.rows, sessionId)
    const { result, ...observed } = expiry
    const { to, reason, topic } = ENDS[result]
    const now = clock.now()
    const metadata = { claimExpiresAt: iso(session.claimExpiresAt), claimTtlSeconds: session.claimTtlSeconds, ...observed }
    const patch = {
      chainState: observed.observedState,
      claimReconciliation: { reconciledAt: iso(now), ...observed },
      ...(to === 'chain_state_diverged' && divergence('claimed', observed.observedState, now)),
    }
    await withMove(database, { sessionId, to, reason, at: to === 'expired' ? session.claimExpiresAt : now, metadata, patch }, (rows) =>
      emit(rows, { topic, wallets: [session.wallet], jobId: session.jobId, sessionId, at: now, data: { status: to, ...observed } }),
    )
    return { sessionId, status: to }
  },

  /**
   * A submission that was accepted in time never reached the chain before the claim lapsed there: the platform's fault. The
   * session ends as diverged, counts no attempt, and an operator closes it with the chain.
   */
  recordLateSubmission: async ({ sessionId }) => {
    const session = await needSession(database.rows, sessionId)
    const now = clock.now()
    const patch = { countsAsAttempt: false, ...divergence('submitted', session.chainState ?? 'claimed', now) }
    const metadata = { expected: 'submitted', observed: session.chainState, claimExpiresAt: iso(session.claimExpiresAt) }
    const move = { sessionId, to: 'chain_state_diverged', reason: 'chain_state_diverged', at: now, metadata, patch } as const
    await withMove(database, move, (rows) =>
      emit(rows, {
        topic: 'verifier.chain_state_diverged',
        wallets: [session.wallet],
        jobId: session.jobId,
        sessionId,
        at: now,
        data: { status: 'chain_state_diverged', ...metadata },
      }),
    )
    return { sessionId, status: 'chain_state_diverged' }
  },
})

const stored = (submission: SessionSubmission, normalizedFrom: string | undefined): Record<string, unknown> => ({
  ...submission,
  ...(normalizedFrom && { normalizedFrom }),
})
