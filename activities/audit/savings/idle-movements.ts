import { sql } from 'kysely'
import { IDLE_STRATEGY } from '../../idle-allocation/reads.ts'
import type { AddFinding, Audit, Check } from '../context.ts'

interface Movement {
  step: string
  recorded: string
  onChain: string | null
  isConsented: boolean
}

/** Allocations that the operator sent without a recorded movement. */
const checkUnrecorded = async ({ rows, chain, block }: Audit, add: AddFinding): Promise<void> => {
  const found = await sql<{ txHash: string; wallet: string }>`
    select t.tx_hash as "txHash", e.args->>'account' as wallet from chain_transaction t join chain_event e on e.tx_hash = t.tx_hash
    where t.function_name = 'allocateIdleFunds' and e.chain_id = ${chain.chainId} and e.contract = 'accounts' and e.removed_at is null
      and e.event = 'StrategyAllocated' and t.block_number <= ${block.number}
      and not exists (select 1 from idle_movement m where m.tx_hash = t.tx_hash)`.execute(rows)
  for (const { txHash, wallet } of found.rows)
    add({ subject: `allocation ${txHash} for wallet ${wallet}`, expected: 'a recorded movement', found: 'none' })
}

/** Compares every recorded movement with its event on chain, and with the consent that it was signed under. */
export const checkIdleMovements: Check = async (audit, add) => {
  const { rows, chain, block } = audit
  const found = await sql<Movement>`
    select m.step, concat_ws(' ', case m.kind when 'allocate' then 'StrategyAllocated' else 'StrategyDeallocated' end, m.wallet, m.amount_raw) as recorded,
      (
        select concat_ws(' ', e.event, e.args->>'account', e.args->>'amount') from chain_event e
        where e.chain_id = ${chain.chainId} and e.tx_hash = m.tx_hash and e.contract = 'accounts' and e.removed_at is null
          and e.event in ('StrategyAllocated', 'StrategyDeallocated') and e.args->>'strategyId' = ${IDLE_STRATEGY} limit 1
      ) as "onChain",
      (c.wallet = m.wallet and c.expires_at = (s.terms->>'consentExpiresAt')::timestamptz
        and m.signed_at >= c.consented_at and m.signed_at < c.expires_at and (c.revoked_at is null or m.signed_at <= c.revoked_at)) as "isConsented"
    from idle_movement m join idle_consent c using (terms_hash) join consent s using (terms_hash)
      left join chain_transaction t on t.tx_hash = m.tx_hash
    where m.tx_hash is not null and (t.block_number is null or t.block_number <= ${block.number})
    order by m.step`.execute(rows)
  for (const { step, recorded, onChain, isConsented } of found.rows) {
    if (onChain !== recorded) add({ subject: `movement ${step}`, expected: recorded, found: onChain ?? 'no such event' })
    if (!isConsented) add({ subject: `movement ${step}`, expected: 'an active consent of the wallet', found: 'none' })
  }
  await checkUnrecorded(audit, add)
}
