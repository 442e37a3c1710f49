// The time of a whole stack over HTTP, as the server of the console reads and moves it.
import { readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { takeOwnership } from '../../../local/ownership.ts'
import { claim, createJob, fundedAgent, sessionOf } from '../../e2e/support/jobs.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { eventually } from '../../support/eventually.ts'

const world = useWorld()

interface Time {
  wallClock: string
  service: string
  newestBlock: string
  isFrozen: boolean
  code?: string
  moved: string[]
  behind: string[]
  diverged: string[]
}

const consoleEnv = (): string => world().info.consoleEnv ?? ''

const request = async (init: RequestInit = {}): Promise<{ status: number; body: Time }> => {
  const { LOCAL_TIME_URL, LOCAL_TIME_SECRET } = parseEnv(readFileSync(consoleEnv(), 'utf8'))
  const response = await fetch(`${LOCAL_TIME_URL}/time`, { ...init, headers: { authorization: `Bearer ${LOCAL_TIME_SECRET}` } })
  return { status: response.status, body: (await response.json()) as Time }
}
const move = (to: string) => request({ method: 'POST', body: JSON.stringify({ to }) })
const present = async (): Promise<number> => Date.parse((await request()).body.service)

describe('the time of a stack over HTTP', () => {
  test('is reached with the settings of the console, which its owner alone may read', () => {
    expect(statSync(consoleEnv()).mode & 0o777).toBe(0o600)
    expect(JSON.stringify(world().info)).not.toContain(parseEnv(readFileSync(consoleEnv(), 'utf8')).LOCAL_TIME_SECRET)
  })

  test('ends a claim whose deadline it passes, and reports where each part is', async () => {
    const agent = await fundedAgent(world())
    const { sessionId, claimExpiresAt } = await claim(agent, await createJob(world()))
    const before = await request()
    expect([before.status, before.body.isFrozen, before.body.service < claimExpiresAt]).toEqual([200, false, true])
    const after = await move(new Date(Date.parse(claimExpiresAt) + 1_000).toISOString())
    expect(after).toMatchObject({
      status: 200,
      body: { isFrozen: false, diverged: [], moved: expect.any(Array), behind: expect.any(Array) },
    })
    for (const instant of [after.body.service, after.body.newestBlock]) expect(instant > claimExpiresAt).toBe(true)
    await eventually(
      'the claim is ended',
      () => sessionOf(agent, sessionId),
      ({ statusHistory }) => statusHistory.at(-1).to === 'expired',
    )
  })

  test('moves by a sum of units', async () => {
    const before = await present()
    const { status, body } = await move('+1h30m')
    expect([status, Date.parse(body.service) >= before + 5_400_000]).toEqual([200, true])
  })

  test.each([
    ['a move back', () => present().then((now) => new Date(now - 3_600_000).toISOString())],
    ['a move beyond the last instant', async () => '2100-01-01T00:00:00Z'],
  ])('refuses %s and moves nothing', async (_what, target) => {
    const before = await request()
    const refused = await move(await target())
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_time'])
    expect((await present()) - Date.parse(before.body.service)).toBeLessThan(3_600_000)
  })

  test('makes one of two moves that are requested at once, and refuses the other', async () => {
    const before = await present()
    const answers = await Promise.all([move('+1d'), move('+1d')])
    expect(answers.map(({ status, body }) => [status, body.code]).sort()).toEqual([
      [200, undefined],
      [409, 'move_in_progress'],
    ])
    expect((await present()) - before).toBeLessThan(2 * 86_400_000)
  })

  test('refuses a move while another program moves time, and makes it afterwards', async () => {
    const lock = takeOwnership(`${world().info.clockOffsetFile}.lock`)
    if ('owner' in lock) throw new Error(`process ${lock.owner.pid} is moving time`)
    const meanwhile = await move('+1m').finally(() => lock.release())
    expect([meanwhile.status, meanwhile.body.code]).toEqual([409, 'move_in_progress'])
    expect((await move('+1m')).status).toBe(200)
  })
})
