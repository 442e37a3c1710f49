import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  chainJobId,
  checksumAddress,
  disputeId,
  labelHash,
  normaliseSessionId,
  parseSessionId,
  reasonCodeHash,
  sessionId,
} from '../../../domain/common/ids.ts'

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const LOWER = WALLET.toLowerCase()

describe('ids', () => {
  test('the chain id of a job is the hash of its id, or the id itself when it is bytes32', () => {
    expect(chainJobId('starter-docs-001')).toBe('0x9818ea3ff6fcea6a2f99593456ca2d0ecd47e8aa5006450aeef59c95c02c5be3')
    expect(chainJobId('job-example-1')).toBe('0xf4e341ab167a1e4e56adbd71e01f7ab1a87f262669eaf00ab95172f6cfd9f3e3')
    expect(chainJobId(`0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
  })

  test('a session id carries the checksummed wallet whatever spelling came in', () => {
    expect(sessionId('job-example-1', LOWER)).toBe(`job-example-1:${WALLET}`)
    expect(sessionId('job-example-1', WALLET, 1)).toBe(`job-example-1:${WALLET}`)
    expect(sessionId('job-example-1', LOWER, 3)).toBe(`job-example-1:${WALLET}:3`)
    expect(encodeURIComponent(sessionId('job-example-1', LOWER))).toBe(`job-example-1%3A${WALLET}`)
  })

  test('a session id is not made of something that is no address', () => {
    expect(() => sessionId('job-example-1', '0x123')).toThrow(TypeError)
  })

  test.each([
    ['lower case', LOWER],
    ['upper case', `0x${LOWER.slice(2).toUpperCase()}`],
    ['checksum case', WALLET],
  ])('an incoming id in %s is the same session', (_name, address) => {
    expect(normaliseSessionId(`job-example-1:${address}`)).toBe(`job-example-1:${WALLET}`)
    expect(parseSessionId(`job-example-1:${address}:2`)).toEqual({ jobId: 'job-example-1', wallet: LOWER, attempt: 2 })
  })

  test.each([
    ...['', 'job-example-1', `:${WALLET}`, `job-example-1:${WALLET}:`, `job-example-1:${WALLET}:0`, `job-example-1:${WALLET}:1`],
    ...[`job-example-1:${WALLET}:02`, `job example:${WALLET}`, `job-example-1:${WALLET} `],
    ...[`job-example-1:${WALLET.replace('C5', 'c5')}`, `job-example-1:${WALLET.slice(0, -1)}`],
  ])('%p is no session id', (text) => {
    expect(parseSessionId(text)).toBeNull()
    expect(normaliseSessionId(text)).toBeNull()
  })

  test('every session id reads back as what it was made of', () => {
    const hex = fc.stringMatching(/^[0-9a-f]{40}$/)
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,30}$/), hex, fc.integer({ min: 1, max: 99 }), (jobId, digits, attempt) => {
        const wallet = `0x${digits}`
        const id = sessionId(jobId, wallet, attempt)
        expect(parseSessionId(id)).toEqual({ jobId, wallet, attempt })
        expect(normaliseSessionId(id.toLowerCase())).toBe(id)
      }),
    )
  })

  test('a mixed spelling without a valid checksum is refused', () => {
    expect(checksumAddress(WALLET.replace('C5', 'c5'))).toBeNull()
    expect(checksumAddress(LOWER)).toBe(WALLET)
    expect(checksumAddress(LOWER.slice(2))).toBeNull()
  })

  test('a dispute id is short and follows from the session', () => {
    expect(disputeId(sessionId('job-example-1', WALLET))).toBe('dispute-0a96015779ab')
    expect(disputeId('starter-docs-001:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toBe('dispute-ff851fc13529')
  })

  test('words are hashed as the escrow stores them', () => {
    expect(labelHash('codehost_pr')).toBe('0xef2ee5b14020f5a02b161b9caad6fd3805068ed2e6fbb6330e4d017013a2ce60')
    expect(labelHash('benchmark')).toBe('0xfe6e943664ea20c614f5e9ef10a77775da30c9e509ae648d83f4197fe516f21e')
    expect(labelHash('deterministic')).toBe('0x02353ee0753a27786011cf5db6646dd602b68271e0cb388dd75319bf4b7f08ac')
    expect(labelHash('human_fallback')).toBe('0x2ae907d8ec2240fb5bccfae890d1d076125637dc0a2755e58585386798ab560b')
    expect(labelHash('Coding')).toBe('0x67866c9024573b37f651b9a98095410d39d0a2e33cec839f0840ccc95a95e713')
    expect(reasonCodeHash('HUMAN_REVIEW_REQUIRED')).toBe('0xd2bb3c59606035b0e4849757f1a6b4f9452aab9d082c63bf1208866fef3d0671')
    expect(reasonCodeHash('BALANCE_OBSERVATION_TIMEOUT')).toBe('0x19f800d9f7e28210802138d60cda15ec94016cfb24f6a8c293a6cb83150c720d')
  })
})
