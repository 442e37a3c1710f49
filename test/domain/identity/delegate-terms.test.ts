import { describe, expect, test } from '@jest/globals'
import { SiweMessage } from 'siwe'
import { cleanName, delegateCapabilities, delegateStatement, orderedTerms } from '../../../domain/identity/delegate-terms.ts'
import { BASE_CAPABILITIES, NEVER_GRANTED } from '../../../schemas/identity/authorisation.ts'
import { DELEGATE_SCOPES, type DelegateTerms, SCOPE_NAMES } from '../../../schemas/identity/delegate-terms.ts'

const USDC = { symbol: 'USDC', decimals: 6 }
const ENDS = Date.parse('2026-12-02T10:00:00.000Z')
const TERMS: DelegateTerms = { scopes: ['submit', 'claim', 'read'], bondPerDayRaw: '7000000', jobsPerDay: 10, tiers: ['pro', 'starter'] }

describe('terms of a delegate', () => {
  test.each([
    [
      'all scopes and a host',
      { name: 'Test agent', host: 'claude.ai', id: 'x' },
      TERMS,
      "Let 'Test agent' at claude.ai act for me: read, claim, submit in all my sessions; bonds up to 7 USDC a day; 10 jobs a day; tiers starter, pro; until 2026-12-02T10:00:00.000Z.",
    ],
    [
      'one job and no host',
      { name: 'worker', host: null, id: null },
      { ...TERMS, scopes: ['claim'], bondPerDayRaw: '500000', jobsPerDay: 1, tiers: ['elite'] },
      "Let 'worker' act for me: claim; bonds up to 0.5 USDC a day; 1 job a day; tiers elite; until 2026-12-02T10:00:00.000Z.",
    ],
    [
      'no claims, and so no budget',
      { name: 'reader', host: null, id: null },
      { ...TERMS, scopes: ['submit', 'read'] },
      "Let 'reader' act for me: read, submit in all my sessions; until 2026-12-02T10:00:00.000Z.",
    ],
  ] as const)('the statement says %s', (_what, client, terms, statement) => {
    expect(delegateStatement(client, { ...terms, scopes: [...terms.scopes], tiers: [...terms.tiers] }, ENDS, USDC)).toBe(statement)
  })

  test.each([
    ['Claude <b>"x"</b>\nURI: https://evil.example', 'Claude b x b URI https evil.example'],
    ['\u202egpj.exe', 'gpj.exe'],
    ['Ａgent\u00a0Ünïcode', 'Agent n code'],
    ['<>"\'', 'an agent'],
    [`${'a'.repeat(59)} ${'b'.repeat(5000)}`, 'a'.repeat(59)],
  ])('the name %j reads %j in a message', (name, read) => {
    expect(cleanName(name)).toBe(read)
    const statement = delegateStatement({ name, host: null, id: null }, TERMS, ENDS, USDC)
    const message = new SiweMessage({
      domain: 'work.example',
      address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      uri: 'https://work.example',
      version: '1',
      chainId: 1,
      nonce: '0123456789abcdef',
      statement,
    })
    expect(new SiweMessage(message.prepareMessage()).statement).toBe(statement)
  })

  test('the order of a request changes nothing', () => {
    expect(orderedTerms(TERMS)).toEqual({ ...TERMS, scopes: ['read', 'claim', 'submit'], tiers: ['starter', 'pro'] })
  })

  test('a delegate has capabilities of every wallet only, and none that no grant carries', () => {
    const all = delegateCapabilities({ scopes: [...SCOPE_NAMES] })
    expect(all).toEqual([...new Set(all)].sort())
    expect(all.filter((name) => !BASE_CAPABILITIES.some((base) => base === name))).toEqual([])
    expect(all.filter((name) => NEVER_GRANTED.some((never) => never === name))).toEqual([])
    expect(delegateCapabilities({ scopes: ['submit'] })).toEqual([...DELEGATE_SCOPES.submit])
  })
})
