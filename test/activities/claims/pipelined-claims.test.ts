import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createChainClients } from '../../../activities/chain/clients.ts'
import type { AdmittedClaim } from '../../../schemas/claims/process.ts'
import { eventually } from '../../support/eventually.ts'
import { type NodeGate, startNodeGate } from '../support/node-gate.ts'
import { type Service, startService } from '../support/service.ts'
import { codeOf, openSettlements } from '../support/settlements.ts'

let service: Service
let gate: NodeGate
let steps: Service['steps']
beforeAll(async () => {
  service = await startService()
  gate = await startNodeGate(service.world.rpcUrl)
  steps = service.stepsOn({ clients: createChainClients({ ...service.chain, rpc: { ...service.chain.rpc, primary: gate.url } }) })
})
afterAll(async () => {
  await gate.stop()
  await service.stop()
})

const { admit, bondInput, openOnChain } = openSettlements(() => service)
const admitted = async (changes: Parameters<typeof admit>[0] = {}) => (await admit(changes)).admitted
/** A claim of a job without fee and stake, by a wallet without money. */
const admittedWaived = async (name: string) =>
  admitted({ jobId: await service.addJob(name, { onboardingWaiverEligible: true }), poor: true })
const lock = (claim: AdmittedClaim) => steps.lockBond(bondInput(claim))
/** Whether the step has reached the chain's part, which sets the stage of a new job. */
const isLocking = async ({ runId }: AdmittedClaim): Promise<boolean> => {
  const { stage } = await service.rows.selectFrom('claim_intent').select('stage').where('runId', '=', runId).executeTakeFirstOrThrow()
  return stage === 'creating_escrow_job'
}
const release = ({ runId }: AdmittedClaim) => service.admission.releaseClaim({ runId, code: 'insufficient_liquidity' })

/** A job whose claim on chain has run out without a record of it. */
const lapsedOnChain = async (): Promise<string> => {
  const claim = await admitted()
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
    gate.spoil()
    const claims: AdmittedClaim[] = []
    for (const _paid of [1, 2, 3, 4]) claims.push(await admitted())
    for (const number of [1, 2, 3, 4]) claims.push(await admittedWaived(`waived-${number}`))
    for (const jobId of [...open, ...lapsed]) claims.push(await admitted({ jobId }))
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

    expect(gate.callsOf('eth_sendRawTransaction').length).toBeGreaterThanOrEqual(sent.length)
    expect(gate.callsOf('eth_estimateGas')).toEqual([])
  })
})

describe('a claim that is refused while its process is frozen', () => {
  test('signs nothing when the process goes on', async () => {
    const claim = await admitted()
    const before = await journalled()
    let refused = Promise.resolve('')
    await service.database.transaction(async (rows) => {
      await rows.selectFrom('chain_nonce').select('signer').forUpdate().execute()
      refused = codeOf(lock(claim))
      await eventually('the step has reached the chain', () => isLocking(claim))
      await release(claim)
    })
    expect(await refused).toBe('insufficient_liquidity')
    expect(await journalled()).toEqual(before)
  })
})
