import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Hex, parseEventLogs } from 'viem'
import { insertJob } from '../../../activities/catalogue/writes.ts'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { createSigners } from '../../../activities/chain/clients.ts'
import { insertConsent } from '../../../activities/consents/records.ts'
import { createDisclosureSteps, type DisclosureDeps } from '../../../activities/content/disclosure.ts'
import { storeContent } from '../../../activities/content/records.ts'
import { createContentHandlers } from '../../../api/content/handlers.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { keccakOf, sha256Of } from '../../../domain/common/hashes.ts'
import { localKeys } from '../../../local/keys.ts'
import type { Tables } from '../../../schemas/entities/tables.ts'
import { type FollowerWorld, startFollowerWorld } from '../../activities/support/follower-world.ts'
import { brokenClients } from '../../activities/support/service.ts'
import { BAD } from '../../activities/support/settlements.ts'
import { builtJob, jobBody } from '../../domain/builders/job.ts'
import { type Api, accounts, type Reply, startApi, tokenOf } from '../../support/api.ts'

const DAY = 86_400_000
const lower = (address: string): Hex => address.toLowerCase() as Hex
const OWNER = lower(accounts.worker.address)
const SECOND = lower(accounts.verifier.address)

let world: FollowerWorld
let api: Api
const tokens: Record<'owner' | 'second' | 'admin' | 'stranger', string> = { owner: '', second: '', admin: '', stranger: '' }
/** Chain of the publications; a test can break it. */
let chainOf: () => Partial<DisclosureDeps> = () => ({})

/** Runs the steps of a publication in this process, in the order of its workflow, and waits no longer than for the first failure. */
const engine: Pick<ApiDeps['engine'], 'publishContent'> = {
  publishContent: async (input) => {
    const { database, clock, reads, transactions } = world
    const steps = createDisclosureSteps({ database, clock, reads, transactions, ...chainOf() })
    await steps.publishContent(input)
    await steps.discloseContent(input).catch(() => undefined)
  },
}

beforeAll(async () => {
  world = await startFollowerWorld()
  const { database, clock, settings } = world
  const handlers = createContentHandlers({ database, clock, baseUrl: 'https://work.example', engine } as unknown as ApiDeps)
  const limits = { RATE_LIMITS: '{"content_write":{"limit":1000}}' }
  api = await startApi({ databaseUrl: settings.DATABASE_URL, handlers: { ...handlers }, settings: limits })
  tokens.owner = await tokenOf(api, accounts.worker)
  tokens.second = await tokenOf(api, accounts.verifier)
  tokens.admin = await tokenOf(api, accounts.admin)
  tokens.stranger = await tokenOf(api, accounts.other)
})
afterAll(async () => {
  await api?.close()
  await world?.stop()
})

let number = 0
const newPayload = () => {
  number += 1
  return { text: `Private work ${number}.` }
}
/** Stores a blob as the service would have left it; returns its hash. */
const store = async (changes: Partial<Tables['content']> = {}, owners: string[] = [OWNER], payload: object = newPayload()) => {
  const { contentType = 'submission', createdAt = world.clock.now(), ...later } = changes
  const hash = await storeContent(world.rows, { contentType, payload: { ...payload }, owners, at: createdAt })
  if (Object.keys(later).length > 0) await world.rows.updateTable('content').set(later).where('hash', '=', hash).execute()
  return hash
}
const read = (hash: string, who?: keyof typeof tokens) => api.call(`/content/${hash}`, { token: who && tokens[who] })
const publish = (hash: string, who: keyof typeof tokens, headers: Record<string, string> = {}) =>
  api.call(`/content/${hash}/publish`, { token: tokens[who], body: {}, headers })
const rowOf = (hash: string, owner: string = OWNER) =>
  world.rows.selectFrom('content').selectAll().where('hash', '=', hash).where('owner', '=', owner).executeTakeFirst()

