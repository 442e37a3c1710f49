import type { Hex } from 'viem'
import type { ReputationKind } from '../../domain/reputation/scores.ts'
import { ON_CHAIN } from '../../domain/sessions/deciders.ts'
import { liveEscrow } from '../../schemas/chain/chain-file.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { DocumentSignature } from '../../schemas/operations/values.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { RecordedEscrowEvent } from '../audit/claims.ts'
import type { Audit } from '../audit/context.ts'
import { readTransaction } from '../chain/escrow-events.ts'
import { createEndingRecords } from '../disputes/chain-records.ts'
import type { SignDocument } from '../identity/signing-keys.ts'
import type { ReceiptRow } from '../receipts/records.ts'
import { type BadgeRow, badgeRow } from '../reputation/badges.ts'
import { createEndings, type VerdictOnChain } from '../settlement/endings.ts'
import { createPayments } from '../settlement/payments.ts'
import { createSessionReceipts } from '../settlement/receipts.ts'
import type { createSettlements } from '../settlement/records.ts'
import type { StoredVerdict } from '../verification/records.ts'
import type { RebuiltSession } from './sources.ts'

type Settlements = ReturnType<typeof createSettlements>

/** Records that an ending writes, as the rules give them. */
export interface RebuiltEnding {
  columns: Pick<Tables['session'], 'payoutTx' | 'disputeResolution' | 'workReceiptId'>
  badge: BadgeRow | null
  receipt: ReceiptRow
  /** Entry of the ledger; null for none. */
  kind: ReputationKind | null
  /** Epoch ms. */
  at: number
}

interface Issued {
  signature: DocumentSignature
  /** Public address of the service when the document was issued. */
  publicBaseUrl: string
}

const issuedAs = (document: Record<string, unknown> | undefined, address: string, path: string): Issued | null =>
  document === undefined
    ? null
    : { signature: document.signature as DocumentSignature, publicBaseUrl: String(document[address]).split(path)[0] ?? '' }

/** What the stored documents alone know: address and signature. A missing one takes them from the other. */
const issuedOf = ({ badge, receipt }: Pick<RebuiltSession, 'badge' | 'receipt'>): { badge: Issued; receipt: Issued } | null => {
  const ofBadge = issuedAs(badge?.document, 'external_url', '/badges/')
  const ofReceipt = issuedAs(receipt === undefined ? undefined : JSON.parse(receipt.document), 'canonicalUrl', '/receipts/')
  const known = ofReceipt ?? ofBadge
  return known === null ? null : { badge: ofBadge ?? known, receipt: ofReceipt ?? known }
}

const verdictOnChain = (claim: readonly RecordedEscrowEvent[]): VerdictOnChain | null => {
  const given = claim.findLast(({ event }) => event === 'Verified')
  if (given === undefined) return null
  const { approved, verifier, reasonCode } = given.args
  const by = String(verifier).toLowerCase()
  return { txHash: given.txHash as Hex, at: given.blockTime, approved: approved === true, by, reasonHash: reasonCode as Hex }
}

/** The stored verdict that the chain executed. */
const findExecuted = (verdicts: readonly StoredVerdict[], outcome: 'approved' | 'rejected', ours: StoredVerdict | null): StoredVerdict => {
  const executed = ours?.outcome === outcome ? ours : verdicts.find((one) => one.handler === ON_CHAIN && one.outcome === outcome)
  if (executed === undefined) throw new Error(`has no verdict that is ${outcome}, as on chain`)
  return executed
}

/**
 * Rebuilds what the ending of a session writes, by the service's own rules, and writes nothing. `before` is the session as its history and
 * the chain show it before the ending. Null if both documents are missing.
 */
export const rebuildEnding = async (
  audit: Audit,
  one: RebuiltSession,
  before: SessionRecord,
  txHash: Hex,
): Promise<RebuiltEnding | null> => {
  const { client, chain, database, now } = audit
  const issued = issuedOf(one)
  if (issued === null) return null
  const reads = createEndings({ clients: { reader: client }, chain, reads: { escrowAddress: liveEscrow(chain) } })
  const endings = { ...reads, findVerdictOnChain: async () => verdictOnChain(one.claim) }
  const sign: SignDocument = async (document) => ('receiptId' in document ? issued.receipt : issued.badge).signature
  let rebuilt: RebuiltEnding | undefined
  const settlements = {
    finalize: async (_session: SessionRecord, { receipt, at }: { receipt: ReceiptRow; at: number }) => {
      const columns = { payoutTx: null, disputeResolution: null, workReceiptId: receipt.receiptId }
      rebuilt = { columns, badge: null, receipt, kind: 'rejection_final', at }
    },
    recordResolved: async (resolved: Parameters<Settlements['recordResolved']>[0]) => {
      const { payout, receipt, reputation, at, patch } = resolved
      const disputeResolution = patch?.disputeResolution ?? null
      const columns = { payoutTx: { ...payout }, disputeResolution, workReceiptId: receipt.receiptId } as RebuiltEnding['columns']
      rebuilt = { columns, badge: badgeRow(resolved.badge), receipt, kind: reputation, at }
    },
    recordDisputeLost: async ({ receipt, at, patch }: Parameters<Settlements['recordDisputeLost']>[0]) => {
      const columns = { payoutTx: null, ...patch, workReceiptId: receipt.receiptId } as RebuiltEnding['columns']
      rebuilt = { columns, badge: null, receipt, kind: 'dispute_lost', at }
    },
    recordArbiterTimeout: async ({ receipt, payout, at, patch }: Parameters<Settlements['recordArbiterTimeout']>[0]) => {
      const payoutTx = payout === null ? null : { ...payout }
      const columns = { payoutTx, ...patch, workReceiptId: receipt.receiptId } as RebuiltEnding['columns']
      rebuilt = { columns, badge: null, receipt, kind: null, at }
    },
  }
  // `before` has the times that the service followed already.
  const followInstants = async (session: SessionRecord) => session
  const receipts = createSessionReceipts({ database, endings, followInstants, sign, publicBaseUrl: issued.receipt.publicBaseUrl })
  const recordPaid = createPayments({ settlements, endings, receipts, followInstants, sign, publicBaseUrl: issued.badge.publicBaseUrl })
  const findExecutedVerdict = async (_session: SessionRecord, outcome: 'approved' | 'rejected', ours: StoredVerdict | null) =>
    findExecuted(one.verdicts, outcome, ours)
  const recordEnding = createEndingRecords({ database, clock: { now }, settlements, endings, receipts, recordPaid, findExecutedVerdict })
  const settled = await readTransaction(client, txHash)
  await recordEnding(before, settled, endings.parseEnding(settled.receipt, before.chainJobId as Hex))
  return rebuilt ?? null
}
