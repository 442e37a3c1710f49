import { beforeAll, describe, expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Hex } from 'viem'
import type { ChainReads } from '../../../activities/chain/reads.ts'
import { appendReputation } from '../../../activities/reputation/ledger.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { createDirectoryHandlers } from '../../../api/directory/handlers.ts'
import { SCRIPT } from '../../../pages/style.ts'
import type { ChainFile } from '../../../schemas/chain/chain-file.ts'
import * as directory from '../../../schemas/directory/operations.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { RECORD_SCHEMAS } from '../../../schemas/operations/record-schemas.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { insertLock } from '../../support/records/locked-deposits.ts'
import { ask, BASE_URL, NOW, refusal } from '../support/account-world.ts'
import { useDatabase } from '../support/own-database.ts'
import { addBadge, addSession, approvedAt } from '../support/work-rows.ts'

const database = useDatabase()
let openHandlers: (reads?: ChainReads) => ReturnType<typeof createDirectoryHandlers>
let handlers: ReturnType<typeof createDirectoryHandlers>
let now = NOW

const walletOf = (index: number): Hex => `0x${(0xd1_0000 + index).toString(16).padStart(40, '0')}`
const CANARY = walletOf(99)

beforeAll(async () => {
  const identities = JSON.stringify({ [CANARY]: { kind: 'canary' } })
  const settings = readSettings({ DATABASE_URL: 'postgres://unused', CHAIN_FILE: 'unused', OPERATOR_IDENTITIES: identities })
  const chain = { caip2: 'eip155:31337', chainId: 31_337, asset: { symbol: 'USDC', decimals: 6 } } as ChainFile
  const unreadable = { walletFacts: async () => Promise.reject(new ServiceError('blockchain_unavailable')) } as unknown as ChainReads
  openHandlers = (reads = unreadable) =>
    createDirectoryHandlers({ chain, reads, settings, database: database, clock: { now: () => now }, baseUrl: BASE_URL } as ApiDeps)
  handlers = openHandlers()
})

const consent = (wallet: Hex, body: Record<string, unknown>) => ask(directory.setAgentConsent, handlers.setAgentConsent, { wallet, body })
const list = async (query: Record<string, string> = {}) => (await ask(directory.listAgents, handlers.listAgents, { query })).body
const profile = async (wallet: Hex, reader?: Hex) =>
  (await ask(directory.getAgentProfile, handlers.getAgentProfile, { params: { wallet }, ...(reader && { wallet: reader }) })).body

/** A wallet with approved sessions, their badges and scores. */
const work = async (wallet: Hex, approved: number): Promise<void> => {
  for (let index = 0; index < approved; index += 1) {
    const [jobId, at] = [`${wallet}-${index}`, NOW - index * 60_000]
    const sessionId = await addSession(database, wallet, jobId, at, approvedAt(at))
    await addBadge(database, wallet, jobId, at)
    const event = { wallet, sessionId, kind: 'approval_level_1', reward: { rewardRaw: 2_000_000n, decimals: 6 }, at } as const
    await database.transaction((rows) => appendReputation(rows, event))
  }
}

describe('the page of the list', () => {
  const pageOf = async (query: Record<string, string> = {}) =>
    (await (await ask(directory.listAgents, handlers.listAgents, { query })).page?.()) ?? ''

  test('says without a listed wallet how one is listed', async () => {
    const text = await pageOf()
    expect(text).toContain('No wallet is listed here yet.')
    expect(text).toContain(`${BASE_URL}/agents/consent`)
  })

  test('stays small however long the list is, and leads on', async () => {
    const wallets = Array.from({ length: 60 }, (_, index) => walletOf(0x1000 + index))
    for (const wallet of wallets) await consent(wallet, { publicProfileOptIn: true })
    const text = await pageOf({ limit: '100' })
    expect(text.match(/<a href="\/agents\/0x/g)).toHaveLength(30)
    expect(text).toContain('>More agents</a>')
    for (const wallet of wallets) await consent(wallet, { publicProfileOptIn: false })
  })
})

describe('the list', () => {
  test('has the consenting wallets alone, highest score first, in pages without gap or repeat', async () => {
    for (let index = 1; index <= 7; index += 1) await work(walletOf(index), index % 4)
    for (const index of [1, 2, 3, 5, 6, 7]) await consent(walletOf(index), { publicProfileOptIn: true })
    const expected = [3, 7, 2, 6, 1, 5].map(walletOf)
    expect((await list()).agents.map(({ wallet }) => wallet)).toEqual(expected)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ limit: '2', ...(cursor !== null && { cursor }) })
      seen.push(...page.agents.map(({ wallet }) => wallet))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(seen).toEqual(expected)
    const [first] = (await list({ limit: '1' })).agents
    expect(first).toMatchObject({ handle: 'agent-0000-0003', tier: 'starter', reputationScore: 3 * 47, successRate: 1, totalJobs: 3 })
    expect(first?.badges).toHaveLength(3)
  })

  test('hides the wallets of the operator unless it is asked for them', async () => {
    await consent(CANARY, { publicProfileOptIn: true })
    expect((await list()).agents.map(({ wallet }) => wallet)).not.toContain(CANARY)
    const row = (await list({ includeSynthetic: 'true' })).agents.find(({ wallet }) => wallet === CANARY)
    expect(row).toMatchObject({ synthetic: true, identity: { classification: 'operator-run', kind: 'canary' } })
  })

  test('loses a wallet with its consent, and shows activity with a consent of its own', async () => {
    const wallet = walletOf(20)
    await addSession(database, wallet, 'busy', NOW)
    await consent(wallet, { publicProfileOptIn: true })
    const find = async () => (await list({ limit: '100' })).agents.find((row) => row.wallet === wallet)
    expect((await find())?.currentActivity).toBeUndefined()
    expect((await find())?.activeStake).toEqual({ raw: '200000', decimals: 6, display: '0.2' })
    await consent(wallet, { currentActivityOptIn: true })
    expect((await find())?.currentActivity).toMatchObject({ jobId: 'busy', status: 'claimed', canSubmit: true })
    await consent(wallet, { publicProfileOptIn: false })
    expect(await find()).toBeUndefined()
    expect(await refusal(profile(wallet))).toBe('agent_not_found')
    await consent(wallet, { publicProfileOptIn: true })
    expect((await find())?.currentActivity).toBeUndefined()
  })
})

