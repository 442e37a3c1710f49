import { describe, expect, test } from '@jest/globals'
import {
  formatNativeMessage,
  isNativeText,
  type NativeMessage,
  nativeChainId,
  parseNativeMessage,
} from '../../../../domain/identity/native/message.ts'

const MESSAGE: NativeMessage = {
  domain: 'work.example',
  address: '148eGqBKBSbTrKnGQka9tNNFoycLLa6ZPddFbtfJNczsBQPj',
  statement: 'Sign in to the agent work service.',
  uri: 'https://work.example',
  chainId: nativeChainId(`0x${'0'.repeat(64)}`),
  nonce: '0123456789abcdef0123456789abcdef',
  issuedAt: '2026-01-02T03:04:05.000Z',
  expirationTime: '2026-01-02T03:09:05.000Z',
}

/** Source: identity, "Native sign-in", vectors. */
const TEXT = `work.example wants you to sign in with your Substrate account:
148eGqBKBSbTrKnGQka9tNNFoycLLa6ZPddFbtfJNczsBQPj

Sign in to the agent work service.

URI: https://work.example
Version: 1.0.0
Chain ID: polkadot:00000000000000000000000000000000
Nonce: 0123456789abcdef0123456789abcdef
Issued At: 2026-01-02T03:04:05.000Z
Expiration Time: 2026-01-02T03:09:05.000Z`

const OAUTH = { requestId: 'a_b-C1', resources: ['https://work.example/mcp', 'https://work.example'] }

describe('the sign-in message of a native account', () => {
  test('has the published text', () => {
    expect(formatNativeMessage(MESSAGE)).toBe(TEXT)
  })

  test('names a request of OAuth and resources at its end', () => {
    expect(formatNativeMessage({ ...MESSAGE, ...OAUTH })).toBe(
      `${TEXT}\nRequest ID: a_b-C1\nResources:\n- https://work.example/mcp\n- https://work.example`,
    )
  })

  test.each([
    ['a sign-in', MESSAGE],
    ['a request of OAuth', { ...MESSAGE, ...OAUTH }],
    ['a request of OAuth without resources', { ...MESSAGE, requestId: 'a' }],
    ['an unreadable time', { ...MESSAGE, issuedAt: 'yesterday' }],
  ])('is read back for %s', (_name, message) => {
    const text = formatNativeMessage(message)
    expect(isNativeText(text)).toBe(true)
    expect(parseNativeMessage(text)).toEqual(message)
  })

  test('names its network by the first half of the genesis hash', () => {
    expect(nativeChainId('0x68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f')).toBe(
      'polkadot:68d56f15f85d3136970ec16946040bc1',
    )
  })

  test.each([
    ['of an EVM account', TEXT.replace('Substrate', 'Ethereum')],
    ['with an EVM address', TEXT.replace(/^148.*$/m, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')],
    ['wrapped', `<Bytes>${TEXT}</Bytes>`],
    ['of another version', TEXT.replace('1.0.0', '1')],
    ['with a line more', `${TEXT}\nNot Before: 2026-01-02T03:04:05.000Z`],
    ['with a line end more', `${TEXT}\n`],
    ['with other line ends', TEXT.replaceAll('\n', '\r\n')],
    ['without a nonce', TEXT.replace(/^Nonce.*\n/m, '')],
    ['with a statement of two lines', TEXT.replace('service.', 'service.\nAnd more.')],
    ['with resources but none', `${TEXT}\nResources:`],
    ['without text', ''],
  ])('is not a text %s', (_name, text) => {
    expect(parseNativeMessage(text)).toBeNull()
  })
})
