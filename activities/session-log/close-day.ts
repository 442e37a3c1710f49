import { sql } from 'kysely'
import { DAY_MS, iso } from '../../domain/common/instants.ts'
import { headHash, listHash, type PublishedEntry } from '../../domain/session-log/faults.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { SessionLogActivities } from '../../schemas/session-log/process.ts'
import type { HeadDocument } from '../../schemas/session-log/shapes.ts'
import { type RecordDeps, type Rows, readRows } from '../database/database.ts'
import type { SignDocument } from '../identity/signing-keys.ts'
import { findHead, listHeads } from './records.ts'

export interface SessionLogDeps extends RecordDeps {
  chain: Pick<ChainFile, 'chainId'>
  sign: SignDocument
}

/** Entries of session histories that no head has, in the order in which the next one lists them. */
const UNPUBLISHED = sql<PublishedEntry>`
  select e.hash, e.previous_hash as "previousHash" from session_event e
  where not exists (select 1 from log_entry l where l.hash = e.hash)
  order by coalesce(e.recorded_at, e.at), e.session_id, e.seq`

/** Closes the days of the session log. Another worker that closes the same day waits and finds it closed. */
export const createSessionLogSteps = ({ chain, database, clock, sign }: SessionLogDeps): SessionLogActivities => {
  const close = async (rows: Rows, day: string): Promise<HeadDocument> => {
    await sql`select pg_advisory_xact_lock(hashtext('session-log'))`.execute(rows)
    const closed = await findHead(rows, day)
    if (closed !== null) return closed
    const [before] = await listHeads(rows, { limit: 1, before: null })
    const entries = await readRows(rows, UNPUBLISHED)
    const sealedAt = clock.now()
    const content = {
      schemaVersion: 'service.session-log-head.v1' as const,
      day,
      chainId: chain.chainId,
      entryCount: entries.length,
      entriesHash: listHash(entries),
      previous: before === undefined ? null : headHash(before),
      sealedAt: iso(sealedAt),
    }
    const document = { ...content, signature: await sign(content, sealedAt) }
    await rows.insertInto('log_head').values({ day, document, sealedAt }).execute()
    for (let from = 0; from < entries.length; from += 1_000) {
      const page = entries.slice(from, from + 1_000).map((entry, index) => ({ ...entry, day, position: from + index + 1 }))
      await rows.insertInto('log_entry').values(page).execute()
    }
    return document
  }

  return {
    closeLogDay: async () => {
      const midnight = Math.floor(clock.now() / DAY_MS) * DAY_MS
      const day = iso(midnight - DAY_MS).slice(0, 10)
      const { entryCount } = await database.transaction((rows) => close(rows, day))
      return { day, entryCount, nextAt: iso(midnight + DAY_MS) }
    },
  }
}
