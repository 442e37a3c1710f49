import { canonicalJson } from '../../domain/common/canonical-json.ts'
import { keccakOf } from '../../domain/common/hashes.ts'
import { pick } from '../../domain/common/pick.ts'
import { getProfileByRef } from '../../domain/paid-verification/profiles.ts'
import { requestHash } from '../../domain/paid-verification/request-hash.ts'
import { redacted } from '../../domain/paid-verification/run-view.ts'
import { buildRunReceipt, findRunReceiptProblem, type RunReceiptFacts } from '../../domain/receipts/run-receipt.ts'
import { type RunReceipt, RunReceiptShape } from '../../schemas/receipts/run.ts'
import type { Rows } from '../database/database.ts'
import type { SignDocument } from '../identity/signing-keys.ts'
import { insertRunReceipt } from '../receipts/records.ts'
import type { RunRecord } from './records.ts'

interface Deps {
  sign: SignDocument
  /** No trailing slashes. */
  publicBaseUrl: string
  /** Symbol of the token of the payments. */
  assetSymbol: string
}

/** The sandbox as the result of a profile states it; null where it ran none. */
const environmentOf = (sandbox: unknown): RunReceipt['execution']['environment'] => {
  if (typeof sandbox !== 'object' || sandbox === null) return null
  const { kind, version, kernel } = sandbox as Record<string, unknown>
  return { kind: 'sandbox', runtime: String(kind), version: `${version}, kernel ${kernel}` }
}

/** What the receipt of an ended run states. Throws for a run without a result. */
const factsOf = (run: RunRecord, { publicBaseUrl, assetSymbol }: Omit<Deps, 'sign'>): RunReceiptFacts => {
  const { profileRef, profileDigest, target, inputs, result, executedAt } = run
  if (result === null || executedAt === null) throw new Error('the run has no result')
  const { document } = getProfileByRef(profileRef)
  const request = { profile: document.name, profileVersion: document.version, target: target as object, inputs: inputs as object }
  return {
    profile: {
      ...pick(document, 'name', 'version', 'handler', 'handlerVersion'),
      digest: profileDigest,
      timeoutMs: document.limits.timeoutMs,
    },
    ...pick(run, 'requestHash', 'payer', 'network', 'amountRaw', 'txHash', 'submittedAt'),
    isRequestBound: requestHash(request) === run.requestHash,
    target: redacted(target) as RunReceiptFacts['target'],
    outcome: result.verdict,
    ...pick(result, 'reason', 'checks', 'artefacts'),
    evidenceHash: keccakOf(result),
    environment: environmentOf(result.evidence.sandbox),
    asset: { address: run.asset, symbol: assetSymbol, decimals: run.decimals },
    executedAt,
    publicBaseUrl,
  }
}

/**
 * Creates the issuer of receipts of paid runs. It signs and stores the receipt of a run in the transaction of its end, and returns its id. Throws if the
 * receipt breaks its published schema or an invariant.
 */
export const createRunReceipts =
  ({ sign, ...deps }: Deps) =>
  async (rows: Rows, run: RunRecord): Promise<string> => {
    const receipt = buildRunReceipt(factsOf(run, deps))
    const signature = await sign(receipt, Date.parse(receipt.timestamps.verifiedAt), rows)
    const document = { ...receipt, signature }
    const problem = RunReceiptShape.safeParse(document).error?.message ?? findRunReceiptProblem(receipt)
    if (problem !== null) throw new Error(`receipt of a run of ${run.profileRef}: ${problem}`)
    const { receiptId } = receipt
    await insertRunReceipt(rows, { receiptId, kid: signature.kid, document: canonicalJson(document) })
    return receiptId
  }
