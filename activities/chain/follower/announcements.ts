import { sql } from 'kysely'
import { type ChainLogRecord, partiesOf } from '../../../domain/chain/log.ts'
import { chainTopicOf } from '../../../domain/chain/topics.ts'
import type { Rows } from '../../database/database.ts'
import { emit, type NewEvent } from '../../events/outbox.ts'

/** A stored event after the change to announce. */
export interface StoredChainEvent extends ChainLogRecord {
  chainJobId: string | null
  removed: boolean
}

/** Job, session and wallet that a chain event concerns. */
interface Concern {
  jobId: string | null
  sessionId: string | null
  wallet: string | null
}

const NO_CONCERN: Concern = { jobId: null, sessionId: null, wallet: null }
/** Events per SQL statement. */
const CHUNK = 500

/** Cross-chain request of an event; null for an event of another subject. */
const requestOf = ({ contract, args }: StoredChainEvent): string | null =>
  contract === 'xcm' && args.requestId !== undefined ? String(args.requestId) : null

/** Severity of the end of a cross-chain request that did not succeed, by its status on chain. */
const SEVERITY_OF_STATUS: Partial<Record<string, NonNullable<NewEvent['severity']>>> = { '3': 'error', '4': 'warn' }

const severityOf = (event: StoredChainEvent): NewEvent['severity'] => {
  if (event.removed) return 'warn'
  return event.event === 'RequestStatusUpdated' ? SEVERITY_OF_STATUS[String(event.args.status)] : undefined
}

const isCancellation = ({ contract, event }: StoredChainEvent): boolean => contract === 'escrow' && event === 'JobCancelled'

/**
 * Finds the job and the session of each event. The session is the one whose workflow sent the transaction, otherwise the last one claimed up
 * to the event's block. A claim without a stored session is found by its transaction.
 */
const findConcerns = async (rows: Rows, events: readonly StoredChainEvent[]): Promise<Map<string, Concern>> => {
  const about = events.flatMap(({ chainJobId, txHash, blockNumber }) => (chainJobId === null ? [] : [{ chainJobId, txHash, blockNumber }]))
  if (about.length === 0) return new Map()
  const wanted = [...new Map(about.map((one) => [`${one.txHash}/${one.chainJobId}`, one]))].map(
    ([key, { chainJobId, txHash, blockNumber }]) => sql`(${key}, ${chainJobId}, ${txHash}, ${blockNumber.toString()}::bigint)`,
  )
  const found = await sql<{ key: string } & Concern>`
    with wanted (key, chain_job_id, tx_hash, block_number) as (values ${sql.join(wanted)})
    select wanted.key, job.id as "jobId",
      coalesce(sent.session_id, claimed.session_id) as "sessionId",
      coalesce(intent.wallet, claimed.wallet) as wallet
    from wanted
    join job on job.chain_job_id = wanted.chain_job_id
    left join lateral (
      select session_id from chain_transaction where tx_hash = wanted.tx_hash and job_id = job.id
      union all
      select t.session_id from chain_signature s join chain_transaction t using (intent_key) where s.tx_hash = wanted.tx_hash and t.job_id = job.id
      limit 1
    ) sent on true
    left join lateral (
      select wallet from claim_intent where session_id = sent.session_id limit 1
    ) intent on true
    left join lateral (
      select session_id, wallet from session
      where chain_job_id = wanted.chain_job_id and claim_block <= wanted.block_number order by claim_block desc limit 1
    ) claimed on true`.execute(rows)
  return new Map(found.rows.map(({ key, ...concern }) => [key, concern]))
}

/** Borrower of each loan that an event names; its repayment and its end do not name one themselves. */
export const findBorrowers = async (
  rows: Rows,
  chainId: number,
  events: readonly Pick<StoredChainEvent, 'contract' | 'args'>[],
): Promise<Map<string, string>> => {
  const loans = [...new Set(events.flatMap(({ contract, args }) => (contract === 'credit' && args.loanId ? [String(args.loanId)] : [])))]
  if (loans.length === 0) return new Map()
  const found = await sql<{ loan: string; borrower: string }>`
    select args->>'loanId' as loan, args->>'borrower' as borrower from chain_event
    where chain_id = ${chainId} and contract = 'credit' and event = 'LoanOriginated' and args->>'loanId' = any(${loans}::text[])`.execute(
    rows,
  )
  return new Map(found.rows.map(({ loan, borrower }) => [loan, borrower]))
}