const UNKNOWN = `0x${'1'.repeat(64)}`
/** What a refusal tells, without the request and the hash that it names. */
const shownBy = ({ status, text, body, headers }: Reply, hash: string) => ({
  status,
  text: text.replaceAll(body.requestId, '').replaceAll(hash, ''),
  cache: headers.get('cache-control'),
})
/** A hash that the caller may not see is answered as one that nothing has. */
const expectUnseen = async (ask: (hash: string) => Promise<Reply>, hash: string): Promise<void> => {
  const unseen = await ask(hash)
  expect([unseen.status, unseen.body.code]).toEqual([404, 'content_not_found'])
  expect(shownBy(unseen, hash)).toEqual(shownBy(await ask(UNKNOWN), UNKNOWN))
}

/** Events of a hash on chain. */
const disclosed = async (hash: string) => {
  const logs = await world.clients.reader.getLogs({ address: world.reads.escrowAddress, fromBlock: 0n })
  return parseEventLogs({ abi: escrowCoreAbi, eventName: 'Disclosed', logs }).filter(({ args }) => args.hash === hash)
}

const FOREVER = 'private, max-age=31536000, immutable'
const HOUR = 'private, max-age=3600'

describe('GET /content/:hash', () => {
  test('a statement of a dispute stays with its parties, of which none publishes it', async () => {
    const hash = await store({ contentType: 'dispute_statement' }, [OWNER, SECOND])
    for (const who of ['owner', 'second', 'admin'] as const) {
      const { status, body } = await publish(hash, who)
      expect([who, status, body.code]).toEqual([who, 403, 'content_publish_forbidden'])
      expect((await read(hash, who)).body).toMatchObject({ visibility: 'owner_only', autoPublicAt: null })
    }
    await expectUnseen((asked) => read(asked, 'stranger'), hash)
  })

  test.each([
    ['a fresh submission', {}, 'owner_only', HOUR],
    ['a failed submission', { verdict: 'fail' }, 'owner_only', HOUR],
    ['a submission half an hour before its date', { ageMs: 180 * DAY - 1_800_000 }, 'owner_only', 'private, max-age=1800'],
    ['a submission at its date', { ageMs: 180 * DAY }, 'public', FOREVER],
    ['an approved submission', { verdict: 'pass' }, 'public', FOREVER],
    ['a published submission', { publishedAt: Date.UTC(2026, 0, 1) }, 'public', FOREVER],
    ['a job definition', { contentType: 'job_spec' }, 'public', FOREVER],
    ['a rationale', { contentType: 'dispute_rationale' }, 'owner_only', HOUR],
    ['a consent', { contentType: 'locked_tier_consent_v1' }, 'owner_only', HOUR],
    ['an old statement of a dispute', { contentType: 'dispute_statement', ageMs: 181 * DAY }, 'owner_only', HOUR],
  ] as const)('%s', async (_what, { ageMs = 0, ...changes }: { ageMs?: number } & Partial<Tables['content']>, visibility, header) => {
    world.clock.freeze(Date.UTC(2026, 6, 1))
    try {
      const hash = await store({ ...changes, createdAt: world.clock.now() - ageMs })
      for (const who of ['owner', 'admin'] as const) {
        const { status, body, headers } = await read(hash, who)
        expect([who, status, body.visibility, body.ownerWallet]).toEqual([who, 200, visibility, OWNER])
        expect(headers.get('cache-control')).toBe(header)
        expect(headers.get('vary')).toContain('Authorization')
      }
      const stranger = await read(hash, 'stranger')
      if (visibility === 'public') expect([stranger.status, stranger.headers.get('cache-control')]).toEqual([200, FOREVER])
      else {
        await expectUnseen((asked) => read(asked, 'stranger'), hash)
        expect(stranger.headers.get('cache-control')).toBe('private, no-store')
        expect(stranger.text).not.toContain('Private work')
      }
      const guest = await read(hash)
      expect([guest.status, guest.body.code, guest.headers.get('cache-control')]).toEqual([401, 'missing_token', 'private, no-store'])
    } finally {
      world.clock.run()
    }
  })

  test('an unknown hash is 404, a text that is no hash 400', async () => {
    expect((await read(`0x${'1'.repeat(64)}`, 'owner')).body.code).toBe('content_not_found')
    expect((await read('0x12', 'owner')).body.code).toBe('invalid_request')
  })

  test('two owners of one payload have a row each, and neither changes what the other one sees', async () => {
    const payload = newPayload()
    const hash = await store({}, [OWNER, SECOND], payload)
    expect(hash).toBe(sha256Of(payload))
    for (const [who, owner] of [
      ['owner', OWNER],
      ['second', SECOND],
    ] as const)
      expect((await read(hash, who)).body).toMatchObject({ ownerWallet: owner, visibility: 'owner_only' })
    expect((await read(hash, 'stranger')).body.code).toBe('content_not_found')
    expect((await publish(hash, 'second')).body).toMatchObject({ ownerWallet: SECOND, visibility: 'public' })
    expect((await read(hash, 'owner')).body).toMatchObject({ ownerWallet: OWNER, visibility: 'owner_only' })
    expect((await read(hash, 'stranger')).body).toMatchObject({ ownerWallet: SECOND, visibility: 'public' })
    expect((await rowOf(hash, OWNER))?.publishedAt).toBeNull()
  })
})