describe('the mark of a committed depositor', () => {
  const debts = new Map<string, bigint>()
  const reads = {
    walletFacts: async (wallet: Hex) => {
      const creditDebtRaw = debts.get(wallet)
      if (creditDebtRaw === undefined) throw new ServiceError('blockchain_unavailable')
      return { creditDebtRaw, position: { debtOutstanding: 0n } }
    },
  } as unknown as ChainReads

  test.each([
    ['a published lock and no debt', true, 0n, true],
    ['a published lock and a debt', true, 1n, undefined],
    ['a published lock and a debt that cannot be read', true, null, undefined],
    ['a lock that is not published', false, 0n, undefined],
    ['no lock', null, 0n, undefined],
  ] as const)('with %s', async (_name, published, debt, marked) => {
    const wallet = walletOf(60 + debts.size + (debt === null ? 20 : 0))
    if (debt !== null) debts.set(wallet, debt)
    if (published !== null) await insertLock(database.rows, wallet, NOW, { publicProfileOptIn: published })
    await consent(wallet, { publicProfileOptIn: true })
    const { agents } = (await ask(directory.listAgents, openHandlers(reads).listAgents, { query: { limit: '100' } })).body
    expect(agents.find((row) => row.wallet === wallet)?.committedDepositor).toBe(marked)
    await consent(wallet, { publicProfileOptIn: false })
  })
})

