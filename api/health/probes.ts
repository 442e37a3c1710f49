import type { Logger } from 'pino'
import { readFollowerLag } from '../../activities/chain/follower/cursor.ts'
import type { SignerStatus } from '../../activities/chain/journal/nonce-status.ts'
import type { ChainNodes } from '../../activities/chain/node/nodes.ts'
import type { ChainReads } from '../../activities/chain/reads.ts'
import { type Database, readRecords } from '../../activities/database/database.ts'
import type { DomainCheck } from '../../activities/paid-verification/payment/chain.ts'
import { findCertificateProblem } from '../../activities/temporal/certificates.ts'
import type { EngineConnection } from '../../activities/temporal/connection.ts'
import { isCertificateError } from '../../schemas/database-url.ts'
import type { Engine } from '../temporal/engine.ts'

interface ProbedParts {
  database: Database
  engine: Engine
  reads: ChainReads
  /** Status of every signer of the transaction journal; reads database and chain. */
  nonces: () => Promise<Pick<SignerStatus, 'signer' | 'trouble'>[]>
  /** What the nodes' answers to this process show. */
  evidence: ChainNodes['evidence']
  /** What the token of the payment chain says of its signing domain; null where no payments are configured. */
  settlement: () => Promise<DomainCheck | null>
}

/** Checks of the dependencies. Each rejects when its dependency does not answer. */
export const createProbes = ({ database, engine, reads, nonces, evidence, settlement }: ProbedParts) => ({
  nonces,
  evidence,
  settlement,
  database: () => readRecords(database),
  /** Wall-clock epoch ms of the last poll of any worker on the task queue; null when there was none. */
  temporal: async () => ({ polls: await engine.readPolls() }),
  /** Runners of programs that poll now. */
  runners: () => engine.readRunners(),
  /** Workflows that are blocked or fail in every task. */
  stopped: () => engine.countStoppedRuns(),
  /** Time of the latest block, epoch ms, and whether the contracts are paused. */
  chain: async () => {
    // The reading of a claim: a node that fails for claims must not pass here.
    const { block, policy } = await reads.walletFacts(reads.escrowAddress)
    return { blockTime: block.time, paused: policy.paused }
  },
  /** How far the records are behind the chain; null when no worker has followed it yet. */
  follower: () => readFollowerLag(database.rows, reads.chain.chainId),
})
export type Probes = ReturnType<typeof createProbes>

/** Logs one line for a server whose certificate is refused, or which refuses ours: requests see only that it does not answer. */
export const reportCertificates = async (deps: { logger: Logger; database: Database }, engine: EngineConnection): Promise<void> => {
  const { logger, database } = deps
  const problem = await findCertificateProblem(engine)
  if (problem !== null) logger.error({ reason: problem }, 'no secure connection to the workflow engine')
  try {
    await readRecords(database)
  } catch (error) {
    if (isCertificateError(error)) logger.error({ reason: error.message }, 'no secure connection to the database')
  }
}
