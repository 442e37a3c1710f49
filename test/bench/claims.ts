// How much a claim costs beside the least it could cost, and how long it takes on a chain with blocks of a second.
import { randomBytes } from 'node:crypto'
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { storeReading } from '../../activities/catalogue/reward-bank.ts'
import { insertJob } from '../../activities/catalogue/writes.ts'
import { openDatabase } from '../../activities/database/database.ts'
import { HANDLER_MODES } from '../../activities/verification/registry.ts'
import { createEngine } from '../../api/temporal/engine.ts'
import { buildJob } from '../../domain/verification/listing.ts'
import { JobInput } from '../../schemas/catalogue/job-input.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import type { NewClaim } from '../../schemas/claims/process.ts'
import { TASK_QUEUE } from '../../schemas/processes.ts'
import { AUTHOR } from '../domain/builders/job.ts'
import { aSession } from '../domain/builders/session.ts'
import { createHttp } from '../e2e/support/http.ts'
import { newJob } from '../e2e/support/jobs.ts'
import { type Fleet, startFleet } from '../support/fleet/fleet.ts'
import { meetVerdictNeeds } from '../support/records/verdict-needs.ts'
import { type Paired, paired, throughput } from './figures.ts'
import { BANK } from './jobs-list.ts'
import { bareUpdate } from './workflows.ts'

const IN_FLIGHT = 16
const ROUND_MS = 6_000
const ROUNDS = 5

const terms = { assetDecimals: new Map([['USDC', 6]]), handlerModes: HANDLER_MODES, ...AUTHOR }

const starter = () => buildJob(JobInput.parse(newJob({ rewardAmount: 0.2, onboardingWaiverEligible: true })), terms)

/** New jobs, listed before the measurement. */
const stock = async (databaseUrl: string, count: number) => {
  const database = openDatabase({ url: databaseUrl, poolSize: 4 })
  const jobs: JobRecord[] = []
  try {
    await storeReading(database.rows, { ...BANK, blockNumber: 1n })
    await meetVerdictNeeds(database.rows)
    for (let index = 0; index < count; index += 1)
      jobs.push(await insertJob(database.rows, starter(), { now: Date.now(), posterAddress: null }))
  } finally {
    await database.close()
  }
  return () => {
    const job = jobs.pop()
    if (job === undefined) throw new Error('the bench made too few jobs')
    return job
  }
}

const newClaim = ({ id, chainJobId, definition }: JobRecord): NewClaim => {
  const wallet = `0x${randomBytes(20).toString('hex')}`
  return {
    jobId: id,
    wallet,
    idempotencyKey: `${wallet}:${id}`,
    explicitKey: false,
    requestId: randomBytes(8).toString('hex'),
    protocol: 'http',
    grantId: null,
    responsiblePerson: null,
    economics: {
      waived: true,
      claimNumber: 1,
      waiverClaimsPerWallet: 3,
      stakeRaw: '20000',
      stakeBps: 1_000,
      feeRaw: '50000',
      feeBps: 200,
      retainedRaw: '50000',
      gasRetentionSupported: true,
      claimFeeRetainedOnSuccess: false,
      source: 'current_local_before_ensure',
    },
    withdrawableRaw: '0',
    block: '1',
    vestedRaw: '0',
    creditDebtRaw: '0',
    admission: aSession().admission,
    specSource: 'chain_verified',
    adopted: false,
    wasAdmitted: false,
    selfPaid: false,
    title: definition.title,
    chainJobId,
    verifierMode: definition.verifierMode,
  }
}

const bareClaim = (client: Client) => async (): Promise<void> => {
  const id = randomBytes(12).toString('hex')
  const answer = await client.workflow.executeUpdateWithStart(bareUpdate, {
    startWorkflowOperation: new WithStartWorkflowOperation('bareClaim', {
      workflowId: `bare/${id}`,
      taskQueue: TASK_QUEUE,
      workflowIdConflictPolicy: 'FAIL',
      args: [{ id }],
    }),
  })
  if (answer !== id) throw new Error(`a bare claim of the bench was answered with ${answer}, not ${id}`)
}

const round = (unit: () => Promise<unknown>) => () => throughput(IN_FLIGHT, ROUND_MS, unit)

/** A claim through the engine, and one through the API, each compared with the bare one. */
export const measureClaims = async (fleet: Fleet): Promise<{ engine: Paired; http: Paired }> => {
  const connection = await Connection.connect({ address: fleet.temporalAddress })
  const client = new Client({ connection })
  const engine = createEngine({ client, waitMs: 25_000, draining: new AbortController().signal })
  const nextJob = await stock(fleet.databaseUrl, 3_000)
  const http = createHttp(fleet.apis[0]?.base ?? '', { check: () => [] })
  const durable = async (): Promise<void> => {
    const job = nextJob()
    const answer = await engine.watchOutages((gone) => engine.claim(newClaim(job), gone))
    if (answer.kind !== 'done') throw new Error(`a claim of the bench was ${answer.kind}`)
    if (!answer.value.sessionId.startsWith(`${job.id}:`))
      throw new Error(`a claim of ${job.id} was answered with ${answer.value.sessionId}`)
  }
  const whole = async (): Promise<void> => {
    const agent = await http.agent(privateKeyToAccount(generatePrivateKey()))
    const { status, body } = await agent.call('/jobs/claim', { body: { jobId: nextJob().id } })
    if (status !== 200 || body.status !== 'claimed') throw new Error(`a claim of the bench was answered with ${status} ${body.code}`)
  }
  const bare = bareClaim(client)
  try {
    await Promise.all([throughput(IN_FLIGHT, 2_000, durable), throughput(IN_FLIGHT, 2_000, bare)])
    return { engine: await paired(ROUNDS, round(durable), round(bare)), http: await paired(3, round(whole), round(bare)) }
  } finally {
    await connection.close()
  }
}

if (import.meta.main) {
  const fleet = await startFleet({ workerScript: 'test/bench/worker.ts', env: { REWARD_BANK_MAX_AGE_SECONDS: '86400' } })
  try {
    console.log(await measureClaims(fleet))
  } finally {
    await fleet.close()
  }
}
