import { canonicalJson } from '../../domain/common/canonical-json.ts'
import { iso } from '../../domain/common/instants.ts'
import { buildDisputeFile } from '../../domain/disputes/file.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { DisputeFileShape } from '../../schemas/disputes/file.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import { WorkReceiptShape } from '../../schemas/receipts/shapes.ts'
import { readExpectedOutputs } from '../catalogue/expected-outputs.ts'
import { findRationales, findStatements } from '../content/records.ts'
import type { Rows } from '../database/database.ts'
import type { SignDocument } from '../identity/signing-keys.ts'
import { getSession, readLog } from '../sessions/records.ts'
import { itemsOf, listVerdicts } from '../verification/records.ts'
import { findDisputeOfSession } from './rows.ts'

export type DisputeFileRow = Tables['dispute_file']

/** Finds the file of a dispute; null if there is none. */
export const findDisputeFile = async (rows: Rows, disputeId: string): Promise<DisputeFileRow | null> =>
  (await rows.selectFrom('dispute_file').selectAll().where('disputeId', '=', disputeId).executeTakeFirst()) ?? null

interface Deps {
  chain: Pick<ChainFile, 'asset'>
  sign: SignDocument
  publicBaseUrl: string
}

const findReceiptOf = async (rows: Rows, sessionId: string) => {
  const { document } = await rows.selectFrom('work_receipt').select('document').where('sessionId', '=', sessionId).executeTakeFirstOrThrow()
  return WorkReceiptShape.parse(JSON.parse(document))
}

/** Everything that a file states, as the transaction sees it. */
export const readFileFacts = async (rows: Rows, sessionId: string) => {
  const dispute = await findDisputeOfSession(rows, sessionId)
  if (dispute === null) return null
  const session = await getSession(rows, sessionId)
  const decisions = await rows
    .selectFrom('dispute_verdict')
    .selectAll()
    .where('disputeId', '=', dispute.disputeId)
    .orderBy('round')
    .execute()
  const verdicts = (await listVerdicts(rows, [sessionId])).toReversed().map((verdict) => ({
    verificationId: verdict.id,
    handler: verdict.handler,
    version: verdict.handlerVersion,
    outcome: verdict.outcome,
    reasonCode: verdict.reasonCode,
    decidedAt: iso(verdict.decidedAt),
    items: itemsOf(verdict),
  }))
  const hashes = decisions.flatMap(({ reasoningHash }) => reasoningHash ?? [])
  const rationales = await findRationales(rows, hashes)
  const { statementHash } = dispute
  const statement = statementHash === null ? null : ((await findStatements(rows, [statementHash])).get(statementHash) ?? null)
  if (statementHash !== null && statement === null) throw new Error(`the statement ${statementHash} of ${sessionId} has no text`)
  const receipt = await findReceiptOf(rows, sessionId)
  const expectedOutputs = await readExpectedOutputs(rows, session.jobId)
  return {
    session,
    dispute,
    decisions,
    verdicts,
    rationales,
    statement,
    receipt,
    expectedOutputs,
    log: await readLog(rows, sessionId, Number.MAX_SAFE_INTEGER),
  }
}

/** Signs and stores the file of a session's dispute, in the transaction that ends the session; a session without a dispute has none. */
export const createDisputeFiles =
  ({ chain, sign, publicBaseUrl }: Deps) =>
  async (rows: Rows, sessionId: string): Promise<void> => {
    const facts = await readFileFacts(rows, sessionId)
    if (facts === null) return
    const file = buildDisputeFile({ ...facts, assetAddress: chain.asset.address, publicBaseUrl })
    const signature = await sign(file, Date.parse(facts.receipt.signature.signedAt), rows)
    const document = DisputeFileShape.parse({ ...file, signature })
    const row = { disputeId: facts.dispute.disputeId, sessionId, kid: signature.kid, document: canonicalJson(document) }
    await rows.insertInto('dispute_file').values(row).execute()
  }
