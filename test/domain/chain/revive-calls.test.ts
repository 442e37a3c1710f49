import { describe, expect, test } from '@jest/globals'
import { reviveCall, toNativeUnits } from '../../../domain/chain/revive-calls.ts'
import { ChainFile } from '../../../schemas/chain/chain-file.ts'

/** A section as a chain file has it, with the weights that it gets where it names none. */
const native = ChainFile.shape.native.parse({
  genesisHash: `0x${'0'.repeat(64)}`,
  mappingMechanism: 'extrinsic',
  mappingDeposit: { itemRaw: '2000000000', byteRaw: '100000' },
})
if (native === undefined) throw new Error('the section was not read')

const TO = `0x${'ab'.repeat(20)}`
const call = { to: TO, data: '0x1234', valueRaw: 0n }
const limitsOf = (estimated: bigint | null, used: bigint | null) => reviveCall(native, call, 18, { estimated, used }).args

describe('a call of a native account', () => {
  test('names pallet, call, contract and data', () => {
    expect(reviveCall(native, call, 18, { estimated: 100_000n, used: null })).toEqual({
      pallet: 'Revive',
      call: 'call',
      args: {
        dest: TO,
        value: '0',
        weightLimit: { refTime: '2500000000', proofSize: '1600000' },
        // Five slots, each an item and 64 bytes.
        storageDepositLimit: '10032000000',
        data: '0x1234',
      },
    })
  })

  test.each([
    ['the estimate where nothing was run', 100_000n, null, 100_000n],
    ['five quarters of what a run used, where nothing was estimated', null, 80_001n, 100_002n],
    ['the estimate where it is more', 120_000n, 80_000n, 120_000n],
    ['five quarters of what a run used, where they are more', 90_000n, 80_000n, 100_000n],
  ])('is bounded by %s', (_, estimated, used, gas) => {
    expect(limitsOf(estimated, used).weightLimit?.refTime).toBe((gas * 25_000n).toString())
  })

  test('may hold a deposit for each slot that its gas pays for, a begun one included', () => {
    const deposits = [20_000n, 20_001n, 40_000n].map((gas) => limitsOf(gas, null).storageDepositLimit)
    expect(deposits).toEqual(['2006400000', '4012800000', '4012800000'])
  })

  test('has no limits while its gas is not measured', () => {
    expect(limitsOf(null, null)).toMatchObject({ weightLimit: null, storageDepositLimit: null })
  })

  test('takes at most the share of a block', () => {
    expect(limitsOf(100_000_000n, null).weightLimit).toEqual({ refTime: '1500000000000', proofSize: '7864320' })
  })

  test('states its value in the decimals of the native side', () => {
    const { args } = reviveCall(native, { ...call, valueRaw: 25n * 10n ** 17n }, 18, { estimated: 1n, used: null })
    expect(args.value).toBe('25000000000')
  })
})

describe('an amount on the native side', () => {
  test.each([
    [0n, 18, 10, 0n],
    [10n ** 8n, 18, 10, 1n],
    [10n ** 18n, 18, 10, 10n ** 10n],
    [7n, 10, 10, 7n],
    [7n, 10, 12, 700n],
  ])('of %d in %d decimals is in %d decimals %d', (raw, from, to, expected) => {
    expect(toNativeUnits(raw, from, to)).toBe(expected)
  })

  test.each([1n, 10n ** 8n - 1n, 10n ** 18n + 1n])('of %d, which it cannot state, is refused and not rounded', (raw) => {
    expect(() => toNativeUnits(raw, 18, 10)).toThrow(RangeError)
  })
})
