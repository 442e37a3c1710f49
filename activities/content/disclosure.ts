import { sql } from 'kysely'
import { encodeFunctionData, type Hex } from 'viem'
import {
  type ContentChainActivities,
  type ContentDisclosureInput,
  type ContentKey,
  type ContentRecordActivities,
  contentDisclosureWorkflowId,
} from '../../schemas/content/process.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { escrowCoreAbi } from '../chain/abi/escrow-core.ts'
import type { TransactionIntent } from '../chain/journal/rows.ts'
import type { Transactions } from '../chain/journal/send.ts'
import { BlockedStepError } from '../common/blocked.ts'
import type { RecordDeps } from '../database/database.ts'
import { getContentOf, listContent } from './records.ts'

/** Gas of the call, with reserve. */
const DISCLOSE_GAS = 150_000n

export interface DisclosureDeps extends RecordDeps {
  reads: { escrowAddress: Hex }
  transactions: Pick<Transactions, 'hasKey' | 'countDeadTries' | 'sendStep'>
}

/** Publishes blobs early and announces that on chain. Source: identity, "Content blobs". */
export const createDisclosureSteps = (deps: DisclosureDeps): ContentRecordActivities & ContentChainActivities => {
  const { database, reads, transactions, clock } = deps

  const intentOf = (key: string, { hash, owner, requestId }: ContentDisclosureInput): TransactionIntent => ({
    key,
    to: reads.escrowAddress,
    functionName: 'discloseFor',
    data: encodeFunctionData({ abi: escrowCoreAbi, functionName: 'discloseFor', args: [hash as Hex, owner as Hex] }),
    gas: DISCLOSE_GAS,
    requestId,
  })

  /** Changes a blob whose chain event is still requested. */
  const record = async (
    { hash, owner }: ContentKey,
    outcome: { disclosure: 'emitted' | 'blockchain_disabled'; disclosureTxHash?: Hex },
  ) => {
    await database.rows
      .updateTable('content')
      .set(outcome)
      .where((is) => is.and({ hash, owner, disclosure: 'pending' }))
      .execute()
  }

  /** Transaction of an event that the follower recorded; null without one. */
  const findRecorded = async ({ hash, owner }: ContentKey): Promise<Hex | null> => {
    const found = await database.rows
      .selectFrom('chain_event')
      .select('txHash')
      .where((is) => is.and({ contract: 'escrow', event: 'Disclosed' }))
      .where('removedAt', 'is', null)
      .where(sql<boolean>`args->>'hash' = ${hash} and args->>'byWallet' = ${owner}`)
      .limit(1)
      .executeTakeFirst()
    return found === undefined ? null : (found.txHash as Hex)
  }

  /** Sends the event, or finds it. A node may learn late that a transaction it declared dead was mined. */
  const send = async (input: ContentDisclosureInput): Promise<Hex> => {
    const step = contentDisclosureWorkflowId(input.hash, input.owner)
    const recorded = (await transactions.countDeadTries(step)) > 0 ? await findRecorded(input) : null
    if (recorded !== null) return recorded
    const mined = await transactions.sendStep('verifier', step, (key) => intentOf(key, input))
    if (mined.status === 'mined') return mined.txHash
    throw new BlockedStepError('blockchain_revert', `discloseFor was reverted: ${mined.revertReason}`)
  }

  return {
    publishContent: async ({ hash, owner, requestId }) => {
      const rows = await listContent(database.rows, hash)
      if (!rows.some((row) => row.owner === owner)) throw new ServiceError('content_not_found', { details: { hash } })
      await database.rows
        .updateTable('content')
        .set({ publishedAt: clock.now(), publishedBy: requestId, disclosure: 'pending' })
        .where((is) => is.and({ hash, owner }))
        .where('publishedAt', 'is', null)
        .execute()
    },

    discloseContent: async (input) => {
      const { disclosure, disclosureTxHash } = await getContentOf(database.rows, input)
      if (disclosure !== 'pending') return { details: `Published. Event: ${disclosureTxHash ?? disclosure ?? 'not requested'}.` }
      if (!transactions.hasKey('verifier')) {
        await record(input, { disclosure: 'blockchain_disabled' })
        return { details: 'Published. No event: this worker has no verifier key.' }
      }
      const txHash = await send(input)
      await record(input, { disclosure: 'emitted', disclosureTxHash: txHash })
      return { details: `Published. Event: ${txHash}.` }
    },
  }
}