describe('the service stores', () => {
  const contentOf = (owner: string) => world.rows.selectFrom('content').selectAll().where('owner', '=', owner).execute()

  test('a submission as content of its worker, with the verdict at the end of its session', async () => {
    const claim = await world.life.submitted()
    const { wallet } = claim
    const [before] = await contentOf(wallet)
    const { submission, evidenceHash } = await world.rows
      .selectFrom('session')
      .select(['submission', 'evidenceHash'])
      .where('sessionId', '=', claim.sessionId)
      .executeTakeFirstOrThrow()
    const structured = submission?.kind === 'structured' ? submission.structured : {}
    expect(before).toMatchObject({ contentType: 'submission', verdict: null, payload: structured, hash: sha256Of(structured) })
    expect(keccakOf(before?.payload)).toBe(evidenceHash)
    const { sessionId } = claim
    const evaluated = await world.verifications.evaluateSubmission({ sessionId, runId: 'v', attempt: 1, requestedBy: 'test' })
    if (evaluated.kind !== 'verdict') throw new Error('no verdict')
    await world.steps.settleApproval({ ...claim, verdictId: evaluated.verdictId })
    expect(await contentOf(wallet)).toMatchObject([{ verdict: 'pass', publishedAt: null }])
  })

  test('no verdict on a rejection that can be disputed, and a failure once it is final', async () => {
    const { wallet, sessionId } = await world.life.rejected()
    expect(await contentOf(wallet)).toMatchObject([{ payload: BAD, verdict: null }])
    await world.pass(8 * 86_400)
    await world.disputes.applyTimeout({ sessionId })
    expect(await contentOf(wallet)).toMatchObject([{ payload: BAD, verdict: 'fail' }])
  })

  test('no submission that the contract refused', async () => {
    const claim = await world.life.claimed()
    const { wallet, sessionId } = claim
    await world.claims.admitSubmission({ ...claim, submission: BAD, requestId: 'r', protocol: 'http' })
    expect(await contentOf(wallet)).toMatchObject([{ payload: BAD }])
    await world.claims.dropSubmission({ sessionId, code: 'blockchain_revert' })
    expect(await contentOf(wallet)).toEqual([])
  })

  test('the definition of a job as content of its poster', async () => {
    const built = builtJob(jobBody({ id: 'job-of-a-poster' }))
    const poster = lower(`0x${'5a'.repeat(20)}`)
    await world.database.transaction((rows) => insertJob(rows, built, { now: world.clock.now(), posterAddress: poster }))
    expect(await contentOf(poster)).toMatchObject([{ contentType: 'job_spec', hash: sha256Of(built.definition), verdict: null }])
  })

  test('a signed consent as content of its wallet, once', async () => {
    const wallet = lower(`0x${'5b'.repeat(20)}`)
    const terms = { wallet, amountRaw: '1' }
    const quote = {
      termsHash: keccakOf(terms),
      kind: 'locked_tier_consent_v1',
      wallet,
      terms,
      message: 'I lock it.',
      expiresAt: 1,
    } as const
    for (const _repeat of [1, 2]) await world.database.transaction((rows) => insertConsent(rows, quote, '0x12', world.clock.now()))
    const payload = { terms, termsHash: quote.termsHash, message: 'I lock it.', signature: '0x12' }
    expect(await contentOf(wallet)).toMatchObject([{ contentType: 'locked_tier_consent_v1', payload, hash: sha256Of(payload) }])
  })
})

