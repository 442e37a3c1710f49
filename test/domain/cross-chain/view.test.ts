import { expect, test } from '@jest/globals'
import { stringToHex, zeroHash } from 'viem'
import { textOfBytes32 } from '../../../domain/common/text.ts'
import { failureCodeLabel, requestView, type StoredRequest } from '../../../domain/cross-chain/view.ts'
import { OBSERVATION_TIMEOUT_CODE } from '../../../domain/cross-chain/watch.ts'
import { CrossChainRequestShape } from '../../../schemas/cross-chain/shapes.ts'

const ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const TOKEN = '0x0000053900000000000000000000000001200000'
const ID = '0xc3b09b5710adc32ea23f83f7c73ef1bf7a2374c46c178a5f3ac7d6642113c68b'
const ASSET = { symbol: 'USDC', decimals: 6, address: TOKEN }
const context = { strategyId: stringToHex('HYDRATION_USDC_V1', { size: 32 }), kind: 0, account: ACCOUNT, asset: TOKEN, recipient: ACCOUNT }
const REQUEST: StoredRequest = {
  context: { ...context, assets: 5_000_000n, shares: 0n, nonce: 18_446_744_073_709_551_615n },
  queuedBy: `0x${'Ad'.repeat(20)}`,
  status: 3,
  settledAssets: 0n,
  settledShares: 0n,
  remoteRef: zeroHash,
  failureCode: OBSERVATION_TIMEOUT_CODE,
  createdAt: 1_768_478_400n,
  updatedAt: 1_768_479_300n,
}

test('the answer of a failed deposit has every member of the published shape', () => {
  const view = requestView(ID, REQUEST, ASSET)
  expect(CrossChainRequestShape.parse(view)).toEqual(view)
  expect(view).toMatchObject({
    strategyIdLabel: 'HYDRATION_USDC_V1',
    kind: 0,
    kindLabel: 'Deposit',
    assetSymbol: 'USDC',
    account: ACCOUNT.toLowerCase(),
    requestedAssets: '5',
    requestedAssetsRaw: '5000000',
    requestedShares: '0',
    requestedSharesRaw: '0',
    nonce: '18446744073709551615',
    nonceRaw: '18446744073709551615',
    status: 3,
    statusLabel: 'failed',
    remoteRefLabel: null,
    failureCodeLabel: 'BALANCE_OBSERVATION_TIMEOUT',
    createdAt: '2026-01-15T12:00:00.000Z',
    createdAtRaw: '1768478400',
    updatedAt: '2026-01-15T12:15:00.000Z',
  })
})

test.each([
  [
    'a deposit that returned',
    { kind: 0, assets: 5_000_000n, shares: 0n },
    3,
    0n,
    { outstandingAssets: { raw: '0' }, keptShares: { raw: '0' } },
    'returned',
  ],
  [
    'a deposit that is away',
    { kind: 0, assets: 5_000_000n, shares: 0n },
    3,
    4n,
    { outstandingAssets: { raw: '4' }, keptShares: { raw: '0' } },
    'releaseRecovered',
  ],
  [
    'a withdrawal',
    { kind: 1, assets: 0n, shares: 7_000_000n },
    3,
    0n,
    { outstandingAssets: { raw: '0' }, keptShares: { display: '7' } },
    'Request it again',
  ],
  ['a cancelled withdrawal', { kind: 1, assets: 0n, shares: 7n }, 4, 0n, { keptShares: { raw: '7' } }, 'Request it again'],
] as const)('the failure of %s says what it left and how to get it', (_name, changes, status, outstanding, left, how) => {
  const request = { ...REQUEST, status, context: { ...REQUEST.context, ...changes } }
  const view = requestView(ID, request, ASSET, outstanding)
  expect(CrossChainRequestShape.parse(view)).toEqual(view)
  expect(view.recovery).toMatchObject(left)
  expect(view.recovery?.statement).toContain(how)
})

test.each([1, 2])('a request of status %i leaves nothing to recover', (status) => {
  expect(requestView(ID, { ...REQUEST, status }, ASSET).recovery).toBeNull()
})

test.each([
  [0, 'unknown'],
  [1, 'pending'],
  [2, 'succeeded'],
  [3, 'failed'],
  [4, 'cancelled'],
])('status %d is labelled %s', (status, statusLabel) => {
  expect(requestView(ID, { ...REQUEST, status }, ASSET)).toMatchObject({ status, statusLabel })
})

test('an asset that the service does not have has no symbol', () => {
  expect(requestView(ID, REQUEST, { ...ASSET, address: ACCOUNT }).assetSymbol).toBeNull()
})

test.each([
  [zeroHash, null],
  [stringToHex('NO_LIQUIDITY', { size: 32 }), 'NO_LIQUIDITY'],
  [`0x${'80'.repeat(32)}`, null],
  [`0x41004100${'0'.repeat(56)}`, null],
])('the text of %s is %s', (bytes, text) => {
  expect(textOfBytes32(bytes)).toBe(text)
  expect(failureCodeLabel(bytes)).toBe(text)
})
