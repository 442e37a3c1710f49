import { sql } from 'kysely'
import type { StoredChainEvent } from '../chain/follower/recorder.ts'
import type { Rows } from '../database/database.ts'

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
