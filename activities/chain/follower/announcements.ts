import { sql } from 'kysely'
import { partiesOf } from '../../../domain/chain/log.ts'
import { chainTopicOf } from '../../../domain/chain/topics.ts'
import type { Rows } from '../../database/database.ts'
import { emit, type NewEvent } from '../../events/outbox.ts'
import type { ChainRecorder, Concern, StoredChainEvent } from './recorder.ts'

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
  recorders: readonly ChainRecorder[]
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

const findConcerns = async (rows: Rows, events: readonly StoredChainEvent[], { recorders }: AnnouncementDeps) => {
  const concerns = new Map<StoredChainEvent, Concern>()
  for (const { findConcerns: find } of recorders)
    for (const [event, concern] of (await find?.(rows, events)) ?? []) concerns.set(event, concern)
  return concerns
}

const announceSome = async (rows: Rows, events: readonly StoredChainEvent[], deps: AnnouncementDeps): Promise<void> => {
  const concerns = await findConcerns(rows, events, deps)
  const borrowers = await findBorrowers(rows, deps.chainId, events)
  const accounts = await findAccounts(rows, deps.chainId, events)
  const walletOf = (event: StoredChainEvent): string | null =>
    accounts.get(requestOf(event) ?? '') ?? borrowers.get(String(event.args.loanId)) ?? null
  const concernOf = (event: StoredChainEvent): Concern => concerns.get(event) ?? { ...NO_CONCERN, wallet: walletOf(event) }
  await emit(rows, ...events.flatMap((event) => announcementOf(event, concernOf(event), deps) ?? []))
}

/** Writes an event of the outbox for each changed chain event that has a topic. */
export const announceChainEvents = async (rows: Rows, events: readonly StoredChainEvent[], deps: AnnouncementDeps): Promise<void> => {
  const announced = events.filter(({ contract, event }) => chainTopicOf(contract, event) !== null)
  for (let from = 0; from < announced.length; from += CHUNK) await announceSome(rows, announced.slice(from, from + CHUNK), deps)
}