/** Account of each cross-chain request that an event names; only the first event of a request names it itself. */
const findAccounts = async (rows: Rows, chainId: number, events: readonly StoredChainEvent[]): Promise<Map<string, string>> => {
  const requests = [...new Set(events.flatMap((event) => requestOf(event) ?? []))]
  if (requests.length === 0) return new Map()
  const found = await sql<{ request: string; account: string }>`
    select args->>'requestId' as request, args->>'account' as account from chain_event
    where chain_id = ${chainId} and contract = 'xcm' and event = 'RequestQueued' and args->>'requestId' = any(${requests}::text[])`.execute(
    rows,
  )
  return new Map(found.rows.map(({ request, account }) => [request, account]))
}

export interface AnnouncementDeps {
  chainId: number
  /** Contracts of the chain, lower case. They are not participants. */
  contracts: ReadonlySet<string>
  followCancellations: FollowCancellations
  /** Service time, epoch ms. */
  now: number
}

const announcementOf = (event: StoredChainEvent, concern: Concern, { contracts, now }: AnnouncementDeps): NewEvent | null => {
  const topic = chainTopicOf(event.contract, event.event)
  if (topic === null) return null
  const { chainJobId, contract, logIndex, blockHash, args, removed } = event
  const severity = severityOf(event)
  const parties = [...partiesOf(args), ...(concern.wallet === null ? [] : [concern.wallet])]
  return {
    topic,
    wallets: [...new Set(parties)].filter((party) => !contracts.has(party)),
    ...(concern.jobId !== null && { jobId: concern.jobId }),
    ...(concern.sessionId !== null && { sessionId: concern.sessionId }),
    correlationId: concern.sessionId ?? concern.jobId ?? chainJobId ?? requestOf(event) ?? event.txHash,
    blockNumber: event.blockNumber,
    txHash: event.txHash,
    ...(severity !== undefined && { severity }),
    at: removed ? now : event.blockTime,
    ...(!removed && { recordedAt: now }),
    data: { chainJobId, contract, event: event.event, logIndex, blockHash, args, removed },
  }
}

/** An on-chain cancellation of a listed job. `removed` is true if a reorganisation removed it. */
interface Cancellation {
  jobId: string
  removed: boolean
  /** Epoch ms. */
  blockTime: number
}

/** Closes the listings of cancelled jobs in the transaction that stores the chain events. `now` is service time, epoch ms. */
export type FollowCancellations = (rows: Rows, cancellations: readonly Cancellation[], now: number) => Promise<void>

const announceSome = async (rows: Rows, events: readonly StoredChainEvent[], deps: AnnouncementDeps): Promise<Cancellation[]> => {
  const concerns = await findConcerns(rows, events)
  const borrowers = await findBorrowers(rows, deps.chainId, events)
  const accounts = await findAccounts(rows, deps.chainId, events)
  const walletOf = (event: StoredChainEvent): string | null =>
    accounts.get(requestOf(event) ?? '') ?? borrowers.get(String(event.args.loanId)) ?? null
  const concernOf = (event: StoredChainEvent): Concern =>
    concerns.get(`${event.txHash}/${event.chainJobId}`) ?? { ...NO_CONCERN, wallet: walletOf(event) }
  await emit(rows, ...events.flatMap((event) => announcementOf(event, concernOf(event), deps) ?? []))
  return events.filter(isCancellation).flatMap((event) => {
    const { jobId } = concernOf(event)
    return jobId === null ? [] : [{ jobId, removed: event.removed, blockTime: event.blockTime }]
  })
}

/** Writes the effects of changed chain events: outbox events, and listings that a poster cancelled. */
export const announceChainEvents = async (rows: Rows, events: readonly StoredChainEvent[], deps: AnnouncementDeps): Promise<void> => {
  const announced = events.filter(({ contract, event }) => chainTopicOf(contract, event) !== null)
  const cancellations: Cancellation[] = []
  for (let from = 0; from < announced.length; from += CHUNK)
    cancellations.push(...(await announceSome(rows, announced.slice(from, from + CHUNK), deps)))
  if (cancellations.length > 0) await deps.followCancellations(rows, cancellations, deps.now)
}
