import { sql } from 'kysely'
import type { Hex } from 'viem'
import { endOfRequest } from '../../../domain/cross-chain/outcome.ts'
import { xcmWrapperAbi } from '../../chain/abi/xcm-wrapper.ts'
import { type Check, mapPages, SETTLING_MS } from '../context.ts'

interface Recorded {
  requestId: string
  /** Status, settled amounts and failure code by the records; empty for a request without a settled outcome. */
  outcome: string
}

/** Compares every request of the wrapper, queued or recorded as ended, with its recorded outcome. */
export const checkCrossChain: Check = async ({ rows, chain, client, block, now }, add) => {
  const { xcm } = chain.contracts
  if (xcm === undefined) return
  const address = xcm.wrapper.address.toLowerCase() as Hex
  const found = await sql<Recorded>`
    with request as (
      select args->>'requestId' as id from chain_event
      where chain_id = ${chain.chainId} and contract = 'xcm' and event = 'RequestQueued' and address = ${address}
        and removed_at is null and block_number <= ${block.number}
      union
      select request_id from cross_chain_outcome where wrapper = ${address} and processed_at is not null
    )
    select r.id as "requestId", concat_ws(' ', o.status, o.settled_assets_raw, o.settled_shares_raw, o.failure_code) as outcome
    from request r
    left join cross_chain_outcome o on o.wrapper = ${address} and o.request_id = r.id and o.processed_at is not null`.execute(rows)
  await mapPages(found.rows, async ({ requestId, outcome }) => {
    const args = [requestId as Hex] as const
    const request = await client.readContract({ address, abi: xcmWrapperAbi, functionName: 'getRequest', args, blockNumber: block.number })
    const end = endOfRequest(request.status)
    const onChain = end === null ? '' : [end, request.settledAssets, request.settledShares, request.failureCode].join(' ')
    // The process of a request that has just ended may not have recorded it.
    const isSettled = end === null || now() - Number(request.updatedAt) * 1000 > SETTLING_MS
    if (onChain !== outcome && isSettled)
      add({ subject: `cross-chain request ${requestId}`, expected: onChain || 'no outcome', found: outcome || 'no outcome' })
  })
}
