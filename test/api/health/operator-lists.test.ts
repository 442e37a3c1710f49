// Lists of operators over the records of every wallet: order, filters, pages, refusals, and what they keep to themselves.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { createEvaluations } from '../../../activities/eligibility/evaluate.ts'
import { insertGrant } from '../../../activities/identity/grants.ts'
import { rememberNativeAccount } from '../../../activities/identity/native-accounts.ts'
import { insertDelivery } from '../../../activities/webhooks/records.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { createPaidVerificationHandlers } from '../../../api/paid-verification/handlers.ts'
import { createPostingHandlers } from '../../../api/postings/handlers.ts'
import { createWebhookHandlers } from '../../../api/webhooks/handlers.ts'
import { PROFILES } from '../../../domain/paid-verification/profiles.ts'
import type { Tables } from '../../../schemas/entities/tables.ts'
import { builtJob, jobBody } from '../../domain/builders/job.ts'
import { ed25519Signer } from '../../domain/identity/native/signers.ts'
import { accounts, type Reply, tokenOf } from '../../support/api.ts'
import { quotedPosting } from '../../support/records/posting-rows.ts'
import { addWebhook, WEBHOOK_SECRET } from '../../support/webhooks/rows.ts'
import { NOW } from '../support/account-world.ts'
import { useApi } from '../support/started.ts'

const HOUR = 3_600_000
const { ss58, accountId, wallet: NATIVE } = ed25519Signer(1).account
const EVM = `0x${'c3'.repeat(20)}`
const [PRIVATE, HIDDEN] = ['a-private-input', 'a-hidden-verdict']

const api = useApi({
  now: NOW,
  settings: { WEBHOOKS: 'true', WEBHOOK_SECRETS: WEBHOOK_SECRET, RATE_LIMITS: '{"auth_nonce":{"limit":999},"auth_verify":{"limit":999}}' },
  handlers: (common) => {
    const reads = { operator: null } as ApiDeps['reads']
    const engine = { readRunners: async () => ({ ready: 0, unable: [] }) }
    const deps = { ...common, reads, engine, evaluations: createEvaluations({ ...common, reads } as ApiDeps) } as unknown as ApiDeps
    return { ...createPostingHandlers(deps), ...createWebhookHandlers(deps), ...createPaidVerificationHandlers(deps) }
  },
})

const [PROFILE, ANOTHER] = PROFILES
if (PROFILE === undefined || ANOTHER === undefined) throw new Error('no profiles')

const aRun = (digit: string, age: number, changes: Partial<Tables['verification_run']> = {}): Tables['verification_run'] => ({
  ...{ runKey: digit.repeat(64), state: 'authorized', profileRef: PROFILE.ref, profileDigest: PROFILE.digest },
  ...{ requestHash: `0x${digit.repeat(64)}`, target: { url: PRIVATE }, inputs: { text: PRIVATE }, hasCredential: true },
  ...{ sealedCredential: null, network: 'eip155:1', asset: EVM, payer: EVM, payTo: NATIVE, nonce: `0x${digit.repeat(64)}` },
  ...{ amountRaw: 5_000_000n, decimals: 6, validAfter: 0, validBefore: 9n as never, signature: 'a-signature', admittedBlock: 1n as never },
  ...{ attempts: 1, verdict: null, result: null, uncollectable: null, txHash: null, blockNumber: null, receiptId: null },
  ...{ submittedAt: NOW - age * HOUR, executedAt: null, endedAt: null, expiresAt: NOW + HOUR, wokenAt: null },
  ...changes,
})
/** A result with a reason that nothing may show before its time. */
const judged = (verdict: 'approved' | 'rejected' | 'inconclusive') => ({
  verdict,
  result: { verdict, reason: HIDDEN, checks: [], artefacts: [], evidence: { text: PRIVATE } } as never,
  executedAt: NOW - HOUR,
})

