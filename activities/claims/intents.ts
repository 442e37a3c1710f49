import type { Tables } from '../../schemas/entities/tables.ts'
import { isErrorCode, ServiceError } from '../../schemas/errors.ts'
import type { ClaimStage, PendingClaim } from '../../schemas/sessions/record.ts'
import { findLatestTransaction } from '../chain/journal/rows.ts'
import type { Rows } from '../database/database.ts'

export type Intent = Tables['claim_intent']

const selectIntents = (rows: Rows) => rows.selectFrom('claim_intent').selectAll()

/** Finds the intent of a run; null if there is none. */
export const findIntent = async (rows: Rows, runId: string): Promise<Intent | null> =>
  (await selectIntents(rows).where('runId', '=', runId).executeTakeFirst()) ?? null

/** The intent of a run. Throws if there is none. */
const getIntent = async (rows: Rows, runId: string): Promise<Intent> => {
  const intent = await findIntent(rows, runId)
  if (intent === null) throw new Error(`no claim intent for run ${runId}`)
  return intent
}

/** The intent of a run that may still lock a bond. Throws the refusal's code if the intent was released. */
export const getOpenIntent = async (rows: Rows, runId: string): Promise<Intent> => assertOpen(await getIntent(rows, runId))

const assertOpen = (intent: Intent): Intent => {
  if (intent.status === 'released') throw new ServiceError(isErrorCode(intent.failureCode) ? intent.failureCode : 'claim_in_progress')
  return intent
}

/** Locks the intent of a run until the transaction ends, so that it is not released meanwhile. */
export const lockIntent = (rows: Rows, runId: string): Promise<Intent> =>
  selectIntents(rows).where('runId', '=', runId).forUpdate().executeTakeFirstOrThrow()

/** Locks an open intent. Throws like `getOpenIntent`. */
export const lockOpenIntent = async (rows: Rows, runId: string): Promise<Intent> => assertOpen(await lockIntent(rows, runId))

/** The open claim of a job that has no session yet. */
export const openIntentOfJob = async (rows: Rows, jobId: string): Promise<Intent | null> =>
  (await selectIntents(rows).where('jobId', '=', jobId).where('status', '=', 'open').executeTakeFirst()) ?? null

/** Releases every reservation of a claim that was refused. `at` in epoch ms. */
export const releaseIntent = async (rows: Rows, runId: string, failureCode: string, at: number): Promise<void> => {
  const { numUpdatedRows } = await rows
    .updateTable('claim_intent')
    .set({ status: 'released', failureCode, closedAt: at })
    .where('runId', '=', runId)
    .where('status', '=', 'open')
    .executeTakeFirstOrThrow()
  // A recorded claim keeps its reservation.
  if (numUpdatedRows > 0n) await rows.deleteFrom('subsidy_reservation').where('runId', '=', runId).execute()
}

/** Sets the stage of an open intent. */
export const setStage = async (rows: Rows, runId: string, stage: ClaimStage): Promise<void> => {
  await rows.updateTable('claim_intent').set({ stage }).where('runId', '=', runId).where('status', '=', 'open').execute()
}

/** Request id of a run's claim. Later transactions of the run without a request of their own carry it. */
export const findRequestId = async (rows: Rows, runId: string): Promise<string | undefined> => {
  const row = await rows.selectFrom('claim_intent').select('requestId').where('runId', '=', runId).executeTakeFirst()
  return row?.requestId ?? undefined
}

/** A pending claim by its session id; null if there is none. */
export const pendingClaim = async (rows: Rows, sessionId: string): Promise<PendingClaim | null> => {
  const intent = await selectIntents(rows).where('sessionId', '=', sessionId).where('status', '=', 'open').executeTakeFirst()
  if (intent === undefined) return null
  const sent = await findLatestTransaction(rows, sessionId)
  return {
    sessionId,
    jobId: intent.jobId,
    wallet: intent.wallet,
    stage: intent.stage,
    txHash: sent?.txHash ?? null,
    nonce: sent?.nonce ?? null,
  }
}

/** The newest unreleased claim of a wallet under a key. */
export const findIntentByKey = async (rows: Rows, wallet: string, key: string): Promise<Intent | null> => {
  const intent = await selectIntents(rows)
    .where('wallet', '=', wallet)
    .where('idempotencyKey', '=', key)
    .where('status', '<>', 'released')
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return intent ?? null
}
