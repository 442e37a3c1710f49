import { iso } from '../../domain/common/instants.ts'
import { assetAmount } from '../../domain/common/money.ts'
import { captureBadgeFields } from '../../domain/sessions/snapshot.ts'
import { isTerminal } from '../../domain/sessions/state-machine.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { AdmittedClaim, ClaimInput, ClaimRecordActivities, LockedBond, RecordedClaim } from '../../schemas/claims/process.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { SessionEvidence } from '../../schemas/sessions/record.ts'
import { findJob, touchCatalogue } from '../catalogue/jobs.ts'
import type { Rows } from '../database/database.ts'
import { emit, sessionSubject } from '../events/outbox.ts'
import { appendEvent, getSession, withMove } from '../sessions/records.ts'
import type { ClaimParts } from './claim-job.ts'
import { divergence } from './divergence.ts'
import { type Intent, lockIntent } from './intents.ts'
import { admissionOfMined, deleteSubmissionOffers } from './self-paid/offers.ts'
import type { ClaimStepDeps } from './step.ts'

type Steps = Pick<ClaimParts, 'recordClaim'> & Pick<ClaimRecordActivities, 'recordExpiry'>

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
    admission: claim.adopted
      ? await admissionOfMined(rows, claim, Date.parse(bond.claimedAt), intent.terms.admission)
      : intent.terms.admission,
    badgeSnapshot: captureBadgeFields(job, decimals),
    submitFailedAt: null,
    ...(claim.responsiblePerson && { responsiblePerson: claim.responsiblePerson }),
  }
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
      exposureRaw: intent.exposureRaw,
      countsAsAttempt: true,
      poster: bond.poster,
      claimTxHash: bond.txHash,
      claimBlock: BigInt(bond.blockNumber),
      evidence: { ...(await evidenceOf(rows, claim, intent, bond, chain.asset.decimals)) },
      jobSnapshot: { ...snapshot },
    })
    .execute()
}

const announceClaim = async (
  rows: Rows,
  claim: ClaimInput,
  admitted: AdmittedClaim,
  bond: LockedBond,
  { chain: { asset }, recordedAt }: { chain: ChainFile; recordedAt: number },
): Promise<void> => {
  const at = Date.parse(bond.claimedAt)
  const common = {
    ...sessionSubject(admitted),
    at,
    recordedAt,
    blockNumber: BigInt(bond.blockNumber),
    txHash: bond.txHash,
  }
  const sum = (...digits: string[]) =>
    assetAmount(
      digits.reduce((total, raw) => total + BigInt(raw), 0n),
      asset,
    )
  await emit(
    rows,
    { ...common, topic: 'session.claimed', data: { status: 'claimed', phase: 'work', protocolHistory: [claim.protocol] } },
    {
      ...common,
      topic: 'funding.claim_lock_recorded',
      data: {
        claimStake: sum(bond.stakeRaw),
        claimFee: sum(bond.feeRaw),
        totalClaimLock: sum(bond.stakeRaw, bond.feeRaw),
        claimEconomicsWaived: bond.waived,
        source: 'chain_escrow',
      },
    },
  )
}

/** Differences between the economics that the admission pinned and those that were charged. The session stores the charged ones. */
const predictionMismatch = ({ terms }: Intent, bond: LockedBond): { claimEconomicsPredictionMismatch?: Record<string, unknown> } => {
  const { claimStakeRaw, claimFeeRaw, claimEconomicsWaived, claimNumber } = terms.snapshot.claimEconomics
  const pairs = {
    stakeRaw: [claimStakeRaw, bond.stakeRaw],
    feeRaw: [claimFeeRaw, bond.feeRaw],
    waived: [claimEconomicsWaived, bond.waived],
    claimNumber: [claimNumber, bond.claimNumber],
  }
  const differing = Object.entries(pairs).filter(([, [predicted, charged]]) => predicted !== charged)
  if (differing.length === 0) return {}
  return {
    claimEconomicsPredictionMismatch: Object.fromEntries(differing.map(([name, [predicted, charged]]) => [name, { predicted, charged }])),
  }
}

