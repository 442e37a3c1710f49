import { beforeAll, describe, expect, test } from '@jest/globals'
import { domainSeparator, type Hex, parseSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { fund, hashOf, namesOf } from './support/jobs.ts'
import { revertAfterEach } from './support/revert.ts'
import { highS, TOKEN_TYPES } from './support/signing.ts'
import { startWorld, WORKER_KEY, type World, who } from './support/world.ts'

const worker = privateKeyToAccount(WORKER_KEY)
const NONCE = hashOf('nonce')

let world: World

beforeAll(async () => {
  world = await startWorld()
  await fund(world, who.poster, 10n)
  await world.run(who.owner, 'token', 'mint', who.worker, 100n)
})
revertAfterEach(() => world)

const domain = (chainId = 31_337) => ({ name: 'USD Coin', version: '2', chainId, verifyingContract: world.at.token })
const balance = (account: Hex) => world.read('token', 'balanceOf', account)
const token = (from: Hex, name: string, ...args: readonly unknown[]) => world.refusal(from, 'token', name, ...args)

const parts = (signature: Hex): readonly [number, Hex, Hex] => {
  const { r, s, yParity } = parseSignature(signature)
  return [yParity + 27, r, s]
}

type Kind = 'TransferWithAuthorization' | 'ReceiveWithAuthorization'
const FUNCTIONS: Readonly<Record<Kind, string>> = {
  TransferWithAuthorization: 'transferWithAuthorization',
  ReceiveWithAuthorization: 'receiveWithAuthorization',
}
const FAR = 9_999_999_999n
const order = (more: object = {}) => ({
  from: who.worker,
  to: who.stranger,
  value: 60n,
  validAfter: 0n,
  validBefore: FAR,
  nonce: NONCE,
  ...more,
})
const sign = (kind: Kind, message = order(), chainId?: number): Promise<Hex> =>
  worker.signTypedData({ domain: domain(chainId), types: TOKEN_TYPES, primaryType: kind, message })

describe('the test token', () => {
  test('has six decimals and moves like any token', async () => {
    expect(await world.read('token', 'decimals')).toBe(6)
    expect(await token(who.stranger, 'transfer', who.worker, 1n)).toBe('InsufficientBalance()')
    expect(await token(who.stranger, 'transferFrom', who.worker, who.stranger, 1n)).toBe('InsufficientAllowance()')
    await world.run(who.worker, 'token', 'approve', who.stranger, 30n)
    await world.run(who.stranger, 'token', 'transferFrom', who.worker, who.poster, 20n)
    expect(await world.read('token', 'allowance', who.worker, who.stranger)).toBe(10n)
    expect([await balance(who.worker), await balance(who.poster)]).toEqual([80n, 20n])
  })

  test('keeps an unlimited allowance', async () => {
    await world.run(who.worker, 'token', 'approve', who.stranger, 2n ** 256n - 1n)
    await world.run(who.stranger, 'token', 'transferFrom', who.worker, who.poster, 20n)
    expect(await world.read('token', 'allowance', who.worker, who.stranger)).toBe(2n ** 256n - 1n)
  })

  test('separates its signatures by the domain of its name', async () => {
    expect(await world.read('token', 'DOMAIN_SEPARATOR')).toBe(domainSeparator({ domain: domain() }))
  })
})

describe('signed token transfers', () => {
  test.each([
    ['TransferWithAuthorization', who.poster],
    ['ReceiveWithAuthorization', who.stranger],
  ] as const)('%s moves the value once', async (kind, sender) => {
    const args = [...Object.values(order()), ...parts(await sign(kind))]
    expect(namesOf(await world.run(sender, 'token', FUNCTIONS[kind], ...args))).toEqual(['TOK.AuthorizationUsed', 'TOK.Transfer'])
    expect([await balance(who.worker), await balance(who.stranger)]).toEqual([40n, 60n])
    expect(await world.read('token', 'authorizationState', who.worker, NONCE)).toBe(true)
    expect(await token(sender, FUNCTIONS[kind], ...args)).toBe('AuthorizationUsedOrCanceled()')
  })

  test('a receipt can be handed in by the payee only', async () => {
    const args = [...Object.values(order()), ...parts(await sign('ReceiveWithAuthorization'))]
    expect(await token(who.poster, 'receiveWithAuthorization', ...args)).toBe('CallerMustBePayee()')
  })

  test('one kind of signature is not the other', async () => {
    const args = [...Object.values(order()), ...parts(await sign('TransferWithAuthorization'))]
    expect(await token(who.stranger, 'receiveWithAuthorization', ...args)).toBe('InvalidSignature()')
  })

  test('are valid strictly between their two times', async () => {
    const start = (await world.now()) + 100
    const message = order({ validAfter: BigInt(start), validBefore: BigInt(start + 10) })
    const args = [...Object.values(message), ...parts(await sign('TransferWithAuthorization', message))]
    const answerAt = (time: number) =>
      world.undone(async () => {
        await world.nextBlockAt(time)
        return token(who.poster, 'transferWithAuthorization', ...args)
      })
    const times = [start, start + 1, start + 9, start + 10]
    const answers: string[] = []
    for (const time of times) answers.push(await answerAt(time))
    expect(answers).toEqual(['AuthorizationNotYetValid()', 'it passed', 'it passed', 'AuthorizationExpired()'])
  })

  test('need a strict signature of the holder for this chain', async () => {
    const bad = [
      highS(await sign('TransferWithAuthorization')),
      await sign('TransferWithAuthorization', order(), 1),
      await sign('TransferWithAuthorization', order({ value: 61n })),
    ]
    for (const signature of bad) {
      expect(await token(who.poster, 'transferWithAuthorization', ...Object.values(order()), ...parts(signature))).toBe(
        'InvalidSignature()',
      )
    }
  })

  test('can be cancelled by the holder before they are used', async () => {
    const cancel = await worker.signTypedData({
      domain: domain(),
      types: TOKEN_TYPES,
      primaryType: 'CancelAuthorization',
      message: { authorizer: who.worker, nonce: NONCE },
    })
    expect(await token(who.poster, 'cancelAuthorization', who.worker, hashOf('other'), ...parts(cancel))).toBe('InvalidSignature()')
    expect(namesOf(await world.run(who.poster, 'token', 'cancelAuthorization', who.worker, NONCE, ...parts(cancel)))).toEqual([
      'TOK.AuthorizationCanceled',
    ])
    const args = [...Object.values(order()), ...parts(await sign('TransferWithAuthorization'))]
    expect(await token(who.poster, 'transferWithAuthorization', ...args)).toBe('AuthorizationUsedOrCanceled()')
  })
})
