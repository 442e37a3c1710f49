import { iso, plusSeconds } from '../../domain/common/instants.ts'
import { endOfRequest } from '../../domain/cross-chain/outcome.ts'
import { MANAGED_PAUSE_SECONDS } from '../../domain/cross-chain/settlement.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { CHAIN_SOURCE, type OutcomeStatus } from '../../schemas/cross-chain/record.ts'
import type { ChainClients } from '../chain/clients.ts'
import type { Transactions } from '../chain/journal/send.ts'
import type { Clock } from '../common/clock.ts'
import type { Database } from '../database/database.ts'
import { emit } from '../events/outbox.ts'
import { markProcessed } from './outcomes.ts'
import { type CrossChain, createCrossChainReads, type ReadRequest } from './reads.ts'
import { findParties, type RequestSubject, requestEvent } from './requests.ts'

export interface CrossChainDeps {
  chain: ChainFile
  clients: ChainClients
  database: Database
  transactions: Transactions
  clock: Clock
}

/** A request on chain; with its key and its wallets it is the subject of its events. */
export interface ChainRequest extends ReadRequest, RequestSubject {
  kind: 'deposit' | 'withdraw'
  /** Whether it is one of the configured adapter. */
  isOwn: boolean
}

/** Requests of the configured wrapper on chain, and what is recorded and announced of them there. */
export const createChainRequests = (on: CrossChain, { clients, database, clock }: Omit<CrossChainDeps, 'chain'>) => {
  const wrapper = on.xcm.wrapper.address.toLowerCase()
  const adapter = on.xcm.adapter.address.toLowerCase()
  const reads = createCrossChainReads(on, clients)

  /** The request on chain; null for one that neither the chain nor the records know. */
  const findRequest = async (requestId: string, at?: bigint): Promise<ChainRequest | null> => {
    const read = await reads.request(requestId, at)
    const { context, queuedBy, status } = read.request
    const wallets = [context.account.toLowerCase(), context.recipient.toLowerCase()]
    const kind = context.kind === 0 ? 'deposit' : 'withdraw'
    if (status !== 0) return { ...read, wrapper, requestId, wallets, kind, isOwn: queuedBy.toLowerCase() === adapter }
    if ((await findParties(database.rows, { wrapper, requestId })) !== null)
      throw new Error(`the node lacks the recorded request ${requestId}`)
    return null
  }

  const getRequest = async (requestId: string, at?: bigint): Promise<ChainRequest> => {
    const found = await findRequest(requestId, at)
    if (found === null) throw new Error(`the chain has lost the request ${requestId}`)
    return found
  }

  /** Records the end of a request on chain; `topic` says who ended it. */
  const reconcile = (
    ended: ChainRequest,
    topic: 'xcm.request_auto_finalized' | 'xcm.request_reconciled_terminal',
  ): Promise<OutcomeStatus> =>
    database.transaction(async (rows) => {
      const now = clock.now()
      const { settledAssets, settledShares, remoteRef, failureCode, updatedAt } = ended.request
      const status = endOfRequest(ended.request.status)
      if (status === null) throw new Error(`the request ${ended.requestId} has not ended`)
      const numbers = { status, settledAssetsRaw: settledAssets, settledSharesRaw: settledShares, remoteRef, failureCode }
      const end = { ...numbers, observedAt: Number(updatedAt) * 1000, source: CHAIN_SOURCE }
      const data = { status, settledAssetsRaw: settledAssets.toString(), settledSharesRaw: settledShares.toString(), failureCode }
      if (await markProcessed(rows, ended, end, now)) await emit(rows, requestEvent(ended, topic, now, data))
      return status
    })

  /** Announces that another party settles a request; it is looked at again later. */
  const reportManaged = async (managed: ChainRequest): Promise<{ kind: 'adapter_managed'; retryAt: string }> => {
    const now = clock.now()
    const data = { adapter: managed.request.queuedBy.toLowerCase() }
    await emit(database.rows, requestEvent(managed, 'xcm.request_adapter_managed_pending', now, data))
    return { kind: 'adapter_managed', retryAt: iso(plusSeconds(now, MANAGED_PAUSE_SECONDS)) }
  }

  return { wrapper, adapter, reads, findRequest, getRequest, reconcile, reportManaged }
}
export type ChainRequests = ReturnType<typeof createChainRequests>