describe('a profile', () => {
  test('has exactly the members of the published schema, which is strict', async () => {
    const wallet = walletOf(30)
    await work(wallet, 2)
    await consent(wallet, { publicProfileOptIn: true })
    const body = await profile(wallet)
    const ajv = new Ajv2020({ strict: false })
    formats.default(ajv)
    const validate = ajv.compile(RECORD_SCHEMAS.get('agent-profile-v1') ?? {})
    const parsed = JSON.parse(JSON.stringify(body))
    expect([validate(parsed), validate.errors]).toEqual([true, null])
    expect(validate({ ...parsed, extra: 1 })).toBe(false)
    expect(validate({ ...parsed, stats: { ...parsed.stats, extra: 1 } })).toBe(false)
    expect(body.stats).toMatchObject({
      totalBadges: 2,
      approvedCount: 2,
      rejectedCount: 0,
      completionRate: 1,
      totalEarned: { asset: 'USDC', amount: '3900000', decimals: 6, incomplete: false, includedApprovedCount: 2, omittedApprovedCount: 0 },
      preferredCategories: [{ category: 'docs', count: 2 }],
    })
    expect(body.categoryLevels).toEqual({ docs: 1 })
  })

  test.each([
    [71, 'an expired claim', { status: 'expired', expiredAt: NOW }, 0.6667],
    [72, 'a final rejection', { status: 'rejected', rejectedAt: NOW, rejectionFinalizedAt: NOW }, 0.6667],
    [73, 'a rejection that can be disputed', { status: 'rejected', rejectedAt: NOW }, 1],
    [74, 'a closed session', { status: 'closed', closedAt: NOW }, 1],
    [75, 'an open claim', {}, 1],
  ] as const)(
    '%i shows an approved share, in its row and page too, that %s beside two approved sessions makes what it is',
    async (index, name, changes, share) => {
      const wallet = walletOf(index)
      await work(wallet, 2)
      await addSession(database, wallet, name, NOW, changes)
      await consent(wallet, { publicProfileOptIn: true })
      expect((await profile(wallet)).stats.completionRate).toBe(share)
      expect((await list({ limit: '100' })).agents.find((row) => row.wallet === wallet)?.successRate).toBe(share)
      const { page } = await handlers.getAgentProfile({ params: { wallet }, query: {}, body: {}, caller: null, request: {} as never })
      expect(page?.()).toContain(share === 1 ? '<td>100 %' : '<td>66.7 %')
    },
  )

  test('of expired claims alone has an approved share of zero, and of none at all has none', async () => {
    const [idle, expired] = [walletOf(68), walletOf(69)]
    await addSession(database, expired, 'expired alone', NOW, { status: 'expired', expiredAt: NOW })
    const shareOf = async (wallet: Hex) => (await profile(wallet, wallet)).stats.completionRate
    expect([await shareOf(idle), await shareOf(expired)]).toEqual([null, 0])
  })

  test('of a private wallet is for the wallet itself alone', async () => {
    const wallet = walletOf(32)
    await work(wallet, 1)
    expect(await refusal(profile(wallet))).toBe('agent_not_found')
    expect(await refusal(profile(wallet, walletOf(33)))).toBe('agent_not_found')
    expect((await profile(wallet, wallet)).stats.approvedCount).toBe(1)
    const never = walletOf(34)
    expect((await profile(never, never)).stats).toMatchObject({ approvedCount: 0, activeSince: null })
    const answer = await ask(directory.getAgentProfile, handlers.getAgentProfile, { params: { wallet }, wallet })
    expect(answer.headers).toEqual({ 'cache-control': 'private, no-store' })
  })

  test('as a page escapes what it shows', async () => {
    const wallet = walletOf(35)
    const sessionId = await addSession(database, wallet, 'mark', NOW)
    const jobSnapshot = { definition: { title: '<script>alert(1)</script>' } }
    await database.rows.updateTable('session').set({ jobSnapshot }).where('sessionId', '=', sessionId).execute()
    await consent(wallet, { publicProfileOptIn: true, currentActivityOptIn: true })
    const { page } = await handlers.getAgentProfile({ params: { wallet }, query: {}, body: {}, caller: null, request: {} as never })
    const text = String(await page?.()).replace(`<script>${SCRIPT}</script>`, '')
    expect(text).toContain('&lt;script&gt;')
    expect(text).not.toContain('<script')
    expect(text).toContain('<h1>agent-0000-0023</h1>')
  })
})

describe('the consent', () => {
  test('keeps every change in its log, and nothing of a request that changes nothing', async () => {
    const wallet = walletOf(40)
    const first = (await consent(wallet, { publicProfileOptIn: true })).body
    now += 1_000
    expect((await consent(wallet, { publicProfileOptIn: true })).body).toEqual(first)
    await consent(wallet, { currentActivityOptIn: true })
    await consent(wallet, { publicProfileOptIn: false })
    const log = await database.rows.selectFrom('agent_consent_event').selectAll().where('wallet', '=', wallet).orderBy('seq').execute()
    expect(log.map(({ publicProfile, currentActivity }) => [publicProfile, currentActivity])).toEqual([
      [true, false],
      [true, true],
      [false, false],
    ])
    expect(await refusal(consent(wallet, { currentActivityOptIn: true }))).toBe('profile_opt_in_required')
  })

  test('of many requests at once leaves an unbroken log', async () => {
    const wallet = walletOf(41)
    await Promise.all(Array.from({ length: 20 }, (_, index) => consent(wallet, { publicProfileOptIn: index % 2 === 0 })))
    const log = await database.rows.selectFrom('agent_consent_event').selectAll().where('wallet', '=', wallet).orderBy('seq').execute()
    const stored = await database.rows.selectFrom('agent_consent').selectAll().where('wallet', '=', wallet).executeTakeFirstOrThrow()
    expect(log.map(({ wasPublicProfile }) => wasPublicProfile)).toEqual(
      [false, ...log.map(({ publicProfile }) => publicProfile)].slice(0, -1),
    )
    expect(log.at(-1)?.publicProfile).toBe(stored.publicProfile)
  })

  test.each([{}, { publicProfileOptIn: 'yes' }, { listed: true }])('%j is no request', (body) => {
    expect(directory.setAgentConsent.body.safeParse(body).success).toBe(false)
  })
})

describe('the counts over all wallets', () => {
  test('include private wallets and name none of them', async () => {
    const counts = async () => (await ask(directory.listAgents, openHandlers().listAgents, { query: { limit: '1' } })).body.aggregate
    const few = await counts()
    expect(few).toMatchObject({ participants: null, completedSessions: null, private: null })
    for (let index = 50; index < 56; index += 1) await work(walletOf(index), 1)
    const many = await counts()
    expect(many.suppressed).toEqual([])
    expect((many.listed ?? 0) + (many.private ?? 0)).toBe(many.participants)
  })
})
