import { describe, expect, test } from '@jest/globals'
import { recoverMessageAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  attestationDigest,
  attestationPayload,
  attestationValidUntil,
  VESTING_ATTESTATION_TYPEHASH,
} from '../../../domain/credit/attestation.ts'

const POOL = { chainId: 31337, address: '0x903B318586A3772c99185000676f4AC356DD6E4B' } as const
const BORROWER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const ATTESTATION = {
  borrower: BORROWER,
  loanId: '0x9ca9a3c68fa6dbda63eefda7c10b0a3bb3f6ded02f9513f9d0125f37195e725d',
  pledgeSharesRaw: 10_000_000n,
  amountRaw: 6_000_000n,
  vestedRaw: 8_000_000n,
  validUntil: 1_900_000_000,
  nonce: 0n,
} as const

describe('an attestation of vested principal', () => {
  test('has the type, payload and digest of the contract', () => {
    expect(VESTING_ATTESTATION_TYPEHASH).toBe('0x943fc620214566a822f85c2977cc829a7ee8948e1dab213ad2a89a3e1d1be8a4')
    expect(attestationPayload(ATTESTATION, POOL)).toBe('0x60afda6592dc7e23417faa340cda672b18b71130c737576739c3063e12bcec04')
    expect(attestationDigest(ATTESTATION, POOL)).toBe('0x329a22bfe2b13bb1407953297416b4c164aa69e2202336c02f92d1d814c6ac1b')
  })

  test('is signed as a personal message over its payload, and by that as its digest', async () => {
    const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    const payload = attestationPayload(ATTESTATION, POOL)
    const signature = await account.signMessage({ message: { raw: payload } })
    expect(await account.sign({ hash: attestationDigest(ATTESTATION, POOL) })).toBe(signature)
    expect(await recoverMessageAddress({ message: { raw: payload }, signature })).toBe(account.address)
  })

  test.each(Object.keys(ATTESTATION))('binds its member %s', (name) => {
    const changed = { ...ATTESTATION, borrower: POOL.address, loanId: `0x${'0'.repeat(64)}`, pledgeSharesRaw: 1n } as const
    const other = { ...changed, amountRaw: 1n, vestedRaw: 1n, validUntil: 1, nonce: 1n } as const
    const one = { ...ATTESTATION, ...Object.fromEntries(Object.entries(other).filter(([key]) => key === name)) }
    expect(attestationPayload(one, POOL)).not.toBe(attestationPayload(ATTESTATION, POOL))
  })

  test('binds chain and contract', () => {
    const payload = attestationPayload(ATTESTATION, POOL)
    expect(attestationPayload(ATTESTATION, { ...POOL, chainId: 1 })).not.toBe(payload)
    expect(attestationPayload(ATTESTATION, { ...POOL, address: BORROWER })).not.toBe(payload)
  })

  test('is valid for 300 seconds from the second of its block', () => {
    expect(attestationValidUntil(1_899_999_700_000)).toBe(1_900_000_000)
    expect(attestationValidUntil(1_899_999_700_999)).toBe(1_900_000_000)
  })
})
