import { describe, expect, test } from '@jest/globals'
import { createRunSecrets, runKeyOf } from '../../../activities/paid-verification/secrets.ts'

const secrets = createRunSecrets('a secret of thirty-two characters')
const PAYMENT = { network: 'eip155:1', asset: `0x${'a'.repeat(40)}`, payer: `0x${'1'.repeat(40)}`, nonce: `0x${'7'.repeat(64)}` }
const KEY = runKeyOf('verify-1')

describe('the id of a run', () => {
  test('is the same for the same payment, and a UUID', () => {
    const id = secrets.runIdOf(PAYMENT)
    expect(id).toMatch(/^verify-[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(secrets.runIdOf({ ...PAYMENT, payer: PAYMENT.payer.toUpperCase().replace('0X', '0x') })).toBe(id)
  })

  test('differs for any other payment, and for another secret', () => {
    const others = [
      { ...PAYMENT, network: 'eip155:2' },
      { ...PAYMENT, asset: `0x${'b'.repeat(40)}` },
      { ...PAYMENT, payer: `0x${'2'.repeat(40)}` },
      { ...PAYMENT, nonce: `0x${'8'.repeat(64)}` },
    ].map(secrets.runIdOf)
    const ids = [...others, createRunSecrets('another secret of the same length').runIdOf(PAYMENT), secrets.runIdOf(PAYMENT)]
    expect(new Set(ids).size).toBe(6)
  })
})

describe('a sealed credential', () => {
  test('is opened for its run, and does not show', () => {
    const sealed = secrets.sealCredential('Bearer é-token', KEY)
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('token')
    expect(secrets.openCredential(sealed, KEY)).toBe('Bearer é-token')
  })

  test.each<[string, () => string]>([
    ['another run', () => secrets.openCredential(secrets.sealCredential('x', KEY), runKeyOf('verify-2'))],
    ['another secret', () => createRunSecrets('another secret of the same length').openCredential(secrets.sealCredential('x', KEY), KEY)],
    [
      'a changed byte',
      () => {
        const bytes = Buffer.from(secrets.sealCredential('x', KEY), 'base64')
        bytes[13] = (bytes[13] ?? 0) ^ 1
        return secrets.openCredential(bytes.toString('base64'), KEY)
      },
    ],
  ])('is not opened for %s', (_case, open) => {
    expect(open).toThrow()
  })
})
