import { sql } from 'kysely'
import type { Hex } from 'viem'
import { REQUEST_STATUSES } from '../../../schemas/cross-chain/record.ts'
import { xcmWrapperAbi } from '../../chain/abi/xcm-wrapper.ts'
import { type Check, mapPages, SETTLING_MS } from '../context.ts'

interface Recorded {
  requestId: string
  /** Status and settled amounts by the records; null for a request without a settled outcome. */
  outcome: string | null
}

const ENDED = 2

/** Compares every request that was queued on the wrapper with its recorded outcome. */
export const checkCrossChain: Check = async ({ rows, chain, client, block, now }, add) => {
  const { xcm } = chain.contracts
  if (xcm === undefined) return
  const address = xcm.wrapper.address.toLowerCase() as Hex
  const found = await sql<Recorded>`
    select e.args->>'requestId' as "requestId", (
      select concat_ws(' ', o.status, o.settled_assets_raw, o.settled_shares_raw, o.failure_code) from cross_chain_outcome o
      where o.wrapper = ${address} and o.request_id = e.args->>'requestId' and o.processed_at is not null
    ) as outcome
    from chain_event e
    where e.chain_id = ${chain.chainId} and e.contract = 'xcm' and e.event = 'RequestQueued' and e.address = ${address}
      and e.removed_at is null and e.block_number <= ${block.number}`.execute(rows)
  await mapPages(found.rows, async ({ requestId, outcome }) => {
    const args = [requestId as Hex] as const
    const request = await client.readContract({ address, abi: xcmWrapperAbi, functionName: 'getRequest', args, blockNumber: block.number })
    const { status, settledAssets, settledShares, failureCode, updatedAt } = request
    const isSettled = now() - Number(updatedAt) * 1000 > SETTLING_MS
    const onChain = status < ENDED ? null : [REQUEST_STATUSES[status], settledAssets, settledShares, failureCode].join(' ')
    if (onChain !== outcome && (isSettled || onChain === null))
      add({ subject: `cross-chain request ${requestId}`, expected: onChain ?? 'no outcome', found: outcome ?? 'no outcome' })
  })
}
