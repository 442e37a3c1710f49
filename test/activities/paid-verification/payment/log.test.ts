import { describe, expect, test } from '@jest/globals'
import { encodeAbiParameters, encodeEventTopics, type Hex, type Log, parseAbi } from 'viem'
import { holdsPayment } from '../../../../activities/paid-verification/payment/log.ts'

const ABI = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
])
const address = (digit: string): Hex => `0x${digit.repeat(40)}`
const [TOKEN, OTHER_TOKEN, PAYER, PAYEE, STRANGER] = ['a', 'b', '1', '2', '3'].map(address) as [Hex, Hex, Hex, Hex, Hex]
const [NONCE, NEXT]: [Hex, Hex] = [`0x${'7'.repeat(64)}`, `0x${'8'.repeat(64)}`]
const OWED = { asset: TOKEN, payer: PAYER, payTo: PAYEE, amountRaw: '5', nonce: NONCE }

const used = (nonce: Hex, authorizer = PAYER, asset = TOKEN) => ({
  address: asset,
  topics: encodeEventTopics({ abi: ABI, eventName: 'AuthorizationUsed', args: { authorizer, nonce } }),
  data: '0x' as Hex,
})
const moved = (amount: bigint, { from = PAYER, to = PAYEE, asset = TOKEN } = {}) => ({
  address: asset,
  topics: encodeEventTopics({ abi: ABI, eventName: 'Transfer', args: { from, to } }),
  data: encodeAbiParameters([{ type: 'uint256' }], [amount]),
})
const logs = (...given: object[]): Log[] => given.map((log, logIndex) => ({ ...log, logIndex })) as unknown as Log[]

describe('the logs of a transaction', () => {
  test.each<[string, boolean, Log[]]>([
    ['the use and the exact transfer', true, logs(used(NONCE), moved(5n))],
    ['two payments of one payer, in order', true, logs(used(NEXT), moved(5n), used(NONCE), moved(5n))],
    ['another use whose transfer is of the price', false, logs(used(NONCE), used(NEXT), moved(5n))],
    ['a transfer before the use', false, logs(moved(5n), used(NONCE))],
    ['more than the price', false, logs(used(NONCE), moved(6n))],
    ['less than the price', false, logs(used(NONCE), moved(4n))],
    ['a transfer to another payee', false, logs(used(NONCE), moved(5n, { to: STRANGER }))],
    ['a transfer of another payer', false, logs(used(NONCE), moved(5n, { from: STRANGER }))],
    ['the same of another token', false, logs(used(NONCE, PAYER, OTHER_TOKEN), moved(5n, { asset: OTHER_TOKEN }))],
    ['the nonce of another payer', false, logs(used(NONCE, STRANGER), moved(5n))],
    ['the use alone', false, logs(used(NONCE))],
    ['nothing', false, []],
  ])('with %s hold the payment: %s', (_name, expected, given) => {
    expect(holdsPayment(given, OWED)).toBe(expected)
  })
})
