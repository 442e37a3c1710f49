import { sql } from 'kysely'
import { IDLE_STRATEGY } from '../idle-allocation/reads.ts'
import type { Check } from './context.ts'

interface Movement {
  step: string
  recorded: string
  onChain: string | null
  isConsented: boolean
}

/** Compares every recorded movement with its event on chain, and with the consent that it was signed under. */
export const checkIdleMovements: Check = async ({ rows, chain, block }, add) => {
  const found = await sql<Movement>`
    select m.step, concat_ws(' ', case m.kind when 'allocate' then 'StrategyAllocated' else 'StrategyDeallocated' end, m.wallet, m.amount_raw) as recorded,
      (
        select concat_ws(' ', e.event, e.args->>'account', e.args->>'amount') from chain_event e
        where e.chain_id = ${chain.chainId} and e.tx_hash = m.tx_hash and e.contract = 'accounts' and e.removed_at is null
          and e.event in ('StrategyAllocated', 'StrategyDeallocated') and e.args->>'strategyId' = ${IDLE_STRATEGY} limit 1
      ) as "onChain",
      (m.signed_at >= c.consented_at and m.signed_at < c.expires_at and (c.revoked_at is null or m.signed_at <= c.revoked_at)
        and c.wallet = m.wallet) as "isConsented"
    from idle_movement m join idle_consent c using (terms_hash) join chain_transaction t on t.tx_hash = m.tx_hash
    where t.block_number <= ${block.number}
    order by m.step`.execute(rows)
  for (const { step, recorded, onChain, isConsented } of found.rows) {
    if (onChain !== recorded) add({ subject: `movement ${step}`, expected: recorded, found: onChain ?? 'no such event' })
    if (!isConsented) add({ subject: `movement ${step}`, expected: 'an active consent of the wallet', found: 'none' })
  }
}
