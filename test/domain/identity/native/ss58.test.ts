import { describe, expect, test } from '@jest/globals'
import { blake2b } from '@noble/hashes/blake2.js'
import { base58 } from '@scure/base'
import { concatBytes, hexToBytes, stringToBytes } from 'viem/utils'
import { isEvmDerived, nativeAccountOf, payoutAddressOf, readNativeAccount } from '../../../../domain/identity/native/account.ts'
import { decodeSs58, encodeSs58 } from '../../../../domain/identity/native/ss58.ts'

const FIRST = '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d'
const FIRST_SS58 = '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'

/** Source: identity, "SS58 and payout addresses". */
const ACCOUNTS = [
  [FIRST, FIRST_SS58, '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY', '0x9621dde636de098b43efb0fa9b61facfe328f99d'],
  [
    '0x8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c',
    '148eGqBKBSbTrKnGQka9tNNFoycLLa6ZPddFbtfJNczsBQPj',
    '5FCM8VvFKfKzQnmkT7X9kDY6xMcgeGYRK8tmSbfwpXyM1CvS',
    '0x97b1c813eae702332ba3eaa1625f942c5472626d',
  ],
  [
    '0x189dac29296d31814dc8c56cf3d36a0543372bba7538fa322a4aebfebc39e056',
    '1ZGzHnrAgt3eKQvtZXgDPE9aduT4UWJH4fUL9HHdfWk6nx3',
    '5CcyqxXnJucaCnQQvvUg5EPzj1uoNAxACZvzArHw5aVDvgNH',
    '0x0cb277ed1cac248575dd0bda24085a10d5d21f3b',
  ],
  [
    '0x70997970c51812dc3a010c7d01b50e0d17dc79c8eeeeeeeeeeeeeeeeeeeeeeee',
    '13YdxMwPMq5W6zLZehpTnzgJq74J4v9YHFiAMyDCVi4u5DQW',
    '5EcLp2gKW3p2fTL3h4mTeqr9yV4eNcbQCkygCgDqwd3NtvAR',
    '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  ],
] as const

/** Addresses of the first account in other networks. */
const OTHER_PREFIXES = [
  [2, 'HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F'],
  [64, 'cEaNSpz4PxFcZ7nT1VEKrKewH67rfx6MfcM6yKojyyPz7qaqp'],
  [255, 'yGHXkYLYqxijLKKfd9Q2CB9shRVu8rPNBS53wvwGTutYg4zTg'],
  [16_383, 'yNa8JpqfFB3q8A29rCwSgxvdU94ufJw2yKKxDgznS5m1PoFvn'],
] as const

/** An address whose checksum is right, whatever its bytes say. */
const addressOf = (...body: Uint8Array[]): string => {
  const bytes = concatBytes(body)
  return base58.encode(concatBytes([bytes, blake2b(concatBytes([stringToBytes('SS58PRE'), bytes]), { dkLen: 64 }).subarray(0, 2)]))
}
const ID = hexToBytes(FIRST)

describe('an SS58 address', () => {
  test.each(ACCOUNTS)('of the account %s has the published forms', (accountId, generic, other, wallet) => {
    expect([encodeSs58(accountId), encodeSs58(accountId, 42)]).toEqual([generic, other])
    expect([decodeSs58(generic), decodeSs58(other)]).toEqual([
      { accountId, prefix: 0 },
      { accountId, prefix: 42 },
    ])
    expect(readNativeAccount(other)).toEqual({ accountId, ss58: generic, wallet })
  })

  test.each(OTHER_PREFIXES)('with the prefix %i is of the same account', (prefix, address) => {
    expect(encodeSs58(FIRST, prefix)).toBe(address)
    expect(decodeSs58(address)).toEqual({ accountId: FIRST, prefix })
    expect(readNativeAccount(address)).toEqual(nativeAccountOf(FIRST))
  })

  test('is read back with every prefix', () => {
    const wrong = Array.from({ length: 16_384 }, (_, prefix) => prefix).filter((prefix) => {
      const found = decodeSs58(encodeSs58(FIRST, prefix))
      return typeof found === 'string' || found.prefix !== prefix || found.accountId !== FIRST
    })
    expect(wrong).toEqual([])
  })

  test.each([-1, 16_384, 1.5, Number.NaN])('has no prefix %d', (prefix) => {
    expect(() => encodeSs58(FIRST, prefix)).toThrow(RangeError)
  })

  test.each([
    ['a letter changed', `${FIRST_SS58.slice(0, -1)}6`, 'checksum'],
    [
      'the last bit of its id changed',
      base58.encode(
        base58
          .decode(FIRST_SS58)
          .with(32, ID[31] ?? 0 ^ 1)
          .with(33, 0),
      ),
      'checksum',
    ],
    ['another letter case', FIRST_SS58.replace('oF', 'of'), 'checksum'],
    ['a zero, which base58 lacks', FIRST_SS58.replace('o', '0'), 'alphabet'],
    ['white space around it', ` ${FIRST_SS58}`, 'alphabet'],
    ['lower case with a letter that base58 lacks', FIRST_SS58.replace('L', 'l'), 'alphabet'],
    ['no character', '', 'length'],
    ['its last characters missing', FIRST_SS58.slice(0, -2), 'length'],
    ['an id of 31 bytes', addressOf(Uint8Array.of(0), ID.subarray(1)), 'length'],
    ['an id of 33 bytes', addressOf(Uint8Array.of(0), ID, Uint8Array.of(1)), 'length'],
    ['an account index instead of an id', addressOf(Uint8Array.of(42), Uint8Array.of(1)), 'length'],
    ['an id of 31 bytes after a prefix of two bytes', addressOf(Uint8Array.of(0x50, 0), ID.subarray(1)), 'length'],
    ['more characters than any address', '1'.repeat(100_000), 'length'],
    ['a reserved first byte', addressOf(Uint8Array.of(0x80, 0), ID), 'prefix'],
    ['two bytes for a prefix that fits in one', addressOf(Uint8Array.of(0x40, 0), ID), 'prefix'],
  ])('with %s is refused', (_name, address, fault) => {
    expect(decodeSs58(address)).toBe(fault)
    expect(readNativeAccount(address)).toBe(fault)
  })
})

describe('the payout address of an account', () => {
  test.each([
    ['0x93511e8deef3e7ec69cc1f18a573176da9870a0fb474ab2e0c18d88a5e74fd47', '0x01e6eed856e989201f4ff6346e18eab7e46c874c'],
    ['0x4ec5aa4011eebe946766fba4b0581a4435d145bc7e26377d2df25e508b25c5eb', '0x1f8c4da4aaac79916350f1fabf1221309591b6f9'],
  ] as const)('is the end of the hash of %s', (accountId, wallet) => {
    expect(payoutAddressOf(accountId)).toBe(wallet)
    expect(isEvmDerived(accountId)).toBe(false)
  })

  test('is the EVM address itself before twelve bytes 0xEE', () => {
    expect(isEvmDerived(ACCOUNTS[3][0])).toBe(true)
    expect(payoutAddressOf(ACCOUNTS[3][0])).toBe(ACCOUNTS[3][3])
  })

  test('is a hash for eleven bytes 0xEE', () => {
    const accountId = `0x${'70'.repeat(21)}${'ee'.repeat(11)}` as const
    expect(isEvmDerived(accountId)).toBe(false)
    expect(payoutAddressOf(accountId)).not.toBe(accountId.slice(0, 42))
  })
})