const addRuns = async (): Promise<void> => {
  const ended = { endedAt: NOW, signature: null }
  const receiptId = `0x${'f'.repeat(64)}`
  const { database } = api.deps
  const [key] = await database.rows.selectFrom('signing_key').select('kid').limit(1).execute()
  await database.rows
    .insertInto('run_receipt')
    .values({ receiptId, kid: key?.kid ?? '', document: '{}' })
    .execute()
  const runs = [
    aRun('1', 5, { sealedCredential: 'a-sealed-credential' }),
    aRun('2', 4, { ...judged('rejected'), state: 'executed' }),
    aRun('3', 3, { ...judged('approved'), ...ended, state: 'captured', txHash: `0x${'a'.repeat(64)}`, payer: NATIVE, receiptId }),
    aRun('4', 3, { ...judged('rejected'), ...ended, state: 'uncollectable', uncollectable: 'cancelled' }),
    aRun('5', 1, { ...judged('inconclusive'), ...ended, state: 'not_billed', profileRef: ANOTHER.ref, receiptId }),
  ]
  await database.rows.insertInto('verification_run').values(runs).execute()
}

const addPostings = async (): Promise<void> => {
  const posted = (title: string, age: number, poster: string, changes: Partial<Tables['posting']> = {}) =>
    quotedPosting(builtJob(jobBody({ title })), poster, NOW - age * HOUR, changes)
  const rows = [
    posted('First', 100, EVM),
    posted('Second', 3, EVM, { status: 'awaiting_funding', handedOutAt: NOW - HOUR }),
    posted('Third', 2, NATIVE, { status: 'expired', reason: 'funded_after_expiry' }),
    posted('Fourth', 1, NATIVE),
  ]
  await api.deps.database.rows.insertInto('posting').values(rows).execute()
}

const addWebhooks = async (): Promise<void> => {
  const { rows } = api.deps.database
  const paused = { state: 'paused', pauseReason: 'failed_for_24_hours', failures: 9, failingSince: NOW - 25 * HOUR } as const
  const addresses = [
    ['https://user:password@agent.example:8443/hooks/a-secret-path?key=a-secret-query#a-secret-part', 4, EVM, {}],
    ['https://agent.example/', 3, EVM, paused],
    ['https://agent.example/hook', 2, NATIVE, {}],
    ['https://agent.example/hook/', 1, NATIVE, { state: 'paused', pauseReason: 'paused_by_owner' }],
  ] as const
  for (const [url, age, wallet, change] of addresses) {
    const { id } = await addWebhook(rows, wallet, url, { ...change, createdAt: NOW - age * HOUR })
    if (age !== 4) continue
    const delivery = { eventId: '1', topic: 'session.claimed', durationMs: 7, answerBytes: 12, detail: 'a detail of the receiver' } as const
    await insertDelivery(
      rows,
      { id, deliveryCount: 0 },
      { ...delivery, sentAt: NOW - 1, outcome: 'delivered', httpStatus: 200, failure: null },
    )
    const failed = { outcome: 'failed', httpStatus: 500, failure: 'status' } as const
    await insertDelivery(rows, { id, deliveryCount: 1 }, { ...delivery, ...failed, sentAt: NOW })
  }
}

const addDelegates = async (): Promise<void> => {
  const { rows } = api.deps.database
  const grant = (id: string, age: number, wallet: string, change: { expiresAt?: number; name?: string } = {}) =>
    insertGrant(rows, {
      ...{ id: `grant-${id.repeat(12)}`, kind: 'delegate', subject: wallet, capabilities: ['jobs:claim'], scope: null, note: null },
      ...{ issuedBy: wallet, issuedAt: NOW - age * HOUR, expiresAt: change.expiresAt ?? NOW + HOUR },
      ...{ jti: null, tokenExpiresAt: null, rotatedFrom: null, message: 'a-signed-message', signature: 'a-signature' },
      terms: { scopes: ['claim'], bondPerDayRaw: '7000000', jobsPerDay: 10, tiers: ['starter'] },
      client: { name: change.name ?? 'Agent', host: null, id: null },
    })
  await grant('a', 4, EVM)
  await grant('b', 3, EVM, { expiresAt: NOW })
  await grant('c', 2, NATIVE)
  await grant('d', 1, NATIVE, { expiresAt: NOW - HOUR / 2 })
  const revoked = { revokedAt: NOW, revokedBy: NATIVE }
  await rows
    .updateTable('capability_grant')
    .set(revoked)
    .where('id', '=', `grant-${'c'.repeat(12)}`)
    .execute()
}

