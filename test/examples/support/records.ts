// Every kind of signed record, as the service makes it, with the key set and the heads that a reader keeps.
import { generateKeyPairSync } from 'node:crypto'
import { loadSigningKey, type SigningKey, signDocument } from '../../../activities/common/document-signing.ts'
import { sha256Of } from '../../../domain/common/hashes.ts'
import { disputeId } from '../../../domain/common/ids.ts'
import { iso } from '../../../domain/common/instants.ts'
import { assetAmount } from '../../../domain/common/money.ts'
import { statementBlob } from '../../../domain/disputes/evidence.ts'
import { buildDisputeFile, type DisputeFileFacts } from '../../../domain/disputes/file.ts'
import { buildReceipt } from '../../../domain/receipts/work-receipt.ts'
import { buildBadge } from '../../../domain/reputation/badge.ts'
import { headHash, listHash } from '../../../domain/session-log/faults.ts'
import { entryHash, type LogEntry } from '../../../domain/sessions/log-entry.ts'
import type { Evidence } from '../../../examples/verify-record/check.ts'
import type { SavedHead } from '../../../examples/verify-record/session-log.ts'
import type { WorkReceipt } from '../../../schemas/receipts/shapes.ts'
import { badgeFacts } from '../../domain/builders/badge.ts'
import { historyOf } from '../../domain/builders/history.ts'
import { NOW } from '../../domain/builders/job.ts'
import { type End, ends, MISSED, provenFacts, sessionWith } from '../../domain/builders/receipt.ts'

// biome-ignore lint/suspicious/noExplicitAny: a record as a stranger parses it
export type Document = any

const REJECTED_AT = Date.parse(MISSED.resolvedAt)
const OPENED_AT = NOW + 1_600
export const SIGNED_AT = new Date(NOW + 60_000).toISOString()
/** What the worker says in the dispute that ends with a split. */
const STATEMENT = 'The third source names the term under its older spelling.'

/** Ends of sessions with a dispute. */
export const DISPUTED: readonly End[] = ['dismissed', 'split', 'split by time-out', 'upheld', 'timed out']

/** Last status of a session by the verdict of its dispute. */
const LAST = {
  split: 'resolved',
  dismissed: 'resolved',
  approved: 'resolved',
  upheld: 'rejected',
  rejected: 'rejected',
  timeout: 'closed',
} as const

/** The history of a dispute, whose last entry is dated by the receipt and names it with its payment. */
const historyWith = ({ sessionId, verdict, resolution, settlement, settlementProof, timestamps, ...receipt }: WorkReceipt): LogEntry[] => {
  const last = LAST[resolution.verdict]
  const workerPayout = assetAmount(BigInt(settlement?.workerAmountRaw ?? 0), { symbol: 'USDC', decimals: 6 })
  const facts = { workerPayout, txHash: settlementProof.transactionHash, receiptId: receipt.receiptId }
  const dates = [timestamps.claimedAt, timestamps.submittedAt, iso(REJECTED_AT), iso(OPENED_AT), timestamps.verifiedAt]
  const made: LogEntry[] = []
  for (const [place, { hash: _hash, ...entry }] of historyOf(['claimed', 'submitted', 'rejected', 'disputed', last], sessionId).entries()) {
    const isLast = place === dates.length - 1
    const reasons = ['job_claimed', 'work_submitted', MISSED.reasonCode, 'dispute_opened', verdict.reasonCode]
    const content = {
      ...entry,
      reason: String(reasons[place]),
      at: String(dates[place]),
      metadata: isLast ? facts : {},
      previousHash: made.at(-1)?.hash ?? null,
    }
    made.push({ ...content, hash: entryHash(content) })
  }
  return made
}

const SOURCES: Partial<Record<End, 'timeout' | 'chain'>> = { 'split by time-out': 'timeout', 'timed out': 'chain' }

