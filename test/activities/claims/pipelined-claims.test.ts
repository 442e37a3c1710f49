import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createChainClients } from '../../../activities/chain/clients.ts'
import type { AdmittedClaim } from '../../../schemas/claims/process.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import { fund } from '../../contracts/support/jobs.ts'
import { eventually } from '../../support/eventually.ts'
import { claimInput } from '../../workflows/support/claim-input.ts'
import { type RpcRecorder, startRpcRecorder } from '../support/rpc-recorder.ts'
import { type Service, startService, walletAt } from '../support/service.ts'

let service: Service
let recorder: RpcRecorder
let steps: Service['steps']
beforeAll(async () => {
  service = await startService()
  recorder = await startRpcRecorder(service.world.rpcUrl)
  steps = service.stepsOn({ clients: createChainClients({ ...service.chain, rpc: { ...service.chain.rpc, primary: recorder.url } }) })
})
afterAll(async () => {
  await recorder.stop()
  await service.stop()
})

let count = 0
const admit = async (job: { waived?: boolean; poor?: boolean; jobId?: string } = {}): Promise<AdmittedClaim> => {
  count += 1
  const number = count
  const wallet = walletAt(number)
  if (job.waived !== true && job.poor !== true) await fund(service.world, wallet, 10_000_000n)
  const terms = job.waived === true ? { onboardingWaiverEligible: true } : {}
  const jobId = job.jobId ?? (await service.addJob(`job-${number}`, terms))
  return service.admission.admitClaim({
    ...claimInput(jobId, { wallet, idempotencyKey: `${wallet}:${jobId}` }),
    runId: `run-${number}`,
  })
}
const lock = (claim: AdmittedClaim) => steps.lockBond({ ...claim, requestId: `request of ${claim.runId}` })
/** Whether the step has reached the chain's part, which sets the stage of a new job. */
const isLocking = async ({ runId }: AdmittedClaim): Promise<boolean> => {
  const { stage } = await service.rows.selectFrom('claim_intent').select('stage').where('runId', '=', runId).executeTakeFirstOrThrow()
  return stage === 'creating_escrow_job'
}
const release = ({ runId }: AdmittedClaim) => service.admission.releaseClaim({ runId, code: 'insufficient_liquidity' })

/** A job that stands open on chain, since its claim was refused there. */
const openOnChain = async (): Promise<string> => {
  const claim = await admit({ poor: true })
  const code = await lock(claim).catch((error: unknown) => (isServiceError(error) ? error.code : error))
  expect(code).toBe('insufficient_liquidity')
  await release(claim)
  return claim.jobId
}

/** A job whose claim on chain has run out without a record of it. */
const lapsedOnChain = async (): Promise<string> => {
  const claim = await admit()
  await lock(claim)
  await release(claim)
  return claim.jobId
}

const journalled = () =>
  service.rows.selectFrom('chain_transaction').select(['nonce', 'functionName', 'gas', 'status']).orderBy('nonce').execute()

describe('claims of every kind at once from one signer', () => {
  test('are sent in one gapless row of nonces with fixed gas: no node is asked for an estimate', async () => {
    const lapsed = [await lapsedOnChain(), await lapsedOnChain()]
    await service.pass(3_700)
    const open = [await openOnChain(), await openOnChain()]
    const before = await journalled()
    recorder.methods.length = 0

    const kinds = [
      ...Array.from({ length: 4 }, () => ({})),
      ...Array.from({ length: 4 }, () => ({ waived: true })),
      ...[...open, ...lapsed].map((jobId) => ({ jobId })),
    ]
    const claims: AdmittedClaim[] = []
    for (const kind of kinds) claims.push(await admit(kind))
    const bonds = await Promise.all(claims.map(lock))
    expect(bonds.map(({ waived }) => waived)).toEqual(claims.map((_, index) => index >= 4 && index < 8))

    const sent = (await journalled()).slice(before.length)
    expect(new Set(sent.map(({ functionName }) => functionName))).toEqual(
      new Set([
        'createSinglePayoutJob',
        'createSinglePayoutJobFeeWaived',
        'setOnboardingWaiverEligible',
        'claimJobFor',
        'handleClaimTimeout',
      ]),
    )
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set(['mined']))
    const first = (before.at(-1)?.nonce ?? -1) + 1
    expect(sent.map(({ nonce }) => nonce)).toEqual(sent.map((_, index) => first + index))
    const gasOf = (functionName: string) => new Set(sent.filter((one) => one.functionName === functionName).map(({ gas }) => gas))
    for (const functionName of new Set(sent.map((one) => one.functionName))) expect(gasOf(functionName).size).toBe(1)

    expect(recorder.methods.filter((method) => method === 'eth_sendRawTransaction').length).toBeGreaterThanOrEqual(sent.length)
    expect(recorder.methods).not.toContain('eth_estimateGas')
  })
})

describe('a claim that is refused while its process is frozen', () => {
  test('signs nothing when the process goes on', async () => {
    const claim = await admit()
    const before = await journalled()
    let refused: Promise<unknown> = Promise.resolve()
    await service.database.transaction(async (rows) => {
      await rows.selectFrom('chain_nonce').select('signer').forUpdate().execute()
      refused = lock(claim).catch((error: unknown) => (isServiceError(error) ? error.code : error))
      await eventually('the step has reached the chain', () => isLocking(claim))
      await release(claim)
    })
    expect(await refused).toBe('insufficient_liquidity')
    expect(await journalled()).toEqual(before)
  })
})
