import { sql } from 'kysely'
import { type ClaimOnChain, claimOnChain, type EscrowEvent } from '../../domain/audit/session-ending.ts'
import { type Audit, PAGE, readPages, SETTLING_MS } from './context.ts'

/** A session whose claim was locked on chain, with what the recorded events show of it. */
export interface AuditedSession {
  sessionId: string
  wallet: string
  jobId: string
  chainJobId: string
  status: string
  isFinal: boolean
  evidenceHash: string | null
  rewardRaw: bigint
  chain: ClaimOnChain
  /** Whether the last change is old enough for records and chain to agree. */
  isSettled: boolean
}

interface Row extends Omit<AuditedSession, 'chain' | 'isSettled' | 'rewardRaw'> {
  claimTxHash: string
  updatedAt: number
  rewardRaw: string
}

/** Sessions that an operator or a divergence ended are not compared: their record departs from the chain, and says so. */
const listRows = async ({ rows, block }: Audit, after: string): Promise<Row[]> => {
  const found = await sql<Row>`
    select session_id as "sessionId", wallet, job_id as "jobId", chain_job_id as "chainJobId", status,
      rejection_finalized_at is not null as "isFinal", evidence_hash as "evidenceHash", reward_raw::text as "rewardRaw",
      claim_tx_hash as "claimTxHash", (extract(epoch from updated_at) * 1000)::float8 as "updatedAt"
    from session
    where session_id > ${after} and claim_tx_hash is not null and claim_block <= ${block.number}
      and chain_state_divergence is null and chain_state_diverged_at is null and operator_close is null
    order by session_id limit ${PAGE}`.execute(rows)
  return found.rows
}

export interface RecordedEscrowEvent extends EscrowEvent {
  chainJobId: string
  /** Decimal digits. */
  blockNumber: string
}

/** Recorded events of some escrow jobs up to the block of the audit, in the order of the chain, by job. */
export const listEscrowEvents = async (
  { rows, chain, block }: Pick<Audit, 'rows'> & { chain: Pick<Audit['chain'], 'chainId'>; block: Pick<Audit['block'], 'number'> },
  chainJobIds: readonly string[],
): Promise<Map<string, RecordedEscrowEvent[]>> => {
  const found = await sql<RecordedEscrowEvent>`
    select chain_job_id as "chainJobId", block_number::text as "blockNumber", event, args, tx_hash as "txHash", (extract(epoch from block_time) * 1000)::float8 as "blockTime"
    from chain_event
    where chain_id = ${chain.chainId} and contract = 'escrow' and chain_job_id = any(${[...chainJobIds]}) and removed_at is null
      and block_number <= ${block.number}
    order by block_number, log_index`.execute(rows)
  return Map.groupBy(found.rows, ({ chainJobId }) => chainJobId)
}

/** Every session with its claim on chain, a page at a time. */
export async function* auditedSessions(audit: Audit): AsyncGenerator<AuditedSession[]> {
  const before = audit.now() - SETTLING_MS
  for await (const page of readPages<Row>((last) => listRows(audit, last?.sessionId ?? ''))) {
    const events = await listEscrowEvents(audit, [...new Set(page.map(({ chainJobId }) => chainJobId))])
    yield page.map(({ claimTxHash, updatedAt, rewardRaw, ...row }) => {
      const chain = claimOnChain(events.get(row.chainJobId) ?? [], claimTxHash)
      const isSettled = updatedAt < before && (chain.ending?.at ?? 0) < before
      return { ...row, rewardRaw: BigInt(rewardRaw), chain, isSettled }
    })
  }
}

/** Every settled session with its rows of a table. */
export async function* settledSessions<Stored extends { sessionId: string }>(
  audit: Audit,
  list: (sessionIds: string[]) => Promise<Stored[]>,
): AsyncGenerator<{ session: AuditedSession; stored: Stored[] }> {
  for await (const page of auditedSessions(audit)) {
    const found = await list(page.map(({ sessionId }) => sessionId))
    const storedOf = Map.groupBy(found, ({ sessionId }) => sessionId)
    for (const session of page) if (session.isSettled) yield { session, stored: storedOf.get(session.sessionId) ?? [] }
  }
}