const fileFacts = (end: End, receipt: WorkReceipt): DisputeFileFacts => {
  const session = sessionWith({ rewardRaw: 2_000_000n })
  const { verdict } = receipt.resolution
  const paid = receipt.settlement?.workerAmountRaw ?? '0'
  const { transactionHash: txHash } = receipt.settlementProof
  const by = receipt.verifier.wallet ?? session.wallet
  return {
    session: { ...session, timestamps: { ...session.timestamps, rejectedAt: REJECTED_AT } },
    dispute: {
      disputeId: disputeId(session.sessionId),
      sessionId: session.sessionId,
      jobId: session.jobId,
      chainJobId: session.chainJobId,
      claimant: session.wallet,
      respondent: session.poster,
      stage: 'arbitration',
      origin: 'participant',
      round: 1,
      status: 'resolved',
      reasonCode: 'dispute_opened',
      openedAt: OPENED_AT,
      deadlineAt: OPENED_AT + 14 * 86_400_000,
      isProofGated: false,
      proof: null,
      remainingRaw: 2_000_000n,
      arbitrator: null,
      evidence: { before: {}, after: {} },
      evidenceHash: `0x${'9'.repeat(64)}`,
      statementHash: end === 'split' ? sha256Of(statementBlob({ disputeId: disputeId(session.sessionId), statement: STATEMENT })) : null,
      statedAt: end === 'split' ? NOW + 1_700 : null,
      lastAlarmAt: null,
      updatedAt: NOW,
    },
    verdicts: [
      {
        verificationId: 'verify-1',
        handler: 'benchmark',
        version: 2,
        outcome: MISSED.outcome,
        reasonCode: MISSED.reasonCode,
        decidedAt: MISSED.resolvedAt,
        items: MISSED.items,
      },
    ],
    decisions: [
      {
        round: 1,
        source: SOURCES[end] ?? 'arbitrator',
        verdict,
        reasonCode: receipt.verdict.reasonCode,
        workerPayoutRaw: BigInt(paid),
        payoutSource: null,
        reasoningHash: null,
        verificationId: null,
        decidedBy: end === 'timed out' ? by : 'system:test',
        decisionRequestId: null,
        decidedAt: end === 'timed out' ? Date.parse(receipt.timestamps.verifiedAt) : NOW + 1_800,
        preparation: null,
        observed: { verdict, workerPayoutRaw: paid, by, txHash, at: receipt.timestamps.verifiedAt, mismatch: false },
      },
    ],
    rationales: new Map(),
    statement: end === 'split' ? STATEMENT : null,
    receipt,
    log: historyWith(receipt),
    expectedOutputs: [],
    assetAddress: `0x${'8'.repeat(40)}`,
    publicBaseUrl: 'https://work.example',
  }
}

/** A P-256 key of its own. */
export const newKey = (kid = 'badge-1'): Promise<SigningKey> =>
  loadSigningKey(String(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })), kid)

/** Signs a document as the service does. */
export const signWith =
  (key: SigningKey) =>
  async (document: object, at = SIGNED_AT): Promise<Document> => ({ ...document, signature: await signDocument(key, document, at) })

/** Heads of consecutive days, each with some entries, the first of `day`. */
export const headsOf = async (
  lists: readonly (readonly LogEntry[])[],
  day: string,
  sign: (document: object, at: string) => Promise<Document>,
): Promise<SavedHead[]> => {
  const heads: SavedHead[] = []
  for (const [place, list] of lists.entries()) {
    const entries = list.map(({ hash, previousHash }) => ({ hash, previousHash }))
    const before = heads.at(-1)
    const start = Date.parse(day) + place * 86_400_000
    const sealedAt = new Date(start + 86_400_000).toISOString()
    const document = {
      schemaVersion: 'service.session-log-head.v1',
      day: new Date(start).toISOString().slice(0, 10),
      chainId: 31_337,
      entryCount: entries.length,
      entriesHash: listHash(entries),
      previous: before === undefined ? null : headHash(before.head),
      sealedAt,
    }
    heads.push({ head: await sign(document, sealedAt), entries })
  }
  return heads
}

/** The records of one service. */
export interface Records {
  key: SigningKey
  evidence: Evidence
  receipts: ReadonlyMap<End, Document>
  files: ReadonlyMap<End, Document>
  badge: Document
}

export const signedRecords = async (): Promise<Records> => {
  const key = await newKey()
  const sign = signWith(key)
  const window = { validFrom: new Date(NOW - 1_000).toISOString(), retiredAt: null }
  const evidence = {
    keySet: { keys: [{ ...key.jwk, ...window }] },
    heads: [],
    chainId: 31_337,
    now: NOW + 7 * 86_400_000,
    unpublished: false,
  }
  const [receipts, files] = [new Map<End, Document>(), new Map<End, Document>()]
  for (const end of ends) {
    receipts.set(end, await sign(buildReceipt(await provenFacts(end))))
    if (DISPUTED.includes(end)) files.set(end, await sign(buildDisputeFile(fileFacts(end, receipts.get(end)))))
  }
  return { key, evidence, receipts, files, badge: await sign(buildBadge(badgeFacts())) }
}
