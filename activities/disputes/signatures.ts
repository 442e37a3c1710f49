import { randomUUID } from 'node:crypto'
import { encodeFunctionData, type Hex } from 'viem'
import { iso } from '../../domain/common/instants.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { Preparation } from '../../schemas/disputes/shapes.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { escrowCoreAbi } from '../chain/abi/escrow-core.ts'
import type { Database } from '../database/database.ts'
import { appendEntry } from '../sessions/dispute.ts'
import { type Award, resolutionOf } from '../settlement/verdict-calls.ts'
import { findDecision, lockDispute, updateDecision } from './rows.ts'

/** Builds the unsigned call of a verdict for an arbitrator with an external key. */
export type PrepareVerdict = (session: SessionRecord, award: Award) => Preparation['transaction']

/** Prepares the unsigned `resolveDispute` call of a verdict for an arbitrator with an external key. */
export const resolveDisputeTransaction =
  ({ chain, escrow, publicBaseUrl }: { chain: ChainFile; escrow: Hex; publicBaseUrl: string }): PrepareVerdict =>
  (session, award) => {
    const args = resolutionOf(session, award, publicBaseUrl)
    return {
      to: escrow.toLowerCase(),
      data: encodeFunctionData({ abi: escrowCoreAbi, functionName: 'resolveDispute', args }),
      value: '0',
      chainId: chain.chainId,
      function: 'resolveDispute(bytes32,uint256,bytes32,string)',
      args: args.map(String),
    }
  }

/** A call for an external arbitrator's signature; `now` in epoch ms. */
export const preparationOf = (transaction: Preparation['transaction'], now: number): Preparation => ({
  preparationId: randomUUID(),
  preparedAt: iso(now),
  transaction,
})

/**
 * Prepares a verdict for an external signature because its key was removed after the decision. A repeat keeps the first preparation, which an
 * arbitrator may be signing.
 */
export const awaitExternalSignature = (
  database: Database,
  { sessionId }: SessionRecord,
  transaction: Preparation['transaction'],
  now: number,
): Promise<void> =>
  database.transaction(async (rows) => {
    const dispute = await lockDispute(rows, sessionId)
    const decision = await findDecision(rows, dispute)
    if (dispute === null || decision === null || decision.preparation !== null || decision.observed !== null) return
    const { disputeId } = dispute
    const preparation = preparationOf(transaction, now)
    await updateDecision(rows, dispute, { preparation })
    await rows.updateTable('dispute').set({ arbitrator: null }).where('disputeId', '=', disputeId).execute()
    const data = { verdict: decision.verdict, preparationId: preparation.preparationId, reason: 'no_arbitrator_key_held' }
    await appendEntry(rows, disputeId, { at: now, actor: 'system:dispute', action: 'verdict_prepared', data })
  })
