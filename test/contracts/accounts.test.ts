import { beforeAll, describe, expect, test } from '@jest/globals'
import { type Address, domainSeparator, type Hex, hashTypedData, keccak256, stringToHex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { agentAccountCoreAbi } from '../../activities/chain/abi/agent-account-core.ts'
import { approve, argsOf, create, DAY, eventsOf, fund, holdingOf, JOB, namesOf, observe, startFundedWorld, submit } from './support/jobs.ts'
import { EXTRA } from './support/mutators.ts'
import { revertAfterEach } from './support/revert.ts'
import { highS, SEND_TYPES } from './support/signing.ts'
import { WORKER_KEY, type World, who } from './support/world.ts'

const worker = privateKeyToAccount(WORKER_KEY)

let world: World

beforeAll(async () => {
  world = await startFundedWorld()
  await world.run(who.owner, 'policy', 'setAgentTransferBroker', EXTRA.transferBroker, true)
})
revertAfterEach(() => world)

const own = (from: Hex, name: string, amount: bigint) => world.attempt(from, 'accounts', name, world.at.token, amount)

describe('debt', () => {
  /** The worker owes an amount, backed by its own collateral, with everything else withdrawn or locked. */
  const owe = async (debt: bigint): Promise<void> => {
    await own(who.worker, 'lockCollateral', 5_000_000n)
    expect(await own(who.worker, 'borrow', debt)).toMatchObject({ events: [{ name: 'AAC.Borrowed' }] })
  }

  test.each([
    ['smaller than', 2_000_000n, { debt: -950_000n, liquid: 150_000n }],
    ['equal to', 950_000n, { debt: -950_000n, liquid: 150_000n }],
    ['larger than', 300_000n, { debt: -300_000n, liquid: 650_000n + 150_000n }],
  ])('a settlement %s the debt repays it first and silently', async (_, debt, change) => {
    await owe(debt)
    await create(world)
    await submit(world)
    const { moved, events } = await observe(world, () => approve(world))
    expect(moved.worker).toEqual({ ...change, stake: -150_000n })
    expect(namesOf(events)).not.toContain('AAC.Repaid')
  })

  test('keeps borrowed funds inside', async () => {
    await owe(2_000_000n)
    const { liquid, debt } = await holdingOf(world, who.worker)
    expect((await own(who.worker, 'withdraw', liquid - debt + 1n)).error).toBe('InsufficientLiquidity()')
    expect((await own(who.worker, 'withdraw', liquid - debt)).error).toBeUndefined()
    expect((await own(who.worker, 'withdraw', 0n)).error).toBe('InsufficientLiquidity()')
  })

  test('is limited by the collateral ratio and by the cap per account', async () => {
    await own(who.worker, 'lockCollateral', 5_000_000n)
    expect((await own(who.worker, 'borrow', 2_500_001n)).error).toBe('InsolventAccount()')
    expect((await own(who.worker, 'borrow', 25_000_001n)).error).toBe('BorrowLimitExceeded()')
    expect((await own(who.worker, 'borrow', 2_500_000n)).error).toBeUndefined()
    expect((await own(who.worker, 'unlockCollateral', 1n)).error).toBe('InsolventAccount()')
    expect((await own(who.worker, 'unlockCollateral', 5_000_001n)).error).toBe('"INSUFFICIENT_COLLATERAL"')
  })

  test('is repaid out of the wallet, never above itself', async () => {
    await owe(1_000n)
    await world.run(who.owner, 'token', 'mint', who.worker, 2_000n)
    await world.run(who.worker, 'token', 'approve', world.at.accounts, 2_000n)
    expect((await own(who.worker, 'repay', 1_001n)).error).toBe('"OVERPAY"')
    const { moved } = await observe(world, () => world.run(who.worker, 'accounts', 'repay', world.at.token, 1_000n))
    expect(moved).toEqual({ worker: { debt: -1_000n, wallet: -1_000n } })
  })

  test.each([
    [50_000_000n, 0n, 20_000n, 25_000_000n, 25_000_000n],
    [50_000_000n, 0n, 20_000n, 0n, 0n],
    [30_000_000n, 5_000_000n, 15_000n, 2n ** 256n - 1n, 15_000_000n],
    [10_000_000n, 6_000_000n, 20_000n, 2n ** 256n - 1n, 0n],
  ])('collateral %s, debt %s, ratio %s, cap %s leave a capacity of %s', async (collateral, debt, ratio, cap, capacity) => {
    await fund(world, who.stranger, 60_000_000n)
    const set = (name: string, value: bigint) => world.run(who.owner, 'policy', name, value)
    await own(who.stranger, 'lockCollateral', collateral)
    await set('setMinimumCollateralRatioBps', 10_000n)
    await own(who.stranger, 'borrow', debt)
    await set('setMinimumCollateralRatioBps', ratio)
    await set('setPerAccountBorrowCap', cap)
    expect(await world.read('accounts', 'getBorrowCapacity', who.stranger, world.at.token)).toBe(capacity)
  })
})

describe('signed transfers', () => {
  const DEADLINE = 9_999_999_999n
  const domain = (chainId = 31_337) => ({ name: 'Service AgentAccountCore', version: '1', chainId, verifyingContract: world.at.accounts })
  const message = (more: object = {}) => ({
    from: who.worker,
    recipient: who.poster,
    asset: world.at.token,
    amount: 5n,
    nonce: 7n,
    deadline: DEADLINE,
    ...more,
  })
  const typed = { types: SEND_TYPES, primaryType: 'SendToAgent' } as const
  const sign = (more: object = {}, chainId?: number): Promise<Hex> =>
    worker.signTypedData({ ...typed, domain: domain(chainId), message: message(more) })
  const hand = (signature: Hex, more: object = {}) =>
    world.attempt(EXTRA.transferBroker, 'accounts', 'sendToAgentFor', ...Object.values(message(more)), signature)

  test('move the amount once and announce the digest', async () => {
    const signature = await sign()
    const { moved, events } = await observe(world, async () => {
      const outcome = await hand(signature)
      return eventsOf(outcome)
    })
    expect(moved).toEqual({ worker: { liquid: -5n }, poster: { liquid: 5n } })
    expect(namesOf(events)).toEqual(['AAC.SendToAgentAuthorizationUsed', 'AAC.AgentTransfer'])
    const digest = hashTypedData({ ...typed, domain: domain(), message: message() })
    expect(argsOf(events, 'AAC.SendToAgentAuthorizationUsed')).toEqual({ from: who.worker, nonce: 7n, digest })
    expect(await world.read('accounts', 'hashSendToAgentAuthorization', ...Object.values(message()))).toBe(digest)
    expect((await hand(signature)).error).toBe('AuthorizationAlreadyUsed()')
  })

  test('the code at the published address computes the published digest', async () => {
    const verifyingContract = '0xB1350932bf85E7ffd0599E9a3CC7b55718D89E57'
    const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const asset = '0x0000053900000000000000000000000001200000'
    const values = { from, recipient, asset, amount: 1_000_000n, nonce: 1n, deadline: 1_900_000_000n } as const
    const digest = '0xa3f7c687a7e4df1e293e6ebcc954343a3da410b492ae1e0dfa329de49789ec94'
    expect(hashTypedData({ ...typed, domain: { ...domain(), verifyingContract }, message: values })).toBe(digest)
    await world.rpc('anvil_setCode', verifyingContract, await world.client.getCode({ address: world.at.accounts }))
    const args = [from, recipient, asset, values.amount, values.nonce, values.deadline] as const
    const call = { address: verifyingContract, abi: agentAccountCoreAbi, functionName: 'hashSendToAgentAuthorization', args } as const
    expect(await world.client.readContract(call)).toBe(digest)
  })

  test.each([
    ['accounts', 'SEND_TO_AGENT_TYPEHASH', '0xc551f17eeb3ed095917c209e470eed5e92dd47df7fbf2ea14504d3d67e69a8ca'],
    ['escrow', 'EXTERNAL_SCHEMA_REGISTRATION_TYPEHASH', '0x8e6f5e3090c85960bb0fc7fa5ac73cde311a66b784585703a3297c38edd4e3a2'],
  ] as const)('the type hash of the %s is the published one: %s', async (contract, name, hash) => {
    expect(await world.read(contract, name)).toBe(hash)
  })

  test('the domain follows the contract and the chain', async () => {
    const expected = (chainId: number) => domainSeparator({ domain: domain(chainId) })
    expect(await world.read('accounts', 'domainSeparator')).toBe(expected(31_337))
    await world.rpc('anvil_setChainId', 31_338)
    expect(await world.read('accounts', 'domainSeparator')).toBe(expected(31_338))
    await world.rpc('anvil_setChainId', 31_337)
  })

  test.each([
    ['ExpiredAuthorization()', { deadline: 1n }, null],
    ['InvalidSignature()', {}, null],
    ['InvalidRecipient()', { recipient: who.worker, amount: 0n }, sign],
    ['ZeroAmount()', { amount: 0n }, sign],
    ['InsufficientLiquidity()', { amount: 10_000_001n }, sign],
  ])('are refused in the published order: %s', async (refused, more, signed) => {
    expect((await hand(signed ? await signed(more) : '0x', more)).error).toBe(refused)
  })

  test('count up to their deadline', async () => {
    const deadline = (await world.now()) + 100
    const more = { deadline: BigInt(deadline) }
    const signature = await sign(more)
    const answerAt = (time: number) =>
      world.undone(async () => {
        await world.nextBlockAt(time)
        return (await hand(signature, more)).error
      })
    expect([await answerAt(deadline - 1), await answerAt(deadline), await answerAt(deadline + 1)]).toEqual([
      undefined,
      undefined,
      'ExpiredAuthorization()',
    ])
  })

  test('need a strict signature of the sender for this chain', async () => {
    const signature = await sign()
    const raw = Number.parseInt(signature.slice(-2), 16)
    const bad: Record<string, Hex> = {
      'sixty-four bytes': signature.slice(0, -2) as Hex,
      'high s': highS(signature),
      'another chain': await sign({}, 1),
      'another signer': await privateKeyToAccount(keccak256(stringToHex('another'))).signTypedData({
        ...typed,
        domain: domain(),
        message: message(),
      }),
      'v 29': `${signature.slice(0, -2)}1d` as Hex,
    }
    for (const [name, one] of Object.entries(bad)) expect([name, (await hand(one)).error]).toEqual([name, 'InvalidSignature()'])
    expect((await hand(`${signature.slice(0, -2)}0${raw - 27}` as Hex)).error).toBeUndefined()
  })
})

describe('the daily outflow cap', () => {
  const withdraw = (from: Hex, amount: bigint) => own(from, 'withdraw', amount).then(({ error }) => error)

  test('stops withdrawals of one account above it and resets at midnight', async () => {
    const midnight = (Math.floor((await world.now()) / DAY) + 2) * DAY
    await world.run(who.owner, 'policy', 'setDailyOutflowCap', 1_000n)
    await world.nextBlockAt(midnight - 20)
    expect(await withdraw(who.worker, 1_000n)).toBeUndefined()
    expect(await withdraw(who.worker, 1n)).toBe('OutflowCapExceeded()')
    expect(await withdraw(who.poster, 1_000n)).toBeUndefined()
    expect(await world.read('policy', 'outflowToday')).toBe(2_000n)
    await world.nextBlockAt(midnight - 1)
    expect(await withdraw(who.worker, 1n)).toBe('OutflowCapExceeded()')
    await world.nextBlockAt(midnight)
    const outcome = await own(who.worker, 'withdraw', 1n)
    expect(argsOf(eventsOf(outcome), 'POL.OutflowRecorded')).toEqual({
      account: who.worker,
      day: BigInt(midnight / DAY),
      amount: 1n,
      accountTotal: 1n,
      aggregateTotal: 1n,
    })
  })

  test('does not stop settlements and slashes', async () => {
    await world.run(who.owner, 'policy', 'setDailyOutflowCap', 0n)
    await create(world)
    await world.run(who.worker, 'escrow', 'claimJob', JOB)
    await world.pass(3_601)
    const { moved } = await observe(world, () => world.run(who.stranger, 'escrow', 'handleClaimTimeout', JOB))
    expect(moved.poster).toEqual({ wallet: 50_000n })
    await submit(world)
    await approve(world)
    expect(await withdraw(who.worker, 1n)).toBe('OutflowCapExceeded()')
  })
})

test('a deposit and a withdrawal move exactly their amount', async () => {
  await world.run(who.owner, 'token', 'mint', who.stranger, 5n)
  await world.run(who.stranger, 'token', 'approve', world.at.accounts, 5n)
  const into = await observe(world, () => world.run(who.stranger, 'accounts', 'deposit', world.at.token, 5n))
  expect(into.moved).toEqual({ stranger: { wallet: -5n, liquid: 5n } })
  expect(namesOf(into.events)).toEqual(['TOK.Transfer', 'AAC.Deposited'])
  const out = await observe(world, () => world.run(who.stranger, 'accounts', 'withdraw', world.at.token, 5n))
  expect(out.moved).toEqual({ stranger: { wallet: 5n, liquid: -5n } })
  expect(namesOf(out.events)).toEqual(['POL.OutflowRecorded', 'TOK.Transfer', 'AAC.Withdrawn'])
})

describe('a slash', () => {
  /** Locks an amount as the escrow does, then slashes it all. */
  const slash = async (name: 'slashJobStake' | 'slashClaimFee', amount: bigint, recipient: Address) => {
    const stake = [who.worker, world.at.token, amount] as const
    await world.run(world.at.escrow, 'accounts', 'lockJobStake', ...stake)
    return observe(world, () => world.run(world.at.escrow, 'accounts', name, ...stake, recipient))
  }

  test('of a stake of one unit goes to the treasury whole and sends nothing', async () => {
    const { moved, events } = await slash('slashJobStake', 1n, who.poster)
    expect(moved).toEqual({ worker: { stake: -1n }, treasury: { liquid: 1n } })
    expect(namesOf(events)).toEqual(['AAC.TreasuryCredited', 'AAC.JobStakeSlashed'])
    expect(argsOf(events, 'AAC.JobStakeSlashed')).toMatchObject({ amount: 1n, posterAmount: 0n, treasuryAmount: 1n })
  })

  test('of a fee follows the share of the policy, floored', async () => {
    const { moved, events } = await slash('slashClaimFee', 9n, who.verifier)
    expect(moved).toEqual({ worker: { stake: -9n }, verifier: { wallet: 6n }, treasury: { liquid: 3n } })
    expect(argsOf(events, 'POL.OutflowRecorded')).toMatchObject({ account: who.worker, amount: 6n })
  })

  test('of a fee of the verifier alone credits no treasury, and needs none', async () => {
    await world.run(who.owner, 'policy', 'setClaimFeeVerifierBps', 10_000)
    await world.run(who.owner, 'accounts', 'setTreasuryAccount', zeroAddress)
    const { moved, events } = await slash('slashClaimFee', 9n, who.verifier)
    expect(moved).toEqual({ worker: { stake: -9n }, verifier: { wallet: 9n } })
    expect(namesOf(events)).toEqual(['POL.OutflowRecorded', 'TOK.Transfer', 'AAC.ClaimFeeSlashed'])
  })

  test('of a fee without a verifier passes even without an outflow recorder', async () => {
    await world.run(who.owner, 'policy', 'setOutflowRecorder', world.at.accounts, false)
    const { moved } = await slash('slashClaimFee', 9n, zeroAddress)
    expect(moved).toEqual({ worker: { stake: -9n }, treasury: { liquid: 9n } })
  })
})
