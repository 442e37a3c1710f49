// Every kind of signed record, as the service makes it, with the key set and the heads that a reader keeps.
import { generateKeyPairSync } from 'node:crypto'
import { loadSigningKey, type SigningKey, signDocument } from '../../../activities/common/document-signing.ts'
import { disputeId } from '../../../domain/common/ids.ts'
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
import { type End, ends, provenFacts, sessionWith } from '../../domain/builders/receipt.ts'

// biome-ignore lint/suspicious/noExplicitAny: a record as a stranger parses it
export type Document = any

export const SIGNED_AT = new Date(NOW + 60_000).toISOString()
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

/** A history whose last entry names a receipt. */
const historyWith = (sessionId: string, { receiptId, resolution }: WorkReceipt): LogEntry[] => {
  const history = historyOf(['claimed', 'submitted', 'rejected', 'disputed', LAST[resolution.verdict]], sessionId)
  const { hash: _hash, ...last } = history.at(-1) as LogEntry
  const content = { ...last, metadata: { receiptId } }
  return [...history.slice(0, -1), { ...content, hash: entryHash(content) }]
}

const fileFacts = (end: End, receipt: WorkReceipt): DisputeFileFacts => {
  const session = sessionWith({ rewardRaw: 2_000_000n })
  const verdict = receipt.resolution.verdict
  const decided = {
    source: receipt.resolution.kind === 'timeout' ? 'timeout' : 'arbitrator',
    verdict,
    reasonCode: 'DISPUTE_DECIDED',
  } as const
  const paid = receipt.settlement?.workerAmountRaw ?? '0'
  return {
    session: { ...session, timestamps: { ...session.timestamps, rejectedAt: NOW + 1_500 } },
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
      reasonCode: 'BENCHMARK_THRESHOLD_MISSED',
      openedAt: NOW + 1_600,
      deadlineAt: NOW + 1_600 + 14 * 86_400_000,
      remainingRaw: 2_000_000n,
      arbitrator: null,
      evidence: { before: {}, after: {} },
      evidenceHash: `0x${'9'.repeat(64)}`,
      lastAlarmAt: null,
      updatedAt: NOW,
    },
    verdicts: [
      {
        verificationId: 'verify-1',
        handler: 'benchmark',
        version: 2,
        outcome: 'rejected',
        reasonCode: 'BENCHMARK_THRESHOLD_MISSED',
        decidedAt: new Date(NOW + 1_500).toISOString(),
        items: [{ criterion: 'terms_found', result: 'unmet', evidence: '/verificationInput' }],
      },
    ],
    decisions: [
      {
        round: 1,
        ...decided,
        workerPayoutRaw: end === 'upheld' ? null : BigInt(paid),
        payoutSource: null,
        reasoningHash: null,
        verificationId: null,
        decidedBy: 'system:test',
        decisionRequestId: null,
        decidedAt: NOW + 1_800,
        preparation: null,
        observed: null,
      },
    ],
    rationales: new Map(),
    receipt,
    log: historyWith(session.sessionId, receipt),
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
