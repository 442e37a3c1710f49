import { beforeAll, describe, expect, test } from '@jest/globals'
import { createAccountAdminHandlers } from '../../../api/accounts/admin-handlers.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { WALLET_ROLES } from '../../../schemas/accounts/record.ts'
import { builtJob } from '../../domain/builders/job.ts'
import { accounts, testChain, tokenOf } from '../../support/api.ts'
import { quotedPosting } from '../../support/records/posting-rows.ts'
import { NOW } from '../support/account-world.ts'
import { useApi } from '../support/started.ts'
import { addSession, approvedAt, HASH } from '../support/work-rows.ts'

const api = useApi({ now: NOW, handlers: (deps) => ({ ...createAccountAdminHandlers(deps as ApiDeps) }) })

const HOUR = 3_600_000
const WORKER = `0x${'a1'.repeat(20)}`
const POSTER = `0x${'b2'.repeat(20)}`
const NATIVE = `0x${'c3'.repeat(20)}`
const SS58 = '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'
const ADMIN = accounts.admin.address.toLowerCase()
const VERIFIER = accounts.verifier.address.toLowerCase()

let signs = 0
const signIn = async (subject: string, signedInAt: number, lastUsedAt: number | null = null): Promise<void> => {
  signs += 1
  await api.deps.database.rows
    .insertInto('auth_session')
    .values({
      ...{ id: `sign-in-${signs}`, subject, signedInAt, lastJti: `jti-${signs}`, previousJti: null, issuedAt: signedInAt },
      ...{ expiresAt: NOW + HOUR, lastUsedAt, network: '192.0.2.0/24', endedAt: null, endReason: null, version: 1 },
    })
    .execute()
}
const pay = async (wallet: string, number: number, workerAmount: string): Promise<void> => {
  const hash = HASH(number.toString(16))
  await api.deps.database.rows
    .insertInto('chain_event')
    .values({
      ...{ chainId: testChain.chainId, txHash: hash, logIndex: 0, blockNumber: BigInt(number), blockHash: hash, blockTime: NOW },
      ...{ address: hash, contract: 'escrow', event: 'SettlementSplit', args: { worker: wallet, workerAmount, protocolFeeAmount: '1' } },
      ...{ chainJobId: hash, movesProcess: false, seenAt: NOW, removedAt: null, revision: 1, notifiedRevision: 1 },
    })
    .execute()
}

interface Row {
  wallet: string
  roles: string[]
  lastSeenAt: string
}
let token = ''
let verifierToken = ''
let own: Row[] = []
beforeAll(async () => {
  const { database } = api.deps
  token = await tokenOf(api, accounts.admin)
  verifierToken = await tokenOf(api, accounts.verifier)
  await addSession(database, WORKER, 'w-live', NOW - 2 * HOUR, { claimExpiresAt: NOW + HOUR })
  await addSession(database, WORKER, 'w-lapsed', NOW - 9 * HOUR, { claimExpiresAt: NOW - HOUR })
  await addSession(database, WORKER, 'w-paid', NOW - 8 * HOUR, approvedAt(NOW - 7 * HOUR))
  await addSession(database, WORKER, 'w-rejected', NOW - 7 * HOUR, {
    status: 'rejected',
    rejectedAt: NOW - 6 * HOUR,
    rejectionFinalizedAt: NOW - HOUR,
  })
  await addSession(database, WORKER, 'w-disputable', NOW - 7 * HOUR, { status: 'rejected', rejectedAt: NOW - 6 * HOUR })
  await addSession(database, NATIVE, 'n-1', NOW - 5 * HOUR, { claimExpiresAt: NOW + HOUR })
  await pay(WORKER, 1, '1950000')
  await pay(WORKER, 2, '50001')
  await database.rows
    .insertInto('native_account')
    .values({ wallet: NATIVE, accountId: HASH('7'), ss58: SS58, firstSignedInAt: NOW - 6 * HOUR })
    .execute()
  await signIn(SS58, NOW - 6 * HOUR, NOW - HOUR)
  await signIn(SS58, NOW - 20 * HOUR)
  const quoted = quotedPosting(builtJob(), POSTER, NOW - 3 * HOUR)
  await database.rows
    .insertInto('posting')
    .values({ ...quoted, status: 'live', funding: {} as never })
    .execute()
  const { body } = await api.call('/admin/wallets?limit=250', { token })
  own = body.wallets
})

