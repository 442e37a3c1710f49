// Sessions in every state, as the processes leave them.
import type { Insertable } from 'kysely'
import type { Database } from '../../../activities/database/database.ts'
import { appendEvent } from '../../../activities/sessions/records.ts'
import { chainJobId, disputeId } from '../../../domain/common/ids.ts'
import type { Tables } from '../../../schemas/entities/tables.ts'
import { aDecision, aDispute } from '../../domain/builders/dispute.ts'
import { aSession } from '../../domain/builders/session.ts'
import { testChain } from '../../support/api.ts'
import { builtJob } from './listed-job.ts'
import { addSession, approvedAt, payoutTx, type SessionRow } from './work-rows.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const A = `0x${'a1'.repeat(20)}`

const { admission, badgeSnapshot } = aSession()
const evidenceOf = (verifierMode: string) => ({
  ...{ external: false, verifierMode, claimTtlSeconds: 3_600, assetDecimals: 6, claimFeeRetainedOnSuccess: false },
  ...{ gasRetentionSupported: true, gasRetainedRaw: '50000', admission, badgeSnapshot, submitFailedAt: null },
})
/** How a session is, with its dispute. */
export interface SessionCase {
  row: Partial<SessionRow>
  mode?: string
  dispute?: Partial<ReturnType<typeof aDispute>>
  decision?: Parameters<typeof aDecision>[0]
}
const HEX = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`
const ESCROW = { chainId: testChain.chainId, escrowAddress: `0x${'5'.repeat(40)}` }
const PREPARED = {
  preparationId: 'p',
  preparedAt: new Date(0).toISOString(),
  transaction: {
    to: ESCROW.escrowAddress,
    data: '0x00',
    value: '0',
    chainId: ESCROW.chainId,
    function: 'resolveDispute',
    args: [HEX('1'), '1'],
  },
}
/** What workers and operators wrote. */
export const TEXT = 'A text of its author.'
const SENT = {
  submission: { kind: 'structured', structured: { summary: TEXT }, evidenceText: TEXT },
  evidenceHash: HEX('e'),
} satisfies Partial<SessionRow>

const TWO = { asset: 'USDC', raw: '2000000', decimals: 6, display: '2' }
const READING = { observedState: 'open', observedWorker: null, blockNumber: '7', blockHash: HEX('b'), reward: TWO, released: TWO }
const ADDRESS = (digit: string) => `0x${digit.repeat(40)}` as const
const PAYOUT = {
  ...payoutTx('1950000'),
  settlement: {
    ...{ worker: A, treasuryAccount: ADDRESS('6'), asset: ADDRESS('a'), assetSymbol: 'USDC', decimals: 6 },
    ...{
      workerAmountRaw: '1950000',
      protocolFeeAmountRaw: '50000',
      gasRetentionAmountRaw: '50000',
      protocolFeeBps: 200,
      gasRetentionBps: 0,
    },
    ...{ workerAmount: '1.95', protocolFeeAmount: '0.05', rewardAmount: '2', rewardAmountRaw: '2000000', brokered: true, waived: false },
    ...{ posterTotalAmount: '2.05', posterTotalAmountRaw: '2050000', gasRetentionAmount: '0.05' },
  },
} as unknown as NonNullable<SessionRow['payoutTx']>

/** Every kind of session at an instant, by name. The names that begin with `stuck` are those of the view. */
export const sessionCases = (now: number): Record<string, SessionCase> => {
  const submitted = (ago: number, more: Partial<SessionRow> = {}): Partial<SessionRow> => ({
    ...SENT,
    ...{ status: 'submitted', chainState: 'submitted', submittedAt: now - ago, updatedAt: now - ago, ...more },
  })
  const rejected = (ago: number, more: Partial<SessionRow> = {}): Partial<SessionRow> => ({
    ...submitted(ago),
    ...{ status: 'rejected', chainState: 'rejected', rejectedAt: now - ago, ...more },
  })
  const DIVERGED = { expected: 'submitted', observed: 'open', at: new Date(now).toISOString() }
  const CLOSED = { outcome: 'closed', note: TEXT, ...READING, by: A, at: new Date(now).toISOString() } as unknown as NonNullable<
    SessionRow['operatorClose']
  >

  const disputed = (
    ago: number,
    dispute?: SessionCase['dispute'],
    decision?: SessionCase['decision'],
    chainState = 'submitted',
  ): SessionCase => ({
    row: { ...submitted(ago), status: 'disputed', chainState, disputedAt: now - ago },
    ...(dispute !== undefined && { dispute: { openedAt: now - ago, deadlineAt: now - ago + 14 * DAY, ...dispute } }),
    ...(decision !== undefined && { decision }),
  })

  return {
    claim: { row: { claimExpiresAt: now + 30 * MINUTE } },
    'claim-in-its-last-second': { row: { claimExpiresAt: now - 400 } },
    lapsed: { row: { claimExpiresAt: now - 10 * MINUTE } },
    'stuck-lapsed': { row: { claimExpiresAt: now - 31 * MINUTE } },
    sending: { row: { ...SENT, updatedAt: now - MINUTE } },
    'stuck-sending': { row: { ...SENT, updatedAt: now - 31 * MINUTE } },
    verdict: { row: submitted(29 * MINUTE) },
    'stuck-verdict': { row: submitted(31 * MINUTE) },
    'stuck-verdict-overdue': { row: submitted(5 * MINUTE, { reviewEndsAt: now - MINUTE }) },
    'pull-request': { row: submitted(2 * HOUR, { reviewEndsAt: now + DAY }), mode: 'codehost_pr' },
    'stuck-pull-request': { row: submitted(2 * DAY, { reviewEndsAt: now - 1_000 }), mode: 'codehost_pr' },
    review: disputed(3 * HOUR, { stage: 'review', origin: 'review' }),
    'review-decided': disputed(4 * HOUR, { stage: 'review', origin: 'review' }, { verdict: 'approved' }),
    'arbitration-of-participant': disputed(5 * HOUR, {}, undefined, 'disputed'),
    'arbitration-split-ahead': disputed(6 * HOUR, { origin: 'platform' }, undefined, 'disputed'),
    'arbitration-without-key': disputed(7 * HOUR, { arbitrator: null, origin: 'platform' }, undefined, 'disputed'),
    'arbitration-unsigned': disputed(8 * HOUR, { arbitrator: null }, { preparation: PREPARED }, 'disputed'),
    'arbitration-decided': disputed(9 * HOUR, {}, {}, 'disputed'),
    'dispute-without-record': disputed(10 * HOUR),
    'dispute-on-chain-without-record': disputed(11 * HOUR, undefined, undefined, 'disputed'),
    'stuck-proof-gated': disputed(12 * HOUR, { stage: 'review', isProofGated: true }),
    'stuck-dispute': disputed(15 * DAY, {}, undefined, 'disputed'),
    rejection: { row: rejected(6 * DAY) },
    'rejection-over': { row: rejected(7 * DAY + 5 * MINUTE) },
    'stuck-rejection': { row: rejected(7 * DAY + 31 * MINUTE) },
    'rejection-final': { row: rejected(8 * DAY, { rejectionFinalizedAt: now - DAY, chainState: 'closed' }) },
    paid: { row: { ...approvedAt(now - HOUR), payoutTx: PAYOUT } },
    closed: { row: { status: 'closed', closedAt: now - HOUR, updatedAt: now - HOUR } },
    expired: { row: { status: 'expired', expiredAt: now - HOUR, updatedAt: now - HOUR } },
    'timed-out': { row: { status: 'timed_out', timedOutAt: now - HOUR, updatedAt: now - HOUR } },
    'stuck-diverged': {
      row: { status: 'chain_state_diverged', chainState: 'open', chainStateDivergence: DIVERGED, chainStateDivergedAt: now - HOUR },
    },
    'stuck-closed-as-diverged': {
      row: { status: 'closed', chainState: 'submitted', chainStateDivergence: DIVERGED, closedAt: now - HOUR },
    },
    'diverged-and-closed': { row: { status: 'chain_state_diverged', chainStateDivergence: DIVERGED, operatorClose: CLOSED } },
  }
}

/** Inserts a case as the only session of a job of its name; ids of the session and of its dispute, if it has one. */
export const addSessionCase = async (
  database: Database,
  now: number,
  { name, wallet, row, mode = 'deterministic', dispute, decision }: SessionCase & { name: string; wallet: string },
): Promise<{ sessionId: string; disputeId?: string }> => {
  const { definition } = builtJob(name, { title: `Title of ${name}` })
  const jobSnapshot = { ...aSession().jobSnapshot, ...ESCROW, jobId: name, specDefinition: { ...definition } }
  const sessionId = await addSession(database, wallet, name, now - 20 * DAY, {
    updatedAt: now - 20 * DAY,
    evidence: evidenceOf(mode),
    jobSnapshot,
    ...row,
  })
  await database.rows.updateTable('job').set({ definition }).where('id', '=', name).execute()
  const { status = 'claimed', updatedAt: at = now - HOUR } = row
  const metadata = {}
  await appendEvent(database.rows, null, { sessionId, to: 'claimed', reason: 'job_claimed', at: now - 20 * DAY, metadata })
  if (status !== 'claimed')
    await appendEvent(database.rows, 'claimed', {
      sessionId,
      to: status as 'closed',
      reason: `became_${status}`,
      at: Number(at),
      metadata,
    })
  if (dispute === undefined) return { sessionId }
  const ids = { sessionId, jobId: name, chainJobId: chainJobId(name), disputeId: disputeId(sessionId), claimant: wallet }
  const record = aDispute({ ...dispute, ...ids, evidenceHash: HEX('e') })
  await database.rows
    .insertInto('dispute')
    .values(record as Insertable<Tables['dispute']>)
    .execute()
  if (decision === undefined) return ids
  const verdict = { ...aDecision(decision), disputeId: ids.disputeId }
  await database.rows
    .insertInto('dispute_verdict')
    .values(verdict as Insertable<Tables['dispute_verdict']>)
    .execute()
  return ids
}
