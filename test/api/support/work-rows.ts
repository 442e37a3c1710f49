// Rows of finished and unfinished work, as the claim process would have left them.
import type { Insertable } from 'kysely'
import type { Database } from '../../../activities/database/database.ts'
import { insertReceipt } from '../../../activities/receipts/records.ts'
import type { Hex } from '../../../domain/common/hashes.ts'
import { chainJobId, sessionId } from '../../../domain/common/ids.ts'
import { badgeUrl, buildBadge } from '../../../domain/reputation/badge.ts'
import { verdictItem } from '../../../domain/sessions/verdict-items.ts'
import type { JobDefinition } from '../../../schemas/catalogue/job-definition.ts'
import type { Tables } from '../../../schemas/entities/tables.ts'
import type { Payout } from '../../../schemas/sessions/record.ts'
import { badgeFacts } from '../../domain/builders/badge.ts'
import { aSession } from '../../domain/builders/session.ts'
import { receiptRowOf } from '../../support/records/receipt-rows.ts'
import { BASE_URL, NOW } from './account-world.ts'

export const HASH = (digit: string): Hex => `0x${digit.repeat(64)}`

const job = (id: string, at: number): Insertable<Tables['job']> => ({
  id,
  definition: {} as JobDefinition,
  specHash: HASH('1'),
  chainJobId: chainJobId(id),
  category: 'docs',
  tier: 'starter',
  verifierMode: 'deterministic',
  sourceGroup: 'docs',
  lane: 'starter',
  rewardAsset: 'USDC',
  rewardRaw: 2_000_000n,
  waiverEligible: false,
  verdictNeeds: ['handler:deterministic', 'verifier_key'],
  lifecycleStatus: 'open',
  listedAt: at,
  createdAt: at,
  updatedAt: at,
  postingRoute: 'curated',
  version: 1,
})

export type SessionRow = Insertable<Tables['session']>

/** A claim of two USDC on a job that is listed already; changes say how it went on. */
export const addSessionOf = async (
  database: Database,
  wallet: string,
  jobId: string,
  claimedAt: number,
  changes: Partial<SessionRow> = {},
): Promise<string> => {
  const id = sessionId(jobId, wallet)
  await database.transaction(async (rows) => {
    const isSettled = changes.status === 'resolved' || changes.rejectionFinalizedAt != null || changes.disputeResolution != null
    const receipt = isSettled ? await receiptRowOf(rows, { sessionId: id, jobId, worker: wallet, at: claimedAt }) : null
    const row = sessionRowOf(id, wallet, jobId, claimedAt)
    await rows
      .insertInto('session')
      .values({ ...row, workReceiptId: receipt?.receiptId ?? null, ...changes })
      .execute()
    if (receipt !== null) await insertReceipt(rows, receipt)
  })
  return id
}

const sessionRowOf = (id: string, wallet: string, jobId: string, claimedAt: number): SessionRow => ({
  sessionId: id,
  jobId,
  wallet,
  attempt: 1,
  chainJobId: chainJobId(jobId),
  runId: `run ${jobId}`,
  idempotencyKey: jobId,
  protocolHistory: ['http'],
  version: 1,
  status: 'claimed',
  chainState: 'claimed',
  claimedAt,
  claimExpiresAt: claimedAt + 3_600_000,
  updatedAt: claimedAt,
  rewardAsset: 'USDC',
  rewardRaw: 2_000_000n,
  claimStakeRaw: 200_000n,
  claimStakeBps: 1_000,
  claimFeeRaw: 50_000n,
  claimFeeBps: 200,
  claimNumber: 1,
  waived: false,
  brokered: true,
  exposureRaw: 2_059_000n,
  countsAsAttempt: true,
  claimTxHash: HASH('a'),
  claimBlock: 7n,
  evidence: { claimFeeRetainedOnSuccess: false, gasRetainedRaw: '50000' },
  jobSnapshot: {},
})

/** A claim of two USDC, bond 200000 + 50000 raw, mined in block 7; changes say how it went on. */
export const addSession = async (
  database: Database,
  wallet: string,
  jobId: string,
  claimedAt: number,
  changes: Partial<SessionRow> = {},
): Promise<string> => {
  await database.rows.insertInto('job').values(job(jobId, claimedAt)).execute()
  return addSessionOf(database, wallet, jobId, claimedAt, changes)
}

/** A verifier's verdict of the instant of the claim. */
export const addVerdict = async (
  { rows }: Database,
  sessionId: string,
  { outcome, reasonCode }: { outcome: string; reasonCode: string },
): Promise<void> => {
  const { jobId, claimedAt } = await rows
    .selectFrom('session')
    .select(['jobId', 'claimedAt'])
    .where('sessionId', '=', sessionId)
    .executeTakeFirstOrThrow()
  const kind = {
    handler: 'deterministic',
    handlerVersion: 1,
    score: 0,
    verdict: { outcome, reasonCode, items: [verdictItem('answer_expected', outcome === 'approved', '/verificationInput')] },
  }
  await rows
    .insertInto('verification')
    .values({ id: `${sessionId}/1`, sessionId, jobId, seq: 1, outcome, reasonCode, ...kind, decidedAt: claimedAt })
    .execute()
}

/** Payout receipt of a session: what the worker got, and 50000 raw of protocol fee. */
export const payoutTx = (workerAmountRaw: string) => ({
  txHash: HASH('b'),
  blockNumber: '9',
  status: 1 as const,
  settlement: { workerAmountRaw, protocolFeeAmountRaw: '50000' } as Payout['settlement'],
})

/** The changes of an approved session. */
export const approvedAt = (at: number, workerAmountRaw = '1950000'): Partial<SessionRow> => ({
  status: 'resolved',
  chainState: 'closed',
  resolvedAt: at,
  updatedAt: at,
  payoutTx: payoutTx(workerAmountRaw),
})

export const addBadge = async ({ rows }: Database, worker: string, jobId: string, issuedAt: number): Promise<string> => {
  const id = sessionId(jobId, worker)
  const place = { jobId, chainJobId: chainJobId(jobId), sessionId: id, category: 'docs', evidenceHash: HASH('e') } as const
  const times = { listedAt: issuedAt, submittedAt: issuedAt, resolvedAt: issuedAt }
  const document = buildBadge(badgeFacts({ ...place, ...times, worker, poster: null, verifier: null, publicBaseUrl: BASE_URL }))
  await rows
    .insertInto('badge')
    .values({ ...place, worker, level: 1, issuedAt, document: { ...document } })
    .execute()
  return badgeUrl(BASE_URL, id)
}

/** A claim under way: its bond is being locked. */
export const addIntent = async ({ rows }: Database, wallet: string, jobId: string): Promise<void> => {
  const { jobSnapshot: snapshot, admission } = aSession()
  const pinned = { snapshot, admission, waived: false, waiverClaimsPerWallet: 3, openPrCap: null }
  const terms = { terms: pinned, exposureRaw: 0n, subsidyRaw: 0n, bondRaw: 0n, unwaivedBondRaw: 0n, claimCount: 0 }
  const stage = { attempt: 1, status: 'open', stage: 'locking_bond', failureCode: null, closedAt: null } as const
  await rows
    .insertInto('claim_intent')
    .values({
      ...terms,
      ...stage,
      jobId,
      wallet,
      runId: `run ${jobId}`,
      sessionId: sessionId(jobId, wallet),
      idempotencyKey: jobId,
      requestId: null,
      createdAt: NOW,
    })
    .execute()
}
