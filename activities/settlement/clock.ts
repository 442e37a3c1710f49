import { type RawBuilder, sql } from 'kysely'
import { NO_WAITING_FACTS, waitingView } from '../../domain/sessions/waiting.ts'
import { CLOCK_EVENTS, type ClockEvent, type Submission, submissionsOf } from '../../domain/settlement/clock.ts'
import type { WaitingFor } from '../../schemas/sessions/record.ts'
import type { Rows } from '../database/database.ts'
import { findSession } from '../sessions/records.ts'

/** Submissions and age that the window covers at most. */
const MAX_SUBMISSIONS = 1_000
const MAX_AGE_DAYS = 30

/** Last block whose events are recorded, as digits. */
interface Head {
  chainId: number
  toBlock: string
}

const readEvents = async (rows: Rows, { chainId, toBlock }: Head, jobs: RawBuilder<unknown>, fromBlock: string): Promise<ClockEvent[]> => {
  const { rows: found } = await sql<ClockEvent>`
    select event, chain_job_id as "chainJobId", extract(epoch from block_time)::float8 as at, args ->> 'worker' as worker
    from chain_event
    where chain_id = ${chainId} and contract = 'escrow' and removed_at is null and event = any(${[...CLOCK_EVENTS]}::text[])
      and block_number between ${fromBlock}::bigint and ${toBlock}::bigint and chain_job_id in (${jobs})
    order by block_number, log_index`.execute(rows)
  return found
}

/** Block of the oldest submission of the window; null without one. */
const firstBlock = async (rows: Rows, { chainId, toBlock }: Head, excluded: readonly string[], now: number): Promise<string | null> => {
  const since = new Date(now - MAX_AGE_DAYS * 86_400_000)
  const { rows: found } = await sql<{ block: string | null }>`
    select min(block_number)::text as block from (
      select block_number from chain_event
      where chain_id = ${chainId} and contract = 'escrow' and event = 'WorkSubmitted' and removed_at is null
        and block_number <= ${toBlock}::bigint and block_time >= ${since} and args ->> 'worker' <> all(${[...excluded]}::text[])
      order by block_number desc limit ${MAX_SUBMISSIONS}) newest`.execute(rows)
  return found[0]?.block ?? null
}

/** Submissions of the window in the order of the chain, by wallets that are not excluded (lower case). `now` in epoch ms. */
export const readWindow = async (
  rows: Rows,
  head: Head,
  excluded: readonly string[],
  now: number,
): Promise<{ fromBlock: string; submissions: Submission[] }> => {
  const fromBlock = await firstBlock(rows, head, excluded, now)
  if (fromBlock === null) return { fromBlock: head.toBlock, submissions: [] }
  const submitted = sql`select chain_job_id from chain_event where chain_id = ${head.chainId} and event = 'WorkSubmitted'
    and block_number between ${fromBlock}::bigint and ${head.toBlock}::bigint`
  const all = submissionsOf(await readEvents(rows, head, submitted, fromBlock))
  return { fromBlock, submissions: all.filter(({ worker }) => !excluded.includes(worker)) }
}

/** Unpaid submissions, oldest first: of the window, and of any age for the sessions that are not over. */
export const readUnpaid = async (
  rows: Rows,
  head: Head,
  excluded: readonly string[],
  window: readonly Submission[],
): Promise<Submission[]> => {
  const jobs = window.filter(({ isUnpaid }) => isUnpaid).map(({ chainJobId }) => chainJobId)
  const open = sql`select chain_job_id from session where status in ('submitted', 'disputed', 'rejected', 'chain_state_diverged')
    and rejection_finalized_at is null union select unnest(${jobs}::text[])`
  const all = submissionsOf(await readEvents(rows, head, open, '0'))
  return all
    .filter(({ isUnpaid, worker }) => isUnpaid && !excluded.includes(worker))
    .toSorted((left, right) => left.submittedAt - right.submittedAt)
}

/** For whom a submission waits and why. With a verdict on record it waits for its transaction. `now` in epoch ms. */
export const readWaiting = async (
  rows: Rows,
  { chainJobId, worker }: Submission,
  now: number,
): Promise<{ waitingFor: WaitingFor; reason: string | null }> => {
  const found = await rows
    .selectFrom('session')
    .select(['session.sessionId', 'session.status'])
    .where('session.chainJobId', '=', chainJobId)
    .where('session.wallet', '=', worker)
    .orderBy('session.attempt', 'desc')
    .select((is) =>
      is
        .exists(
          is
            .selectFrom('verification as v')
            .select('v.id')
            .whereRef('v.sessionId', '=', 'session.sessionId')
            .where('v.outcome', 'in', ['approved', 'rejected']),
        )
        .as('isDecided'),
    )
    .executeTakeFirst()
  const session = found && (await findSession(rows, found.sessionId))
  if (!found || !session) return { waitingFor: 'operator', reason: 'no_session' }
  if (found.status === 'submitted' && found.isDecided) return { waitingFor: 'chain', reason: 'verdict_recorded' }
  const { waitingFor, reason } = waitingView(session, NO_WAITING_FACTS, now)
  return { waitingFor: waitingFor ?? 'chain', reason }
}
