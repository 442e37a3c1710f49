import { canonicalJson } from '../../../domain/common/canonical-json.ts'
import { buildDisputeFile, disputeFileUrl } from '../../../domain/disputes/file.ts'
import { type DisputeFile, DisputeFileShape } from '../../../schemas/disputes/file.ts'
import { type DisputeFileRow, readFileFacts } from '../../disputes/file.ts'
import { type KeyRecord, listKeyRecords } from '../../identity/key-records.ts'
import { findForgery } from '../../identity/signing-keys.ts'
import { type Audit, type Check, PAGE, parseJson, readPages } from '../context.ts'

/** The file made again from the records, with the signature, the base address and the length of the history of the stored one. */
const rebuild = async ({ rows, chain }: Audit, sessionId: string, { signature, canonicalUrl, disputeId, log }: DisputeFile) => {
  const facts = await readFileFacts(rows, sessionId)
  if (facts === null) return null
  const publicBaseUrl = canonicalUrl.slice(0, canonicalUrl.length - disputeFileUrl('', disputeId).length)
  const file = buildDisputeFile({ ...facts, log: facts.log.slice(0, log.length), assetAddress: chain.asset.address, publicBaseUrl })
  return canonicalJson({ ...file, signature })
}

/** Why a stored file is not ours; null if it is. */
const findProblem = async (
  audit: Audit,
  { sessionId, kid, document }: DisputeFileRow,
  keys: readonly KeyRecord[],
): Promise<string | null> => {
  const { data: file, error } = DisputeFileShape.safeParse(parseJson(document))
  if (error !== undefined) return error.issues[0]?.message ?? 'another document'
  if (file.signature.kid !== kid) return 'another key than its record'
  const forgery = await findForgery(keys, file)
  if (forgery !== null) return forgery
  // A receipt that was altered has its own finding, and cannot be read here.
  const rebuilt = await rebuild(audit, sessionId, file).catch(() => null)
  return rebuilt === document ? null : 'another content than the records give'
}

/** Compares the files of ended disputes with the records and with their signatures. */
export const checkDisputeFiles: Check = async (audit, add) => {
  const keys = await listKeyRecords(audit.rows, 'receipt')
  const ended = audit.rows
    .selectFrom('dispute')
    .innerJoin('work_receipt', 'work_receipt.sessionId', 'dispute.sessionId')
    .leftJoin('dispute_file', 'dispute_file.disputeId', 'dispute.disputeId')
    .select(['dispute.disputeId', 'dispute.sessionId', 'dispute_file.kid', 'dispute_file.document'])
    .orderBy('dispute.disputeId')
    .limit(PAGE)
  const list = (after: string) => ended.where('dispute.disputeId', '>', after).execute()
  for await (const page of readPages<Awaited<ReturnType<typeof list>>[number]>((last) => list(last?.disputeId ?? '')))
    for (const { disputeId, sessionId, kid, document } of page) {
      const found = kid === null || document === null ? 'none' : await findProblem(audit, { disputeId, sessionId, kid, document }, keys)
      if (found !== null) add({ subject: `file of ${disputeId}`, expected: 'our signed file', found })
    }
}
