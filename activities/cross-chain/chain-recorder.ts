import { sql } from 'kysely'
import type { ChainRecorder, Concern, StoredChainEvent } from '../chain/follower/recorder.ts'
import type { Rows } from '../database/database.ts'

/** Severity of the end of a request that did not succeed, by its status on chain. */
const SEVERITY_OF_STATUS: Partial<Record<string, NonNullable<Concern['severity']>>> = { '3': 'error', '4': 'warn' }

/** Request of an event; null for an event of another subject. */
const requestOf = ({ contract, args }: StoredChainEvent): string | null =>
  contract === 'xcm' && args.requestId !== undefined ? String(args.requestId) : null

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

/** An event of a request concerns its account. */
export const requestRecorder: ChainRecorder = {
  findConcerns: async (rows, events, chainId) => {
    const accounts = await findAccounts(rows, chainId, events)
    return new Map(
      events.flatMap((event) => {
        const correlationId = requestOf(event)
        if (correlationId === null) return []
        const severity = event.event === 'RequestStatusUpdated' ? SEVERITY_OF_STATUS[String(event.args.status)] : undefined
        return [[event, { wallet: accounts.get(correlationId) ?? null, correlationId, severity }] as const]
      }),
    )
  },
}
