import type { Client } from '@temporalio/client'
import { sql } from 'kysely'
import { claimWorkflowId } from '../../schemas/claims/process.ts'
import { requestChanged } from '../../schemas/cross-chain/process.ts'
import { disputeWorkflowId } from '../../schemas/disputes/process.ts'
import { idleBalanceMoved } from '../../schemas/idle-allocation/process.ts'
import { balanceMoved } from '../../schemas/locked-deposits/process.ts'
import { depositsMoved } from '../../schemas/pool/process.ts'
import { type ChainEventNotice, chainMoved } from '../../schemas/processes.ts'
import type { Database } from '../database/database.ts'
import { crossChainStart, idleAllocationStart, lockedDepositStart, signalWorkflow, vestingStart } from './siblings.ts'

/** Events per round; the rest follows in the next. */
const BATCH = 100

interface PendingEvent extends ChainEventNotice {
  revision: number
  /** Whether this service sent the transaction. */
  own: boolean
  /** Sessions of the job that may have an open dispute. */
  sessionIds: string[]
  /** Catalogue job of a claim that has no verdict yet; null when there is none. */
  claimOf: string | null
  /** Wallet whose vesting the event changes; null for another event. */
  vestingOf: string | null
  /** Active locks of a wallet whose balance the event lowers. */
  locks: { id: string; wallet: string }[]
  /** Wallets with an open consent to idle-balance allocation whose balance the event changes. */
  idleWallets: string[]
  /** Cross-chain request that the event is about; null for an event of another subject. */
  crossChainRequestId: string | null
}

/** Events of bonds, submissions and settlements that this service sent change no process, unless a fork removed one. */
const ROUTINE: ReadonlySet<string> = new Set(['JobClaimed', 'WorkSubmitted', 'RequestStatusUpdated'])

/**
 * Notifies the processes that a chain event concerns: disputes of the events of their job, claims of those that another caller caused, vestings,
 * locked deposits and idle-balance allocations of their wallet's, and cross-chain requests of their own. All but disputes and claims are started
 * if needed. An event is marked afterwards, so a workflow is notified at least once.
 */
export const createWorkflowNotifier = ({ client, database, chainId }: { client: Client; database: Database; chainId: number }) => {
  const pendingEvents = async (): Promise<PendingEvent[]> => {
    const found = await sql<PendingEvent>`
      select e.chain_job_id as "chainJobId", e.event, e.tx_hash as "txHash", e.block_number::text as "blockNumber", e.log_index as "logIndex",
        e.revision, (
          exists (select 1 from chain_transaction t where t.tx_hash = e.tx_hash)
          or exists (select 1 from chain_signature g where g.tx_hash = e.tx_hash)
        ) as own,
        coalesce((
          select array_agg(s.session_id) from session s
          where s.chain_job_id = e.chain_job_id and s.status in ('submitted', 'rejected', 'disputed') and s.rejection_finalized_at is null
        ), '{}') as "sessionIds",
        (
          select s.job_id from session s where s.chain_job_id = e.chain_job_id and s.status in ('claimed', 'submitted') limit 1
        ) as "claimOf",
        case e.contract
          when 'pool' then e.args->>'owner'
          when 'credit' then coalesce(e.args->>'borrower', (
            select o.args->>'borrower' from chain_event o
            where o.chain_id = e.chain_id and o.contract = 'credit' and o.event = 'LoanOriginated' and o.args->>'loanId' = e.args->>'loanId' limit 1
          ))
        end as "vestingOf",
        coalesce((
          select jsonb_agg(jsonb_build_object('id', l.id, 'wallet', l.wallet) order by l.id) from locked_deposit l
          where e.contract = 'accounts' and l.status = 'active' and l.wallet in (e.args->>'account', e.args->>'from')
        ), '[]') as "locks",
        coalesce((
          select array_agg(i.wallet) from idle_consent i
          where e.contract = 'accounts' and i.revoked_at is null and i.expired_at is null
            and i.wallet in (e.args->>'account', e.args->>'from', e.args->>'to', e.args->>'recipient')
        ), '{}') as "idleWallets",
        case e.contract when 'xcm' then e.args->>'requestId' end as "crossChainRequestId"
      from chain_event e
      where e.chain_id = ${chainId} and e.moves_process and e.notified_revision < e.revision
      order by e.block_number, e.log_index limit ${BATCH}`.execute(database.rows)
    return found.rows
  }

  const markNotified = async ({ txHash, logIndex, revision }: PendingEvent): Promise<void> => {
    await database.rows
      .updateTable('chain_event')
      .set({ notifiedRevision: revision })
      .where('chainId', '=', chainId)
      .where('txHash', '=', txHash)
      .where('logIndex', '=', logIndex)
      .where('notifiedRevision', '<', revision)
      .execute()
  }

  const notify = async (one: PendingEvent): Promise<void> => {
    const { revision, own, sessionIds, claimOf, vestingOf, locks, idleWallets, crossChainRequestId, ...change } = one
    const routine = own && revision === 1 && ROUTINE.has(change.event)
    for (const sessionId of routine ? [] : sessionIds) await signalWorkflow(client, disputeWorkflowId(sessionId), chainMoved, change)
    if (!own && claimOf !== null) await signalWorkflow(client, claimWorkflowId(claimOf), chainMoved, change)
    if (vestingOf !== null)
      await client.workflow.signalWithStart('principalVesting', {
        ...vestingStart({ v: 1, wallet: vestingOf }),
        signal: depositsMoved,
        signalArgs: [],
      })
    for (const { id, wallet } of locks)
      await client.workflow.signalWithStart('lockedDeposit', {
        ...lockedDepositStart({ v: 1, id, consent: null }, wallet),
        signal: balanceMoved,
        signalArgs: [],
      })
    for (const wallet of idleWallets)
      await client.workflow.signalWithStart('idleAllocation', {
        ...idleAllocationStart({ v: 1, wallet }),
        signal: idleBalanceMoved,
        signalArgs: [],
      })
    if (crossChainRequestId !== null && !routine)
      await client.workflow.signalWithStart('crossChainRequest', {
        ...crossChainStart({ v: 1, requestId: crossChainRequestId }),
        signal: requestChanged,
        signalArgs: [],
      })
    await markNotified(one)
  }

  /**
   * Notifies workflows of the oldest pending events in chain order; returns how many. If the engine refuses one it rejects, and the rest
   * stays pending.
   */
  return async (): Promise<number> => {
    const pending = await pendingEvents()
    for (const one of pending) await notify(one)
    return pending.length
  }
}