const read = async (query: string): Promise<Row[]> => {
  const { status, body } = await api.call(`/admin/wallets?${query}`, { token })
  expect([query, status]).toEqual([query, 200])
  return body.wallets
}
const walletsOf = (rows: Row[]): string[] => rows.map(({ wallet }) => wallet)

describe('the list of wallets for operators', () => {
  test('has each wallet once, last seen first', () => {
    // Those that have signed in here are seen now.
    expect(walletsOf(own).slice(2)).toEqual([NATIVE, WORKER, POSTER])
    expect(walletsOf(own).slice(0, 2).toSorted()).toEqual([ADMIN, VERIFIER].toSorted())
  })

  test('tells of a worker its sessions, its money and its score', () => {
    expect(own.find(({ wallet }) => wallet === WORKER)).toEqual({
      wallet: WORKER,
      roles: ['worker'],
      firstSeenAt: new Date(NOW - 9 * HOUR).toISOString(),
      lastSeenAt: new Date(NOW - 2 * HOUR).toISOString(),
      sessions: { open: 2, paid: 2, rejected: 1, total: 5 },
      paid: { asset: 'USDC', raw: '2000001', decimals: 6, display: '2.000001' },
      locked: { asset: 'USDC', raw: '750000', decimals: 6, display: '0.75' },
      skill: 0,
      posts: 0,
    })
  })

  test('knows a native account by its wallet, and a poster by its jobs', () => {
    expect(own.find(({ wallet }) => wallet === NATIVE)).toMatchObject({
      nativeAccount: { ss58: SS58, accountId32: HASH('7') },
      roles: ['worker'],
      firstSeenAt: new Date(NOW - 20 * HOUR).toISOString(),
      lastSeenAt: new Date(NOW - HOUR).toISOString(),
    })
    expect(own.find(({ wallet }) => wallet === POSTER)).toMatchObject({ roles: ['poster'], posts: 1, sessions: { total: 0 } })
  })

  test.each(WALLET_ROLES)('role=%s has the wallets that show it', async (role) => {
    const expected = own.filter(({ roles }) => roles.includes(role))
    expect(walletsOf(await read(`role=${role}`))).toEqual(walletsOf(expected))
    expect(expected.length).toBe({ worker: 2, poster: 1, admin: 1, verifier: 1, arbitrator: 0 }[role])
  })

  test('finds one wallet in any spelling, and pages without a gap', async () => {
    expect(walletsOf(await read(`wallet=${accounts.admin.address}`))).toEqual([ADMIN])
    expect(await read(`wallet=0x${'d'.repeat(40)}`)).toEqual([])
    const paged: Row[] = []
    for (let cursor = ''; ; ) {
      const { body } = await api.call(`/admin/wallets?limit=1${cursor}`, { token })
      paged.push(...body.wallets)
      if (body.nextCursor === null) break
      cursor = `&cursor=${body.nextCursor}`
    }
    expect(paged).toEqual(own)
  })

  test('shows no token, network or sign-in', () => {
    expect(JSON.stringify(own)).not.toMatch(/jti|sign-in-|192\.0\.2|network/)
  })

  test.each(['role=owner', "role=worker'--", 'wallet=0x12', 'wallet=%00', 'limit=0', 'cursor=abc'])('refuses %s', async (query) => {
    const { status, body } = await api.call(`/admin/wallets?${query}`, { token })
    expect([query, status, body.code]).toEqual([query, 400, 'invalid_request'])
  })

  test('refuses a cursor of another role, and every role but the admin', async () => {
    const { body } = await api.call('/admin/wallets?limit=1&role=worker', { token })
    expect((await api.call(`/admin/wallets?role=poster&cursor=${body.nextCursor}`, { token })).status).toBe(400)
    expect((await api.call('/admin/wallets', { token: verifierToken })).body.code).toBe('missing_role')
    expect((await api.call('/admin/wallets')).status).toBe(401)
  })
})
