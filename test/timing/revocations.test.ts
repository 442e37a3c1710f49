// How long a service token or a delegate works after it was taken back at another process.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { grantTo } from '../api/support/delegates.ts'
import { openStream } from '../api/support/event-stream.ts'
import { extraWallet } from '../e2e/support/mutations.ts'
import { PLAYS_ALL } from '../support/cases/sample.ts'
import { eventually } from '../support/eventually.ts'
import { type FleetWorld, openFleet } from '../support/fleet/world.ts'

let opened: FleetWorld | undefined
beforeAll(async () => {
  opened = await openFleet({ apis: 2, workers: 1 })
})
afterAll(() => opened?.close())
const world = (): FleetWorld => {
  if (opened === undefined) throw new Error('the fleet does not run')
  return opened
}

/** `npm run revocations` plays all. */
const ROUNDS = PLAYS_ALL ? 100 : 25
/** Promise to operators and wallets: from the answer of the revocation to the end of everything that the holder had open. */
const ENDED_MS = 1_000

/** A token that reads events, how it is taken back, and the refusal of it after that. */
interface Held {
  token: string
  revoke: () => Promise<unknown>
  refusal: string
  /** Topic of the last event before it is taken back. */
  issued: string
}

const KINDS: Record<string, () => Promise<Held>> = {
  'service token': async () => {
    const body = { subject: extraWallet().address, capabilities: ['events:read'] }
    const { token, grant } = await world().admin.post('/admin/service-tokens', body, 201)
    return {
      token,
      revoke: () => world().admin.post(`/admin/service-tokens/${grant.id}/revoke`, {}),
      refusal: 'missing_capability',
      issued: 'service-token.issue',
    }
  },
  delegate: async () => {
    const owner = await world().apiAt(0).agent()
    const { token, capabilityGrantId: grantId } = (await grantTo(world().apiAt(0), owner.account)).body
    return { token, revoke: () => owner.post('/auth/delegates/revoke', { grantId }), refusal: 'delegate_ended', issued: 'delegate.grant' }
  },
}

const cutNotifications = (): Promise<unknown> =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()`.execute(
    world().database.rows,
  )

/** Opens a stream and a held poll at the second process, revokes at the first, and returns the milliseconds until both have ended. */
const timeOfEnd = async (hold: () => Promise<Held>, before: () => Promise<unknown>): Promise<number> => {
  const other = world().apis[1]?.base ?? ''
  const { token, revoke, refusal, issued } = await hold()
  const stream = await openStream(`${other}/events`, { token })
  await stream.until(() => stream.frames.length > 0)
  // The event of its issue would end the poll.
  const { body: seen } = await eventually(
    'the issue is an event',
    () => world().apiAt(1).call('/events/poll', { token }),
    (reply) => reply.body.events.some(({ topic }: { topic: string }) => topic === issued),
  )
  const poll = world().apiAt(1).call(`/events/poll?after=${seen.lastEventId}&waitSeconds=25`, { token })
  await before()
  await revoke()
  const began = performance.now()
  const next = await world().apiAt(1).call('/events/poll', { token })
  const [ended] = await Promise.all([poll, stream.ended])
  const tookMs = performance.now() - began
  expect([next.body.code, ended.body.code]).toEqual([refusal, refusal])
  expect(stream.frames.at(-1)).toMatchObject({ topic: 'auth_expired', data: { code: refusal } })
  return tookMs
}

describe.each(Object.entries(KINDS))('a revoked %s', (_kind, hold) => {
  test.each<[string, () => Promise<unknown>]>([
    ['with notifications', async () => undefined],
    ['while the connection for notifications is cut', cutNotifications],
  ])('ends within a second at another process, %s', async (_how, before) => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) times.push(await timeOfEnd(hold, before))
    expect(times.filter((ms) => ms >= ENDED_MS)).toEqual([])
  })
})