const tokens: Record<string, string> = {}
beforeAll(async () => {
  await rememberNativeAccount(api.deps.database.rows, { wallet: NATIVE, ss58, accountId } as never, NOW)
  await Promise.all([addRuns(), addPostings(), addWebhooks(), addDelegates()])
  for (const name of ['admin', 'verifier', 'arbitrator', 'worker'] as const) tokens[name] = await tokenOf(api, accounts[name])
})

type Row = Record<string, never>
interface List {
  path: string
  /** Array of the answer, and what names a row. */
  rows: string
  nameOf: (row: Row) => unknown
  /** All names in their order. */
  all: unknown[]
  filters: [string, unknown[]][]
  hostile: string[]
}

const LISTS: List[] = [
  {
    ...{ path: '/admin/postings', rows: 'jobs', nameOf: ({ title }) => title, all: ['Fourth', 'Third', 'Second', 'First'] },
    filters: [
      ['status=quoted', ['Fourth']],
      // A quote ends by itself: so does what a list says of it.
      ['status=expired', ['Third', 'First']],
      ['status=awaiting_funding', ['Second']],
      ['status=live', []],
      [`poster=${EVM}`, ['Second', 'First']],
      [`poster=${EVM.toUpperCase().replace('0X', '0x')}&status=expired`, ['First']],
    ],
    hostile: ['status=unknown', 'status=', 'poster=0x1', `poster=${EVM}'--`, 'status=live&status=quoted'],
  },
  {
    ...{ path: '/admin/webhooks', rows: 'webhooks', nameOf: ({ address }) => address },
    all: ['https://agent.example/…', 'https://agent.example/…', 'https://agent.example/', 'https://agent.example:8443/…'],
    filters: [
      ['state=paused', ['https://agent.example/…', 'https://agent.example/']],
      [`wallet=${EVM}`, ['https://agent.example/', 'https://agent.example:8443/…']],
      [`wallet=${NATIVE}&state=active`, ['https://agent.example/…']],
      [`wallet=0x${'9'.repeat(40)}`, []],
    ],
    hostile: ['state=deleted', 'wallet=', `wallet=${EVM}%00`, 'wallet[]=1&wallet=2'],
  },
  {
    ...{ path: '/admin/verification-runs', rows: 'runs', nameOf: ({ runKey }) => String(runKey)[0], all: ['5', '3', '4', '2', '1'] },
    filters: [
      ['status=complete', ['5', '3', '4']],
      ['status=executed', ['2']],
      ['billing=uncollectable', ['4']],
      ['billing=authorized', ['2', '1']],
      ['billing=authorized&status=queued', ['1']],
      ['billing=captured&status=queued', []],
      [`customer=${NATIVE}`, ['3']],
      [`profile=${PROFILE.ref}`, ['3', '4', '2', '1']],
      [`profile=${ANOTHER.document.name}`, ['5']],
      ['profile=no-such-profile', []],
    ],
    hostile: ['status=capturing', 'billing=paid', 'profile=A%25', "profile=a'", 'profile=a@0', 'customer=0x', `profile=${'a'.repeat(101)}`],
  },
  {
    ...{ path: '/admin/delegates', rows: 'items', nameOf: ({ grantId }) => String(grantId).at(-1), all: ['d', 'c', 'b', 'a'] },
    filters: [
      ['status=active', ['a']],
      ['status=expired', ['d', 'b']],
      ['status=revoked', ['c']],
      [`wallet=${EVM}`, ['b', 'a']],
      [`wallet=${NATIVE}&status=expired`, ['d']],
    ],
    hostile: ['status=ended', 'wallet=x', `wallet=${EVM}&wallet=${NATIVE}`],
  },
]

const read = (path: string, token = tokens.admin): Promise<Reply> => api.call(path, { token })