describe('POST /content/:hash/publish', () => {
  test('publishes once and emits one event, of which the follower records the topic', async () => {
    const hash = await store()
    const first = await publish(hash, 'owner')
    expect([first.status, first.body.visibility, first.body.disclosureEvent.emitted, first.body.disclosureEvent.reason]).toEqual([
      ...[200, 'public', true, null],
    ])
    const again = await publish(hash, 'owner')
    expect(again.body).toMatchObject({
      publishedAt: first.body.publishedAt,
      disclosureEvent: { emitted: false, reason: 'already_published', txHash: first.body.disclosureEvent.txHash },
    })
    expect(await disclosed(hash)).toMatchObject([{ transactionHash: first.body.disclosureEvent.txHash }])
    expect(lower((await disclosed(hash))[0]?.args.byWallet ?? '')).toBe(OWNER)
    await world.follow()
    const events = await world.rows.selectFrom('event').selectAll().where('topic', '=', 'content.disclosed').execute()
    expect(events.filter(({ data }) => JSON.stringify(data).includes(hash))).toMatchObject([{ wallets: [OWNER] }])
  })

  test('with a key, the same answer is replayed', async () => {
    const hash = await store()
    const [first, again] = [
      await publish(hash, 'owner', { 'idempotency-key': 'p-1' }),
      await publish(hash, 'owner', { 'idempotency-key': 'p-1' }),
    ]
    expect(again.body).toEqual(first.body)
    expect([first.body.disclosureEvent.emitted, again.headers.get('idempotent-replayed')]).toEqual([true, 'true'])
  })

  test('twenty at once are one event, and one of them was the publication', async () => {
    const hash = await store()
    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => publish(hash, index % 2 === 0 ? 'owner' : 'admin')))
    expect(replies.every(({ status }) => status === 200)).toBe(true)
    expect(new Set(replies.map(({ body }) => body.publishedAt)).size).toBe(1)
    expect(replies.filter(({ body }) => body.disclosureEvent.emitted)).toHaveLength(1)
    expect(await disclosed(hash)).toHaveLength(1)
  })

  test('is for its owner and for admins; a stranger may not, public or private', async () => {
    const hash = await store()
    await expectUnseen((asked) => publish(asked, 'stranger'), hash)
    expect((await rowOf(hash))?.publishedAt).toBeNull()
    expect((await publish(hash, 'admin')).body).toMatchObject({ ownerWallet: OWNER, disclosureEvent: { emitted: true } })
    expect((await publish(hash, 'stranger')).body.code).toBe('content_publish_forbidden')
    expect((await publish(`0x${'2'.repeat(64)}`, 'owner')).body.code).toBe('content_not_found')
    expect((await api.call(`/content/${hash}/publish`, { body: {} })).body.code).toBe('missing_token')
    const extra = await api.call(`/content/${hash}/publish`, { token: tokens.owner, body: { verdict: 'pass' } })
    expect([extra.status, extra.body.errors[0]]).toMatchObject([400, { pointer: '/verdict', rule: 'unknown' }])
  })

  test('what a rule published emits nothing', async () => {
    const hash = await store({ publishedAt: Date.UTC(2026, 0, 1) })
    expect((await publish(hash, 'owner')).body.disclosureEvent).toEqual({ emitted: false, reason: 'already_published' })
    expect(await disclosed(hash)).toEqual([])
  })

  test('while the chain does not answer, the content is public and the event follows', async () => {
    const hash = await store()
    chainOf = () => ({ transactions: world.transactionsOn({ clients: brokenClients(world.clients, { send: true }) }) })
    const first = await publish(hash, 'owner')
    expect(first.body).toMatchObject({ visibility: 'public', disclosureEvent: { emitted: false, reason: 'chain_write_failed' } })
    expect(await disclosed(hash)).toEqual([])
    chainOf = () => ({})
    const again = await publish(hash, 'owner')
    expect(again.body).toMatchObject({ publishedAt: first.body.publishedAt, disclosureEvent: { reason: 'already_published' } })
    expect(again.body.disclosureEvent.txHash).toBe((await disclosed(hash))[0]?.transactionHash)
    expect(await disclosed(hash)).toHaveLength(1)
  })

  test('a worker without the verifier key publishes and skips the event', async () => {
    const hash = await store()
    const { verifier: _none, ...signers } = createSigners(world.settings)
    chainOf = () => ({ transactions: world.transactionsOn({ signers }) })
    const { body } = await publish(hash, 'owner')
    chainOf = () => ({})
    expect(body).toMatchObject({ visibility: 'public', disclosureEvent: { emitted: false, reason: 'blockchain_disabled' } })
    expect((await publish(hash, 'owner')).body.disclosureEvent).toEqual({ emitted: false, reason: 'already_published' })
    const { database, clock, reads, transactions } = world
    const steps = createDisclosureSteps({ database, clock, reads, transactions })
    expect(await steps.discloseContent({ v: 1, hash, owner: OWNER, requestId: 'later' })).toEqual({
      details: 'Published. Event: blockchain_disabled.',
    })
    expect(await disclosed(hash)).toEqual([])
  })

  test('a process that ends after the transaction was mined finds it again', async () => {
    const hash = await store()
    const lost = {
      ...world.database,
      get rows(): never {
        throw new Error('the process ended')
      },
    }
    let reads = 0
    const database = {
      ...world.database,
      get rows() {
        reads += 1
        return reads > 3 ? lost.rows : world.rows
      },
    }
    chainOf = () => ({ database })
    expect((await publish(hash, 'owner')).body.disclosureEvent.reason).toBe('chain_write_failed')
    expect([(await disclosed(hash)).length, (await rowOf(hash))?.disclosure]).toEqual([1, 'pending'])
    chainOf = () => ({})
    await publish(hash, 'owner')
    expect([(await disclosed(hash)).length, (await rowOf(hash))?.disclosure]).toEqual([1, 'emitted'])
  })

  /** Publishes while nothing can be sent; the transaction is signed, and another one takes its nonce. */
  const publishWithLostNonce = async (): Promise<string> => {
    const hash = await store()
    chainOf = () => ({ transactions: world.transactionsOn({ clients: brokenClients(world.clients, { send: true }) }) })
    await publish(hash, 'owner')
    chainOf = () => ({})
    await world.world.run(localKeys().verifier.address, 'token', 'approve', OWNER, 0n)
    await publish(hash, 'owner')
    expect((await rowOf(hash))?.disclosure).toBe('pending')
    return hash
  }
  const triesOf = async (hash: string) => {
    const found = await world.rows.selectFrom('chain_transaction').select('status').where('intentKey', 'like', `%${hash}%`).execute()
    return found.map(({ status }) => status).sort()
  }

  test('a transaction that lost its nonce is followed by one under the next', async () => {
    const hash = await publishWithLostNonce()
    await publish(hash, 'owner')
    expect([(await disclosed(hash)).length, await triesOf(hash)]).toEqual([1, ['dead', 'mined']])
    expect((await rowOf(hash))?.disclosureTxHash).toBe((await disclosed(hash))[0]?.transactionHash)
  })

  test('an event that is on chain after all is not sent again', async () => {
    const hash = (await publishWithLostNonce()) as Hex
    await world.world.run(OWNER, 'escrow', 'disclose', hash)
    await world.follow()
    await publish(hash, 'owner')
    expect([(await disclosed(hash)).length, await triesOf(hash)]).toEqual([1, ['dead']])
    expect((await rowOf(hash))?.disclosure).toBe('emitted')
  })
})
