import { beforeAll, describe, expect, test } from '@jest/globals'
import { type Hex, parseSignature } from 'viem'
import { createPaymentChain, paymentTerms } from '../../../../activities/paid-verification/payment/chain.ts'
import type { PaymentTerms } from '../../../../domain/paid-verification/requirements.ts'
import { PaymentChainFile } from '../../../../schemas/paid-verification/chain-file.ts'
import { revertAfterEach } from '../../../contracts/support/revert.ts'
import { startWorld, type World, who } from '../../../contracts/support/world.ts'
import { AUTHORIZATION, NONCE, payer, signAuthorization } from '../../../domain/paid-verification/builders/payments.ts'

let world: World
let terms: PaymentTerms

beforeAll(async () => {
  world = await startWorld()
  const { chainId, asset } = world.deployment
  const place = { caip2: `eip155:${chainId}`, name: 'test', local: true, rpc: { primary: 'http://127.0.0.1' }, nativeSymbol: 'DOT' }
  const file = PaymentChainFile.parse({ chainId, asset, ...place })
  terms = paymentTerms(file, { payTo: who.treasury, priceRaw: 5_000_000n })
})
revertAfterEach(() => world)

const chainOf = (changes: Partial<PaymentTerms> = {}, chainId = terms.chainId) =>
  createPaymentChain({ ...terms, ...changes }, { reader: world.client, chainId })
const read = (account: Hex = payer.address) => chainOf().readFacts({ payer: account, nonce: NONCE })

/** Signature of the payer over an order of 5 units to the treasury, split as the token takes it. */
const signed = async () => {
  const order = { ...AUTHORIZATION, to: who.treasury, validBefore: (2n ** 40n).toString() }
  const { r, s, v } = parseSignature(await signAuthorization(order, { terms }))
  return { order, parts: [v, r, s] as const }
}

describe('the payment chain', () => {
  test('the token of the deployment states the domain of the chain file', async () => {
    expect(terms).toMatchObject({ network: `eip155:${terms.chainId}`, domain: { name: 'USD Coin', version: '2' } })
    expect(await chainOf().checkDomain()).toEqual({ isConfirmed: true })
  })

  test.each([
    [
      'the symbol in place of the name',
      { domain: { name: 'USDC', version: '2' } },
      /name\(\) is "USD Coin", expected "USDC"; DOMAIN_SEPARATOR\(\)/,
    ],
    ['another version', { domain: { name: 'USD Coin', version: '1' } }, /version\(\) is "2", expected "1"/],
    ['an address without code', { asset: { address: who.stranger, symbol: 'USDC', decimals: 6 } }, /states no signing domain/],
  ] as const)('a chain file with %s is refused with a reason', async (_title, changes, problem) => {
    expect(await chainOf(changes).checkDomain()).toEqual({ isConfirmed: false, problem: expect.stringMatching(problem) })
  })

  test('a contract that is no such token states no signing domain', async () => {
    const { policy } = world.deployment.contracts
    const asset = { address: policy.address.toLowerCase() as Hex, symbol: 'USDC', decimals: 6 }
    expect(await chainOf({ asset }).checkDomain()).toMatchObject({ isConfirmed: false })
  })

  test('a node of another chain confirms nothing and says nothing of a payment', async () => {
    const other = chainOf({}, terms.chainId + 1)
    expect(await other.checkDomain()).toEqual({ isConfirmed: null })
    expect(await other.readFacts({ payer: payer.address, nonce: NONCE })).toEqual({
      blockTime: null,
      blockNumber: null,
      isNonceUsed: null,
      isDomainConfirmed: null,
      balanceRaw: null,
      isContract: null,
    })
  })

  test('a fresh payer has the block time, an unused nonce and its balance', async () => {
    const before = await read()
    await world.run(who.owner, 'token', 'mint', payer.address, 7_000_000n)
    const facts = await read()
    expect(facts).toMatchObject({ isNonceUsed: false, isDomainConfirmed: true, isContract: false })
    expect(facts.balanceRaw).toBe((before.balanceRaw ?? 0n) + 7_000_000n)
    expect(facts.blockTime).toBe(BigInt(await world.now()))
  })

  test('a payer with code is a contract', async () => {
    expect(await read(terms.asset.address)).toMatchObject({ isContract: true })
  })

  test('an executed authorisation is used', async () => {
    await world.run(who.owner, 'token', 'mint', payer.address, 5_000_000n)
    const { order, parts } = await signed()
    const args = [order.from, order.to, 5_000_000n, 0n, BigInt(order.validBefore), order.nonce, ...parts] as const
    await world.run(who.stranger, 'token', 'transferWithAuthorization', ...args)
    expect(await read()).toMatchObject({ isNonceUsed: true })
  })

  test('a cancelled authorisation is used as well', async () => {
    const domain = { ...terms.domain, chainId: terms.chainId, verifyingContract: terms.asset.address }
    const types = {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    } as const
    const message = { authorizer: payer.address, nonce: NONCE }
    const { r, s, v } = parseSignature(await payer.signTypedData({ domain, types, primaryType: 'CancelAuthorization', message }))
    await world.run(who.stranger, 'token', 'cancelAuthorization', payer.address, NONCE, v, r, s)
    expect(await read()).toMatchObject({ isNonceUsed: true })
  })
})
