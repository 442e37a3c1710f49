import { iso } from '../../domain/instants.ts'
import { checkPinnedSubmission } from '../../domain/pinned-submission.ts'
import { captureBadgeFields } from '../../domain/snapshot.ts'
import { submissionRefusal } from '../../domain/submission-refusal.ts'
import type { ChainFile } from '../../schemas/chain-file.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { AdmittedClaim, ClaimedSession, ClaimInput, ClaimRecordActivities, LockedBond } from '../../schemas/processes/claim-session.ts'
import type { SessionSubmission } from '../../schemas/session-record.ts'
import type { Clock } from '../clock.ts'
import { findJob, touchCatalogue } from './catalogue.ts'
import type { Database, Rows } from './database.ts'
import { emit } from './events.ts'
import { type Intent, needIntent } from './intents.ts'
import { appendFirstEvent, findSession, moveSession, needSession, type SessionEvidence } from './sessions.ts'

export interface ClaimRecordDeps {
  database: Database
  chain: ChainFile
  clock: Clock
}

type Steps = Pick<ClaimRecordActivities, 'recordClaim' | 'admitSubmission' | 'recordSubmission' | 'dropSubmission' | 'recordExpiry'>

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

/** Database steps of a claim: each one transaction, each safe to repeat. */
export const createClaimRecords = ({ database, chain, clock }: ClaimRecordDeps): Steps => ({
  recordClaim: ({ claim, admitted, bond }): Promise<ClaimedSession> =>
    database.transaction(async (rows) => {
      const recorded = await rows.selectFrom('session').select('claimExpiresAt').where('runId', '=', admitted.runId).executeTakeFirst()
      if (recorded !== undefined) return { sessionId: admitted.sessionId, claimExpiresAt: iso(recorded.claimExpiresAt) }
      const intent = await needIntent(rows, admitted.runId)
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
      return { sessionId: admitted.sessionId, claimExpiresAt: bond.claimExpiresAt }
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

  recordSubmission: ({ sessionId, txHash, submittedAt, protocol }) =>
    database.transaction(async (rows) => {
      const session = await needSession(rows, sessionId)
      const protocolHistory = [...new Set([...session.protocolHistory, protocol])]
      const moved = await moveSession(rows, {
        sessionId,
        to: 'submitted',
        reason: 'work_submitted',
        at: Date.parse(submittedAt),
        metadata: { protocol, submissionKind: session.submission?.kind ?? null, schemaRef: session.jobSnapshot.outputSchema.ref },
        patch: { chainState: 'submitted', submitTxHash: txHash, protocolHistory },
      })
      if (moved) {
        await emit(rows, {
          topic: 'session.submitted',
          wallets: [session.wallet],
          jobId: session.jobId,
          sessionId,
          txHash,
          at: Date.parse(submittedAt),
          data: {
            status: 'submitted',
            phase: 'verification',
            protocolHistory,
            submissionKind: session.submission?.kind ?? null,
            schemaRef: session.jobSnapshot.outputSchema.ref,
          },
        })
      }
      return { sessionId, status: 'submitted' }
    }),

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

  recordExpiry: ({ sessionId, expiry }) =>
    database.transaction(async (rows) => {
      const session = await findSession(rows, sessionId)
      if (session === null) throw new ServiceError('session_not_found', { details: { sessionId } })
      const { result, ...observed } = expiry
      const to = result === 'expired' ? 'expired' : result === 'chain_closed' ? 'closed' : 'chain_state_diverged'
      const reason = to === 'expired' ? 'claim_ttl_expired' : to === 'closed' ? 'chain_close_observed' : 'chain_state_diverged'
      const reconciliation = { reconciledAt: iso(clock.now()), ...observed }
      const moved = await moveSession(rows, {
        sessionId,
        to,
        reason,
        at: to === 'expired' ? session.claimExpiresAt : clock.now(),
        metadata: { claimExpiresAt: iso(session.claimExpiresAt), claimTtlSeconds: session.claimTtlSeconds, ...observed },
        patch: {
          chainState: observed.observedState,
          claimReconciliation: reconciliation,
          ...(to === 'chain_state_diverged' && {
            chainStateDivergence: { expected: 'claimed', observed: observed.observedState, at: iso(clock.now()) },
          }),
        },
      })
      if (moved) {
        const topic = to === 'expired' ? 'session.expired' : to === 'closed' ? 'session.closed' : 'verifier.chain_state_diverged'
        await emit(rows, {
          topic,
          wallets: [session.wallet],
          jobId: session.jobId,
          sessionId,
          at: clock.now(),
          data: { status: to, ...observed },
        })
      }
      return { sessionId, status: to }
    }),
})

const stored = (submission: SessionSubmission, normalizedFrom: string | undefined): Record<string, unknown> => ({
  ...submission,
  ...(normalizedFrom && { normalizedFrom }),
})
