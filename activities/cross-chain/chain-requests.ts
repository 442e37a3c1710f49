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

export const kindOf = ({ context }: ReadRequest['request']) => (context.kind === 0 ? 'deposit' : 'withdraw')

/** Requests of the configured wrapper on chain, and what is recorded and announced of them there. */
export const createChainRequests = (on: CrossChain, { clients, database, clock }: Omit<CrossChainDeps, 'chain'>) => {
  const wrapper = on.xcm.wrapper.address.toLowerCase()
  const adapter = on.xcm.adapter.address.toLowerCase()
  const reads = createCrossChainReads(on, clients)
  const keyOf = (requestId: string) => ({ wrapper, requestId })

  const subjectOf = (requestId: string, { context }: ReadRequest['request']): RequestSubject => ({
    ...keyOf(requestId),
    wallets: [context.account.toLowerCase(), context.recipient.toLowerCase()],
  })

  /** The request on chain; null for one that neither the chain nor the records know. */
  const readRequest = async (requestId: string, at?: bigint): Promise<ReadRequest | null> => {
    const read = await reads.request(requestId, at)
    if (read.request.status !== 0) return read
    if ((await findParties(database.rows, keyOf(requestId))) !== null) throw new Error(`the node lacks the recorded request ${requestId}`)
    return null
  }

  const getRequest = async (requestId: string, at?: bigint): Promise<ReadRequest> => {
    const read = await readRequest(requestId, at)
    if (read === null) throw new Error(`the chain has lost the request ${requestId}`)
    return read
  }

  /** Records the end of a request on chain; `topic` says who ended it. */
  const reconcile = (
    requestId: string,
    { request }: ReadRequest,
    topic: 'xcm.request_auto_finalized' | 'xcm.request_reconciled_terminal',
  ): Promise<OutcomeStatus> =>
    database.transaction(async (rows) => {
      const now = clock.now()
      const { settledAssets, settledShares, remoteRef, failureCode, updatedAt } = request
      const status = endOfRequest(request.status)
      if (status === null) throw new Error(`the request ${requestId} has not ended`)
      const numbers = { status, settledAssetsRaw: settledAssets, settledSharesRaw: settledShares, remoteRef, failureCode }
      const end = { ...numbers, observedAt: Number(updatedAt) * 1000, source: CHAIN_SOURCE }
      const subject = subjectOf(requestId, request)
      const data = {
        status,
        settledAssetsRaw: settledAssets.toString(),
        settledSharesRaw: settledShares.toString(),
        failureCode,
      }
      if (await markProcessed(rows, subject, end, now)) await emit(rows, requestEvent(subject, topic, now, data))
      return status
    })

  /** Announces that another party settles a request; it is looked at again later. */
  const reportManaged = async (requestId: string, { request }: ReadRequest): Promise<{ kind: 'adapter_managed'; retryAt: string }> => {
    const now = clock.now()
    const data = { adapter: request.queuedBy.toLowerCase() }
    await emit(database.rows, requestEvent(subjectOf(requestId, request), 'xcm.request_adapter_managed_pending', now, data))
    return { kind: 'adapter_managed', retryAt: iso(plusSeconds(now, MANAGED_PAUSE_SECONDS)) }
  }

  /** Whether a request is one of the configured adapter. */
  const isOwn = ({ queuedBy }: ReadRequest['request']): boolean => queuedBy.toLowerCase() === adapter

  return { wrapper, adapter, reads, keyOf, subjectOf, readRequest, getRequest, reconcile, reportManaged, isOwn }
}
export type ChainRequests = ReturnType<typeof createChainRequests>
