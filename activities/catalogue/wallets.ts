import { sql } from 'kysely'
import type { Rows } from '../database/database.ts'

/** Those of the wallets (lower case) that have a session, a claim or a reputation: to all others every job looks the same. */
export const walletsWithRecords = async (rows: Rows, wallets: readonly string[]): Promise<Set<string>> => {
  const found = await sql<{ wallet: string }>`
    select wallet from unnest(${wallets}::text[]) asked(wallet)
    where exists (select 1 from session where session.wallet = asked.wallet)
      or exists (select 1 from claim_intent where claim_intent.wallet = asked.wallet)
      or exists (select 1 from reputation_event where reputation_event.wallet = asked.wallet)`.execute(rows)
  return new Set(found.rows.map(({ wallet }) => wallet))
}
