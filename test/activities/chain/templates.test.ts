import { beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { decodeFunctionData, erc20Abi, type Hex, MethodNotFoundRpcError } from 'viem'
import { depositSteps } from '../../../activities/accounts/templates.ts'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { type ChainClients, createChainClients } from '../../../activities/chain/clients.ts'
import { walletTokens } from '../../../activities/chain/simulation.ts'
import { broadcastBy, buildTemplates, contractCall, expectedView, type TemplateStep } from '../../../activities/chain/templates.ts'
import { approvalView } from '../../../activities/chain/unsigned-transactions.ts'
import { ChainFile } from '../../../schemas/chain/chain-file.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import { startWorld, type World, who } from '../../contracts/support/world.ts'

let world: World
let chain: ChainFile
let clients: ChainClients
beforeAll(async () => {
  world = await startWorld(0n)
  chain = ChainFile.parse({
    ...world.deployment,
    caip2: 'eip155:31337',
    name: 'Test chain',
    rpc: { primary: world.rpcUrl, backups: ['http://second.test', world.rpcUrl], writeUrls: ['http://private.test'] },
    nativeSymbol: 'PAS',
  })
  clients = createChainClients({ ...chain, rpc: { ...chain.rpc, backups: [] } })
})

const head = async () => {
  const { number, hash, timestamp } = await world.client.getBlock()
  return { number, hash, time: Number(timestamp) * 1000 }
}
const wallet = who.stranger
const transfer = (amount: bigint) => contractCall(world.at.token, { abi: erc20Abi, functionName: 'transfer', args: [who.poster, amount] })
const only = (step: TemplateStep) => ({ steps: [step], watched: [] })
const refusalOf = async (work: Promise<unknown>) => {
  const error = await work.catch((thrown: unknown) => thrown)
  return isServiceError(error) ? { code: error.code, ...error.info } : error
}

describe('templates', () => {
  test('the data of a call says what its decoded form says', () => {
    const call = contractCall(
      world.at.accounts,
      { abi: agentAccountCoreAbi, functionName: 'withdraw', args: [world.at.token, 5n] },
      { amountUnit: 'raw' },
    )
    expect(call.decoded).toEqual({ function: 'withdraw(address,uint256)', args: { asset: world.at.token, amount: '5', amountUnit: 'raw' } })
    expect(decodeFunctionData({ abi: agentAccountCoreAbi, data: call.data })).toEqual({
      functionName: 'withdraw',
      args: [world.at.token, 5n],
    })
  })

  test('an estimate is of the block of the answer, not of what happened since', async () => {
    const before = await head()
    await world.run(who.owner, 'token', 'mint', wallet, 10n)
    const step = { step: 'transfer', call: transfer(10n) }
    expect(await refusalOf(buildTemplates(clients, wallet, only(step), before))).toMatchObject({
      code: 'invalid_request',
      reason: 'GasEstimateUnavailable',
      details: { step: 'transfer', function: 'transfer(address,uint256)' },
    })
    const built = await buildTemplates(clients, wallet, only(step), await head())
    expect(built.templates[0]).toMatchObject({
      unsigned: true,
      from: wallet,
      value: '0',
      chainId: 31_337,
      gasEstimate: { status: 'estimated' },
    })
  })

  const prerequisite = { code: 'approve_confirmed_on_chain', reason: 'first the approval' } as const

  test.each([
    ['a step', {}],
    ['a step that waits for another one', { prerequisite }],
  ])('%s that cannot work refuses all of them', async (_what, waits) => {
    const steps = [
      { step: 'small', call: transfer(1n) },
      { step: 'large', call: transfer(10n ** 30n), ...waits },
    ]
    expect(await refusalOf(buildTemplates(clients, wallet, { steps, watched: [] }, await head()))).toMatchObject({
      reason: 'GasEstimateUnavailable',
      details: { step: 'large' },
    })
  })

  test('a step that waits for another one is run after it, and has no estimate', async () => {
    const steps = [
      { step: 'small', call: transfer(1n) },
      { step: 'next', call: transfer(1n), prerequisite },
    ]
    const watched = [walletTokens(chain, wallet), walletTokens(chain, who.poster), walletTokens(chain, who.owner)]
    const block = await head()
    const built = await buildTemplates(clients, wallet, { steps, watched }, block)
    expect(built.templates.map(({ gasEstimate }) => gasEstimate.status)).toEqual(['estimated', 'requires_prerequisite'])
    expect(expectedView(built, block)).toMatchObject({
      simulation: { status: 'simulated', blockNumber: block.number.toString() },
      expected: [
        { holder: wallet.toLowerCase(), direction: 'out', change: { raw: '2' } },
        { holder: who.poster.toLowerCase(), direction: 'in', change: { raw: '2' } },
      ],
    })
  })

  test('a node that cannot simulate leaves the expected changes out and says so', async () => {
    const reader = clients.reader.extend(() => ({
      simulateBlocks: () => Promise.reject(new MethodNotFoundRpcError(new Error('no such method'))),
    }))
    const block = await head()
    const built = await buildTemplates({ ...clients, reader: reader as never }, wallet, only({ step: 'small', call: transfer(1n) }), block)
    expect(built.templates).toHaveLength(1)
    expect(expectedView(built, block)).toEqual({ simulation: { status: 'unavailable', reason: 'node_cannot_simulate' }, expected: [] })
  })

  test('a refused estimate names the error of the contract', async () => {
    const call = contractCall(world.at.accounts, { abi: agentAccountCoreAbi, functionName: 'withdraw', args: [world.at.token, 5n] })
    const work = buildTemplates(clients, wallet, only({ step: 'withdraw', call }), await head())
    expect(await refusalOf(work)).toMatchObject({ details: { customError: 'InsufficientLiquidity' } })
  })

  test('a node that does not answer is 502, not a refusal of the call', async () => {
    const silent = createChainClients({ ...chain, rpc: { primary: 'http://127.0.0.1:9', backups: [], writeUrls: [] } })
    const work = buildTemplates(silent, wallet, only({ step: 'small', call: transfer(1n) }), await head())
    expect(await refusalOf(work)).toMatchObject({ code: 'blockchain_unavailable' })
  })

  test('wallets are sent to the public addresses of the chain, each once, and never to the write addresses', () => {
    expect(broadcastBy(chain, wallet).rpcUrls).toEqual([world.rpcUrl, 'http://second.test'])
  })
})

describe('deposit steps', () => {
  const amounts = fc.record({ amountRaw: fc.bigInt(1n, 2n ** 128n), allowanceRaw: fc.bigInt(0n, 2n ** 128n) })

  test('approve exactly the amount, and only when the allowance is short', () => {
    fc.assert(
      fc.property(amounts, ({ amountRaw, allowanceRaw }) => {
        const steps = depositSteps(chain, { amountRaw, allowanceRaw })
        const { required } = approvalView({ amountRaw, allowanceRaw }, 6)
        expect(required).toBe(allowanceRaw < amountRaw)
        expect(steps.map(({ step }) => step)).toEqual(required ? ['approve', 'deposit'] : ['deposit'])
        const [approve, deposit] = required ? steps : [undefined, steps[0]]
        if (approve) expect(decodeFunctionData({ abi: erc20Abi, data: approve.call.data }).args).toEqual([world.at.accounts, amountRaw])
        expect(decodeFunctionData({ abi: agentAccountCoreAbi, data: deposit?.call.data as Hex }).args).toEqual([world.at.token, amountRaw])
        expect(deposit?.prerequisite?.code).toBe(required ? 'approve_confirmed_on_chain' : undefined)
      }),
    )
  })
})
