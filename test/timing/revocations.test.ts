// How long a service token works after an admin took it back at another process.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { openStream } from '../api/support/event-stream.ts'
import { extraWallet } from '../e2e/support/mutations.ts'
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

const ROUNDS = 25
/** Promise to an operator: from the answer of the revocation to the end of everything that its holder had open. */
const ENDED_MS = 1_000

const cutNotifications = (): Promise<unknown> =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()`.execute(
    world().database.rows,
  )

/** Opens a stream and a held poll at the second process, revokes at the first, and returns the milliseconds until both have ended. */
const timeOfEnd = async (before: () => Promise<unknown>): Promise<number> => {
  const other = world().apis[1]?.base ?? ''
  const body = { subject: extraWallet().address, capabilities: ['events:read'] }
  const { token, grant } = await world().admin.post('/admin/service-tokens', body, 201)
  const stream = await openStream(`${other}/events`, { token })
  await stream.until(() => stream.frames.length > 0)
  // The event of its issue would end the poll.
  const { body: seen } = await eventually(
    'the issue is an event',
    () => world().apiAt(1).call('/events/poll', { token }),
    (reply) => reply.body.events.length > 0,
  )
  const poll = world().apiAt(1).call(`/events/poll?after=${seen.lastEventId}&waitSeconds=25`, { token })
  await before()
  await world().admin.post(`/admin/service-tokens/${grant.id}/revoke`, {})
  const began = performance.now()
  const next = await world().apiAt(1).call('/events/poll', { token })
  const [ended] = await Promise.all([poll, stream.ended])
  const tookMs = performance.now() - began
  expect([next.body.code, ended.body.code]).toEqual(['missing_capability', 'missing_capability'])
  expect(stream.frames.at(-1)).toMatchObject({ topic: 'auth_expired', data: { code: 'missing_capability' } })
  return tookMs
}

test.each<[string, () => Promise<unknown>]>([
  ['with notifications', async () => undefined],
  ['while the connection for notifications is cut', cutNotifications],
])('a revoked service token ends within a second at another process, %s', async (_how, before) => {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) times.push(await timeOfEnd(before))
  expect(times.filter((ms) => ms >= ENDED_MS)).toEqual([])
})