describe.each(LISTS)('GET $path', ({ path, rows, nameOf, all, filters, hostile }) => {
  const namesOf = (body: Reply['body']): unknown[] => body[rows].map(nameOf)

  test('has the records of every wallet, newest first', async () => {
    const { status, body } = await read(path)
    expect([status, namesOf(body), body.nextCursor]).toEqual([200, all, null])
  })

  test.each(filters)('with %s has %j', async (query, names) => {
    const { status, body } = await read(`${path}?${query}`)
    expect([status, namesOf(body)]).toEqual([200, names])
  })

  test.each([1, 2, 3, 4, 5])('in pages of %i has each once', async (limit) => {
    const found: unknown[] = []
    for (let cursor = ''; found.length <= all.length; ) {
      const { body } = await read(`${path}?limit=${limit}${cursor}`)
      expect(body[rows].length).toBeLessThanOrEqual(limit)
      found.push(...namesOf(body))
      if (body.nextCursor === null) break
      cursor = `&cursor=${body.nextCursor}`
    }
    expect(found).toEqual(all)
  })

  test('takes no cursor of other filters', async () => {
    const { nextCursor } = (await read(`${path}?limit=1`)).body
    const { status, body } = await read(`${path}?limit=1&cursor=${nextCursor}&${filters[0]?.[0]}`)
    expect([status, body.errors[0].pointer]).toEqual([400, 'query/cursor'])
  })

  test.each([...hostile, 'limit=0', 'limit=251', 'cursor=%00', 'limit=1e1'])('with %s is refused', async (query) => {
    const { status, body } = await read(`${path}?${query}`)
    expect([status, body.code]).toEqual([400, 'invalid_request'])
    expect(body.errors[0].pointer).toMatch(/^query\/\w+/)
  })

  test.each(['verifier', 'arbitrator', 'worker'])('is refused for a %s', async (name) => {
    const { status, body } = await read(path, tokens[name])
    expect([status, body.code]).toEqual([403, 'missing_role'])
  })

  test('shows no secret, signature, input or hidden verdict', async () => {
    const { text } = await read(path)
    expect(text).not.toMatch(/a-private|a-s(ecret|ealed|ign)|password|whsec|keyId|of the receiver|signature|validBefore/)
  })
})

describe('a row', () => {
  const rowsOf = async (path: string, name: string): Promise<Record<string, unknown>[]> => (await read(path)).body[name]

  test('of a posting is that of its poster, with the poster and its native account', async () => {
    const [fourth, , second] = await rowsOf('/admin/postings', 'jobs')
    expect(fourth).toMatchObject({ poster: NATIVE, nativeAccount: { ss58, accountId32: accountId }, status: 'quoted' })
    expect(second).toMatchObject({ poster: EVM, reward: { asset: 'USDC' }, next: { kind: expect.any(String) }, claimState: null })
    expect(second).not.toHaveProperty('nativeAccount')
    const [, third] = await rowsOf('/admin/postings', 'jobs')
    expect(third).toMatchObject({ status: 'expired', reason: 'funded_after_expiry' })
  })

  test('of a webhook has its last delivery and why it is paused', async () => {
    const [, native, paused, first] = await rowsOf('/admin/webhooks', 'webhooks')
    expect(first).toMatchObject({ wallet: EVM, state: 'active', lastDelivery: { outcome: 'failed', httpStatus: 500, failure: 'status' } })
    expect(paused).toMatchObject({ pauseReason: 'failed_for_24_hours', failures: 9, lastDelivery: null })
    expect(native).toMatchObject({ wallet: NATIVE, nativeAccount: { ss58 } })
  })

  test('of a run shows its verdict only once it is paid or will not be billed', async () => {
    const runs = await rowsOf('/admin/verification-runs', 'runs')
    expect(runs.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'approved', undefined, undefined, undefined])
    expect(runs[1]).toMatchObject({ customer: NATIVE, status: 'complete', billing: { status: 'captured', amountRaw: '5000000' } })
    expect(runs[2]).toMatchObject({ billing: { status: 'uncollectable', reason: 'cancelled' }, endedAt: new Date(NOW).toISOString() })
    // The reason of a run that is not billed is why.
    const [unbilled, ...others] = runs.map((run) => JSON.stringify(run))
    expect(unbilled).toContain(HIDDEN)
    expect(others.join()).not.toMatch(/a-hidden|rejected|evidence|runId|verify-/)
  })

  test('of a delegate has its terms, its use and how it ended', async () => {
    const [expired, revoked, , active] = await rowsOf('/admin/delegates', 'items')
    expect(active).toMatchObject({ wallet: EVM, status: 'active', scopes: ['claim'], used: { jobs: 0, bonds: { raw: '0' } } })
    expect(active).toMatchObject({ budget: { jobsPerDay: 10, bondPerDay: { raw: '7000000' } } })
    expect(revoked).toMatchObject({ status: 'revoked', revokedBy: 'wallet', nativeAccount: { ss58 } })
    expect(expired).toMatchObject({ status: 'expired', revokedAt: null })
  })
})
