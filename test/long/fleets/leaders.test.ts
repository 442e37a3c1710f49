// The worker that leads a task of the whole service is killed while agents work.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { sql } from 'kysely'
import { followerWorkflowId } from '../../../schemas/chain/process.ts'
import { claim, createJob, fundedAgent, GOOD_WORK, leaves } from '../../e2e/support/jobs.ts'
import { auditStack } from '../../support/audit.ts'
import { PLAYS_ALL } from '../../support/cases/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { type FleetWorld, openFleet } from '../../support/fleet/world.ts'

const KILLS = PLAYS_ALL ? 8 : 2

let world: FleetWorld
let connection: Connection
beforeAll(async () => {
  world = await openFleet({ apis: 1, workers: 2 })
  connection = await Connection.connect({ address: world.temporalAddress })
})
afterAll(async () => {
  await connection?.close()
  await world?.close()
})

/** The process that holds the round of the follower now; null between two rounds. */
const leaderOf = async (): Promise<number | null> => {
  const { raw } = await new Client({ connection }).workflow.getHandle(followerWorkflowId(world.chainFile.chainId)).describe()
  const identity = raw.pendingActivities?.find(({ lastHeartbeatTime }) => lastHeartbeatTime != null)?.lastWorkerIdentity ?? ''
  return /^\d+@/.test(identity) ? Number.parseInt(identity, 10) : null
}

/** Numbers of events, and the block up to which the follower has recorded. */
const recorded = async (): Promise<{ seq: number; block: number }> => {
  const found = await sql<{ seq: string; block: string }>`
    select (select coalesce(max(seq), 0) from event)::text as seq, (select max(block_number) from chain_cursor)::text as block`.execute(
    world.database.rows,
  )
  return { seq: Number(found.rows[0]?.seq), block: Number(found.rows[0]?.block) }
}

const secondsUntil = async (what: string, began: number, holds: () => Promise<boolean>): Promise<string> => {
  await eventually(what, holds)
  return ((performance.now() - began) / 1_000).toFixed(1)
}

test('another worker takes over the follower and the numbering of events, and nothing is lost or doubled', async () => {
  const agent = await fundedAgent(world, 200_000_000n)
  let isOver = false
  const ends: string[] = []
  const busy = (async () => {
    while (!isOver) {
      const { sessionId } = await claim(agent, await createJob(world))
      await agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
      ends.push((await leaves(agent, sessionId, 'submitted')).status)
    }
  })()
  const taken: { follower: string; numbering: string }[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const pid = await eventually('a worker leads', leaderOf, (found) => world.workers.some((one) => one.isUp() && one.pid() === found))
    const leader = world.workers.find((one) => one.isUp() && one.pid() === pid)
    await leader?.kill()
    const began = performance.now()
    const before = await recorded()
    const [follower, numbering] = await Promise.all([
      secondsUntil('the follower goes on', began, async () => {
        const now = await leaderOf()
        return now !== null && now !== pid && (await recorded()).block > before.block
      }),
      secondsUntil('events are numbered', began, async () => (await recorded()).seq > before.seq),
    ])
    taken.push({ follower, numbering })
    await leader?.start()
  }
  isOver = true
  await busy
  console.log(`seconds until another worker led, after ${KILLS} kills: ${JSON.stringify(taken)}`)
  expect(new Set(ends)).toEqual(new Set(['resolved']))
  await eventually('every event has its number', async () => {
    const waiting = await world.database.rows.selectFrom('event').select('id').where('seq', 'is', null).execute()
    return waiting.length === 0
  })
  const numbers = await sql<{ isWhole: boolean }>`select max(seq) = count(*) as "isWhole" from event`.execute(world.database.rows)
  expect(numbers.rows).toEqual([{ isWhole: true }])
  const claimed = await sql<{
    times: number
  }>`select count(*)::integer as times from event where topic = 'session.claimed' group by session_id`.execute(world.database.rows)
  expect(new Set(claimed.rows.map(({ times }) => times))).toEqual(new Set([1]))
  expect(await auditStack({ ...world, chain: world.chainFile })).toEqual([])
})
