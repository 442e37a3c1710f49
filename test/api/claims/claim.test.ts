import { beforeEach, describe, expect, test } from '@jest/globals'
import { type KyselyPlugin, sql } from 'kysely'
import type { Hex } from 'viem'
import type { ClaimChainFacts } from '../../../activities/chain/reads.ts'
import type { Database } from '../../../activities/database/database.ts'
import { createEvaluations } from '../../../activities/eligibility/evaluate.ts'
import { createClaimJob } from '../../../api/claims/claim.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { claimJob } from '../../../schemas/claims/operations.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { testChain } from '../../support/api.ts'
import { onChainJob, walletChainFacts } from '../../support/chain-facts.ts'
import { eventually } from '../../support/eventually.ts'
import { evmIdentities } from '../../support/native/identities.ts'
import { BASE_URL, inputOf, NOW, refusal } from '../support/account-world.ts'
import { fillBank, listJob } from '../support/listed-job.ts'
import { useDatabase } from '../support/own-database.ts'
import { addIntent, addSessionOf, type SessionRow } from '../support/work-rows.ts'

const OWNER: Hex = `0x${'a1'.repeat(20)}`
const OTHER: Hex = `0x${'b2'.repeat(20)}`

const database = useDatabase()

let jobId = ''
let specHash: Hex
let jobSnapshot: SessionRow['jobSnapshot']
let number = 0
beforeEach(async () => {
  number += 1
  await fillBank(database)
  ;({ jobId, specHash, jobSnapshot } = await listJob(database, `contended-${number}`))
})

/** A job that OWNER has claimed on chain. */
const claimedByOwner = (): ClaimChainFacts => ({
  ...walletChainFacts(),
  job: onChainJob({ state: 'claimed', poster: OTHER, worker: OWNER, specHash, claimExpiresAt: NOW + 3_600_000 }),
  preview: { claimStakeRaw: 100_000n, claimStakeBps: 1_000, claimFeeRaw: 50_000n, claimFeeBps: 200, waived: false, claimNumber: 1 },
})

/** The handler of a claim; before the chain is read, and after the records were, `meanwhile` happens. */
const handlerWith = (meanwhile: () => Promise<unknown>, refreshBank: () => Promise<void> = () => fillBank(database)) => {
  const settings = readSettings({ DATABASE_URL: 'postgres://unused', CHAIN_FILE: 'unused' })
  const clock = { now: () => NOW }
  const running = { begun: 0, ended: 0 }
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      running.begun += 1
      return node
    },
    transformResult: async ({ result }) => {
      running.ended += 1
      return result
    },
  }
  const claimFacts = async () => {
    await eventually('the records were read', () => running.begun === running.ended)
    await meanwhile()
    return claimedByOwner()
  }
  const reads = { claimFacts } as unknown as ApiDeps['reads']
  const evaluations = createEvaluations({
    database: { rows: database.rows.withPlugin(counting), transaction: database.transaction } as Database,
    settings,
    chain: testChain,
    clock,
    reads,
    identities: evmIdentities,
  })
  const engine = {
    findClaimRun: async () => null,
    watchOutages: <T>(work: (gone: AbortSignal) => Promise<T>) => work(new AbortController().signal),
  }
  const handler = createClaimJob({ database, evaluations, engine, clock, settings, refreshBank, baseUrl: BASE_URL } as unknown as ApiDeps)
  return (wallet: Hex) => handler(inputOf(claimJob, { wallet, body: { jobId } }))
}

describe('a claim that loses to one recorded during its evaluation', () => {
  test('is refused with the holder of the job', async () => {
    const claim = handlerWith(() => addSessionOf(database, OWNER, jobId, NOW))
    expect(await refusal(claim(OTHER))).toBe('job_already_claimed')
  })

  const evidence = { verifierMode: 'benchmark', assetDecimals: 6, gasRetainedRaw: '0', submitFailedAt: null }

  test('is answered with the wallet’s own session when both are its own', async () => {
    const claim = handlerWith(() => addSessionOf(database, OWNER, jobId, NOW, { jobSnapshot, evidence }))
    expect(await claim(OWNER)).toMatchObject({ status: 200, body: { jobId, wallet: OWNER, status: 'claimed' } })
  })

  test('is answered as pending when it is the wallet’s own and not recorded yet', async () => {
    const claim = handlerWith(() => addIntent(database, OWNER, jobId))
    expect(await claim(OWNER)).toMatchObject({ status: 202, body: { jobId, wallet: OWNER } })
    expect(await refusal(handlerWith(async () => undefined)(OTHER))).toBe('claim_in_progress')
  })

  test('is refused as not claimable when no recorded claim explains the chain', async () => {
    expect(await refusal(handlerWith(async () => undefined)(OTHER))).toBe('job_not_claimable')
  })
})

describe('a claim that meets an old reading of the reward bank', () => {
  beforeEach(async () => {
    await sql`update reward_bank_reading set read_at = now() - interval '61 seconds'`.execute(database.rows)
  })

  test('reads the bank again and goes on to the chain', async () => {
    let refreshed = 0
    const claim = handlerWith(
      async () => undefined,
      async () => {
        refreshed += 1
        await fillBank(database)
      },
    )
    expect(await refusal(claim(OTHER))).toBe('job_not_claimable')
    expect(refreshed).toBe(1)
    expect(await refusal(claim(OTHER))).toBe('job_not_claimable')
    expect(refreshed).toBe(1)
  })

  test('reads the bank for the first time where no worker has read it', async () => {
    await sql`delete from reward_bank_reading`.execute(database.rows)
    expect(await refusal(handlerWith(async () => undefined)(OTHER))).toBe('job_not_claimable')
  })

  test('is refused when the bank cannot be read, and when it does not hold the reward', async () => {
    const unreadable = handlerWith(
      async () => undefined,
      async () => {
        throw new ServiceError('blockchain_unavailable')
      },
    )
    expect(await refusal(unreadable(OTHER))).toBe('blockchain_unavailable')
    const empty = handlerWith(
      async () => undefined,
      () => fillBank(database, 0n),
    )
    expect(await refusal(empty(OTHER))).toBe('reward_funding_pending')
  })
})