/** How an expired claim is recorded, by its state on chain. */
const ENDS = {
  expired: { to: 'expired', reason: 'claim_ttl_expired', topic: 'session.expired' },
  removed: { to: 'expired', reason: 'claim_removed_by_fork', topic: 'session.expired' },
  chain_closed: { to: 'closed', reason: 'chain_close_observed', topic: 'session.closed' },
  diverged: { to: 'chain_state_diverged', reason: 'chain_state_diverged', topic: 'verifier.chain_state_diverged' },
} as const

/** The claim's last second counts in full, as the chain compares. */
export const createRecordedClaim = (sessionId: string, claimedAt: number, claimExpiresAt: number, now: number): RecordedClaim => ({
  sessionId,
  claimedAt: iso(claimedAt),
  claimExpiresAt: iso(claimExpiresAt),
  lapsesInMs: Math.max(0, claimExpiresAt + 1_000 - now),
})

/** Records claims and their expiry. Each step is one transaction and safe to repeat. */
export const createClaimRecords = ({ database, chain, clock }: Pick<ClaimStepDeps, 'database' | 'chain' | 'clock'>): Steps => {
  return {
    recordClaim: ({ claim, admitted, bond }): Promise<RecordedClaim> =>
      database.transaction(async (rows) => {
        const recorded = await rows
          .selectFrom('session')
          .select(['claimedAt', 'claimExpiresAt'])
          .where('runId', '=', admitted.runId)
          .executeTakeFirst()
        if (recorded !== undefined) return createRecordedClaim(admitted.sessionId, recorded.claimedAt, recorded.claimExpiresAt, clock.now())
        const intent = await lockIntent(rows, admitted.runId)
        if (intent.status === 'released') throw new Error(`the intent of ${admitted.runId} was released: another run holds the job now`)
        await insertSession(rows, claim, admitted, bond, intent, chain)
        // Of claims at once the contract waives the first ones only; another keeps nothing of the day's subsidy.
        if (!bond.waived) await rows.deleteFrom('subsidy_reservation').where('runId', '=', admitted.runId).execute()
        const at = Date.parse(bond.claimedAt)
        await appendEvent(rows, null, {
          sessionId: admitted.sessionId,
          to: 'claimed',
          reason: 'job_claimed',
          at,
          recordedAt: clock.now(),
          metadata: { protocol: claim.protocol, idempotencyKey: claim.idempotencyKey, ...predictionMismatch(intent, bond) },
        })
        await rows
          .updateTable('claim_intent')
          .set({ status: 'recorded', closedAt: clock.now() })
          .where('runId', '=', admitted.runId)
          .execute()
        await announceClaim(rows, claim, admitted, bond, { chain, recordedAt: clock.now() })
        await touchCatalogue(rows)
        return createRecordedClaim(admitted.sessionId, at, Date.parse(bond.claimExpiresAt), clock.now())
      }),

    recordExpiry: async ({ sessionId, expiry }) => {
      const session = await getSession(database.rows, sessionId)
      // The session ended another way meanwhile. That status stays, and an operator closes what is left.
      if (isTerminal(session.status)) return { sessionId, status: session.status }
      const { result, ...observed } = expiry
      const { to, reason, topic } = ENDS[result]
      const now = clock.now()
      const { claimTxHash, claimTtlSeconds } = session
      const isRemoved = result === 'removed'
      const metadata = {
        claimExpiresAt: iso(session.claimExpiresAt),
        claimTtlSeconds,
        ...observed,
        ...(isRemoved && { removedTxHash: claimTxHash }),
      }
      const patch = {
        chainState: observed.observedState,
        claimReconciliation: { reconciledAt: iso(now), ...observed },
        // The claim may be mined again, and is another session then.
        ...(isRemoved && { claimTxHash: null, claimBlock: null }),
        ...(to === 'chain_state_diverged' && divergence('claimed', observed.observedState, now)),
      }
      const at = result === 'expired' ? session.claimExpiresAt : now
      await withMove(database, { sessionId, to, reason, at, metadata, patch }, async (rows) => {
        await deleteSubmissionOffers(rows, sessionId)
        await emit(rows, { topic, ...sessionSubject(session), at: now, data: { status: to, ...observed } })
      })
      return { sessionId, status: to }
    },
  }
}
