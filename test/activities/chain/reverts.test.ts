import { expect, test } from '@jest/globals'
import { encodeErrorResult, type Hex, parseAbi, RpcRequestError, toFunctionSelector } from 'viem'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { decodeRevert, isAlreadyKnown, parseRevert } from '../../../activities/chain/reverts.ts'
import { contractRefusal } from '../../../domain/chain/contract-refusals.ts'

const encoded = (signature: string, args: unknown[] = []): Hex =>
  encodeErrorResult({ abi: parseAbi([`error ${signature}`] as readonly string[]), args } as never)

// Selectors as contracts 18 lists them.
test.each([
  ['InsufficientLiquidity', encoded('InsufficientLiquidity()'), '0xbb55fd27'],
  ['InvalidState', encoded('InvalidState()'), '0xbaf3f0f7'],
  ['ProtocolPaused', encoded('ProtocolPaused()'), '0x44279255'],
  ['Unauthorized', encoded('Unauthorized()'), '0x82b42900'],
  ['TransferFailed', encoded('TransferFailed()'), '0x90b8ec18'],
  ['ReentrantCall', encoded('ReentrantCall()'), '0x37ed32e8'],
  ['Panic', encoded('Panic(uint256)', [0x11n]), '0x4e487b71'],
  ['SharesPledged', encoded('SharesPledged()'), toFunctionSelector('SharesPledged()')],
  [
    'InsufficientBuffer',
    encoded('InsufficientBuffer(uint256,uint256)', [1n, 2n]),
    toFunctionSelector('InsufficientBuffer(uint256,uint256)'),
  ],
  ['LoanLimitExceeded', encoded('LoanLimitExceeded(uint256,uint256)', [1n, 2n]), toFunctionSelector('LoanLimitExceeded(uint256,uint256)')],
])('%s is a custom error with its selector and a meaning of its own', (name, data, selector) => {
  expect(data.startsWith(selector)).toBe(true)
  expect(parseRevert(decodeRevert(data))).toEqual({ customError: name, rawReason: null, selector })
  expect(contractRefusal(decodeRevert(data))).not.toEqual(contractRefusal('anything else'))
})

test.each<[string, Hex, ReturnType<typeof parseRevert>]>([
  ['the text of a require', encoded('Error(string)', ['SETTLED']), { customError: null, rawReason: 'SETTLED', selector: '0x08c379a0' }],
  ['an unknown error', '0xdeadbeef', { customError: null, rawReason: null, selector: '0xdeadbeef' }],
  ['no data', '0x', { customError: null, rawReason: null, selector: null }],
])('%s keeps its own parts and gets the general refusal', (_what, data, parts) => {
  expect(parseRevert(decodeRevert(data))).toEqual(parts)
  expect(contractRefusal(decodeRevert(data))).toEqual(contractRefusal('anything else'))
})

test.each([
  ['already known', true],
  ['Transaction Already Imported', true],
  ['AlreadyKnown', true],
  ['Known transaction', true],
  ['tx already in mempool', true],
  ['ALREADY_EXISTS: transaction is in the pool', true],
  ['nonce too low: next nonce 7, tx nonce 6', true],
  ['OldNonce', true],
  ['replacement transaction underpriced', false],
  ['insufficient funds for gas', false],
  ['unknown account', false],
])('a node that says %p of bytes has them: %p', (message, isKnown) => {
  expect(isAlreadyKnown(new RpcRequestError({ body: {}, error: { code: -32_000, message }, url: 'http://node' }))).toBe(isKnown)
})

test('only what passes by itself is worth waiting for, and a name of the language is no name of an error', () => {
  const names = [...escrowCoreAbi, ...agentAccountCoreAbi].flatMap((item) => (item.type === 'error' ? [item.name] : []))
  const waits = new Set([...names, 'Panic'].filter((name) => contractRefusal(name).retryAfterSeconds !== undefined))
  expect([...waits]).toEqual(['ProtocolPaused'])
  expect(contractRefusal('constructor')).toEqual(contractRefusal('anything else'))
})
