// A job of the catalogue as an operator lists it, and a bank that can pay for it.
import type { z } from 'zod'
import { storeReading } from '../../../activities/catalogue/reward-bank.ts'
import { insertJob } from '../../../activities/catalogue/writes.ts'
import type { Database } from '../../../activities/database/database.ts'
import { HANDLER_MODES } from '../../../activities/verification/registry.ts'
import { buildJob } from '../../../domain/verification/listing.ts'
import { JobInput } from '../../../schemas/catalogue/job-input.ts'
import { AUTHOR } from '../../domain/builders/job.ts'
import { meetVerdictNeeds } from '../../support/records/verdict-needs.ts'
import { NOW } from './account-world.ts'

/** What an operator sends to list a job of 1 USDC. */
export const jobInput = (id: string) => ({
  id,
  title: 'Retry policy of a client',
  description: 'Design the retry policy of a client.',
  category: 'coding',
  tier: 'starter',
  rewardAmount: 1,
  lane: 'liveness',
  verifierMode: 'benchmark',
  verifierTerms: ['jitter'],
})

/** The job as its listing builds it. */
export const builtJob = (id: string, changes: Partial<z.input<typeof JobInput>> = {}) =>
  buildJob(JobInput.parse({ ...jobInput(id), ...changes }), {
    assetDecimals: new Map([['USDC', 6]]),
    handlerModes: HANDLER_MODES,
    ...AUTHOR,
  })

/** Lists the job at NOW; `jobSnapshot` is what a session on it pins. */
export const listJob = async (database: Database, id: string, changes: Partial<z.input<typeof JobInput>> = {}) => {
  const built = builtJob(id, changes)
  await insertJob(database.rows, built, { now: NOW, posterAddress: null })
  return { jobId: built.definition.id, specHash: built.specHash, jobSnapshot: { specDefinition: { ...built.definition } } }
}

/** A reading of the reward bank that covers every job of a test, and everything that a verdict needs. */
export const fillBank = async (database: Database, liquidRaw = 1_000_000_000n): Promise<void> => {
  await meetVerdictNeeds(database.rows)
  await storeReading(database.rows, {
    asset: 'USDC',
    liquidRaw,
    posterFeeBps: 0,
    posterFeeFloorRaw: 0n,
    stakeBps: 1_000,
    feeBps: 200,
    minFeeRaw: 50_000n,
    blockNumber: 1n,
  })
}
