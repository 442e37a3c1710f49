import type { Hex } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { claimWorkflowId } from '../../schemas/claims/process.ts'
import type { EscrowJob } from '../chain/block-reads.ts'
import type { ChainClients } from '../chain/clients.ts'
import { findEventTransaction, readTransaction, type SearchedEvent } from '../chain/escrow-events.ts'
import type { Transactions } from '../chain/journal/send.ts'
import type { ChainReads } from '../chain/reads.ts'
import type { Clock } from '../common/clock.ts'
import type { Database } from '../database/database.ts'

export interface ClaimStepDeps {
  database: Database
  chain: ChainFile
  clients: ChainClients
  reads: ChainReads
  transactions: Transactions
  clock: Clock
}

/** Journal key of a step of one run. A repeated step finds its own transaction; another attempt of the job never does. */
export const stepKey = (jobId: string, runId: string, step: string): string => `${claimWorkflowId(jobId)}/${runId}/${step}`

/** Whether the escrow holds a claim of this wallet (lower case), expired or not. */
export const isClaimedBy = ({ state, worker }: EscrowJob, wallet: string): boolean =>
  state === 'claimed' && worker?.toLowerCase() === wallet

/** Whether the escrow holds a claim of this wallet (lower case), expired or not, or its submission. */
export const isHeldBy = (job: EscrowJob, wallet: string): boolean =>
  isClaimedBy(job, wallet) || (job.state === 'submitted' && job.worker?.toLowerCase() === wallet)

/** The newest transaction that emitted the event for the job, with its receipt; null if there is none. */
export const findJobTransaction = async (
  { chain, clients: { reader }, reads }: Pick<ClaimStepDeps, 'chain' | 'clients' | 'reads'>,
  eventName: SearchedEvent,
  chainJobId: Hex,
) => {
  const genesis = chain.contracts.escrow.generations.find(({ mode }) => mode === 'live')?.deployBlock ?? 0
  const txHash = await findEventTransaction(reader, reads.escrowAddress, eventName, chainJobId, BigInt(genesis))
  return txHash === null ? null : readTransaction(reader, txHash)
}
