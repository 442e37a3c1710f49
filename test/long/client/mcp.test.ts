// `agent-work mcp` between the official clients and a whole service.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { listGrants, lockGrant, revokeGrant } from '../../../activities/identity/grants.ts'
import type { GrantRow } from '../../../domain/identity/grants.ts'
import { moveTime } from '../../../local/time/move.ts'
import { type BridgeUser, createBridgeUser } from '../../client/support/bridge-program.ts'
import { createJob, encode } from '../../e2e/support/jobs.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { CLIENT_KINDS, type ClientKind, type Connection, connectProgram } from '../../e2e/tools/support/clients.ts'
import { callWell } from '../../e2e/tools/support/follow.ts'
import { earnBadge } from '../oauth/sign-in.ts'

const world = useWorld()
const DAY_AND_HOUR_SECONDS = 25 * 3_600

let user: BridgeUser
const open: Connection[] = []
beforeEach(() => {
  user = createBridgeUser(world().base)
})
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
  user.remove()
})

/** Delegates of the wallet, newest first. */
const readDelegates = (): Promise<GrantRow[]> =>
  listGrants(
    world().database.rows,
    { kind: 'delegate', subject: user.account.address.toLowerCase(), status: undefined },
    { limit: 10, after: null },
  )

const revokeAll = async (): Promise<void> => {
  for (const { id, subject } of await readDelegates())
    await world().database.transaction(async (rows) => {
      const grant = await lockGrant(rows, 'delegate', id)
      if (grant !== null) await revokeGrant(rows, grant, { by: subject, at: Date.now(), note: null })
    })
}

const connect = async (kind: ClientKind): Promise<Connection> => {
  const client = await connectProgram(kind, user.withKey('--bond-per-day', '1'))
  open.push(client)
  return client
}

describe.each(CLIENT_KINDS)('%s over the bridge', (kind) => {
  test('earns a badge without a sign-in of its own, by the power that the key granted', async () => {
    const jobId = await createJob(world(), { onboardingWaiverEligible: true })
    const client = await connect(kind)
    expect((await client.listTools()).map(({ name }) => name)).toContain('claimJob')
    expect(await client.listPrompts()).toContain('earnFirstBadge')
    expect(await client.getPrompt('earnFirstBadge')).toContain('claimJob')
    const { sessionId, status } = await earnBadge(client, world(), jobId)
    expect([sessionId, status]).toEqual([`${jobId}:${user.account.address}`, 'claimed'])
    expect(await client.readResource(`service://sessions/${encode(sessionId)}`)).toMatchObject({ sessionId, status: 'resolved' })
    const [grant] = await readDelegates()
    expect(grant?.terms).toEqual({ scopes: ['read', 'claim', 'submit'], bondPerDayRaw: '1000000', jobsPerDay: 10, tiers: ['starter'] })
  })

  test('gets the problem document of a refused call, and the error of what does not exist', async () => {
    const client = await connect(kind)
    const { isError, body } = await client.callTool('claimJob', { jobId: 'no-such-job' })
    expect([isError, body.code]).toEqual([true, 'job_not_found'])
    await expect(client.callTool('noSuchTool')).rejects.toMatchObject({ code: -32_602 })
    await expect(client.readResource('service://jobs/no-such-job')).rejects.toMatchObject({ code: -32_602 })
  })

  test('is refused in plain words once the owner has revoked the delegate, and makes no new one', async () => {
    const client = await connect(kind)
    await callWell(client, 'listSessions')
    const made = await readDelegates()
    await revokeAll()
    await expect(client.callTool('listSessions')).rejects.toThrow('The owner of the wallet has revoked the delegate of this program.')
    expect((await readDelegates()).map(({ id }) => id)).toEqual(made.map(({ id }) => id))
  })
})

// The last suite: after it the tokens of the others have expired.
describe.each(CLIENT_KINDS)('%s over the bridge, a day later,', (kind) => {
  test('goes on with a new delegate after the time of the first one', async () => {
    const client = await connect(kind)
    await callWell(client, 'listSessions')
    const made = (await readDelegates()).length
    await moveTime(world().info, { plusSeconds: DAY_AND_HOUR_SECONDS })
    expect(await callWell(client, 'listSessions')).toMatchObject({ sessions: [] })
    expect(await readDelegates()).toHaveLength(made + 1)
  })
})
