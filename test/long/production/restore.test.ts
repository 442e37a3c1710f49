// Both databases are lost while agents work, and are restored to an earlier instant.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { backup as copyOnline, DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { placePostgres } from '../../../local/database/place.ts'
import type { StateFiles } from '../../../local/files.ts'
import { randomOf } from '../../crash/random.ts'
import { decide, openDispute } from '../../e2e/support/disputes.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { BAD_WORK, claim, createJob, fundedAgent, GOOD_WORK, leaves, sessionOf } from '../../e2e/support/jobs.ts'
import { auditStack } from '../../support/audit.ts'
import { CASES_SEED, PLAYS_ALL } from '../../support/cases/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { type FleetWorld, openFleet } from '../../support/fleet/world.ts'
import { archiveNow, archiveSettings, ownPath, restoreTo, takeBaseBackup } from '../../support/postgres/backup.ts'
import { runRecover } from './support/recover.ts'

/** Agents at work, and claims that each phase of the drill answers at least. */
const AGENTS = PLAYS_ALL ? 6 : 3
const ANSWERS = PLAYS_ALL ? 40 : 9
const JOBS = PLAYS_ALL ? 700 : 60
/** The drill loses a minute of work, which takes minutes to find again. */
const DRILL_MS = PLAYS_ALL ? 900_000 : 300_000
/** How long agents work after the instant to which the records go back. */
const LOST_MS = PLAYS_ALL ? 60_000 : 0

const archiveOf = (files: StateFiles): string => {
  const place = placePostgres(files)
  const archive = join(dirname(place.data), 'archive')
  mkdirSync(archive, { recursive: true, mode: 0o700 })
  ownPath(place, archive)
  return archive
}

let world: FleetWorld
beforeAll(async () => {
  world = await openFleet({ apis: 1, workers: 2, postgres: (files) => archiveSettings(archiveOf(files)) })
})
afterAll(async () => {
  await world?.close()
})

type Plan = 'left' | 'approved' | 'rejected' | 'disputed'
const PLANS: readonly Plan[] = ['left', 'approved', 'rejected', 'disputed']

/** A claim that was answered. */
interface Answered {
  agent: Agent
  plan: Plan
  session: Reply['body']
  /** How far its agent has come, as the service answered it. */
  reached: string
}

const submit = ({ agent, plan, session: { sessionId } }: Answered): Promise<Reply['body']> =>
  agent.post('/jobs/submit', { sessionId, submission: plan === 'left' || plan === 'approved' ? GOOD_WORK : BAD_WORK })

const disputeIt = async (answered: Answered): Promise<void> => {
  const { agent, session } = answered
  await openDispute({ chain: world.chainFile, view: world.view }, agent.account, session)
  await eventually(
    'the dispute is open',
    () => sessionOf(agent, session.sessionId),
    ({ status }) => status === 'disputed',
  )
  answered.reached = 'disputed'
}

/** Claims a job and goes as far as the plan. */
const play = async (agent: Agent, plan: Plan, jobId: string, answered: Answered[]): Promise<void> => {
  const one: Answered = { agent, plan, session: await claim(agent, jobId), reached: 'claimed' }
  answered.push(one)
  if (plan === 'left') return
  await submit(one)
  one.reached = 'submitted'
  one.reached = (await leaves(agent, one.session.sessionId, 'submitted')).status
  if (plan === 'disputed') await disputeIt(one)
}

test(
  'every claim that was answered is found again or named, the work goes on, and records and chain agree',
  async () => {
    const { files, databaseUrl } = world
    const place = placePostgres(files)
    const archive = archiveOf(files)
    const copies = { postgres: join(dirname(place.data), 'base'), temporal: join(world.dir, 'temporal.copy') }
    const random = randomOf(CASES_SEED, 'restore')
    const arbitrator = await world.agent(privateKeyToAccount(world.keys.arbitrator.privateKey))
    const jobs: string[] = []
    for (let made = 0; made < JOBS; made += 1) jobs.push(await createJob(world))
    const answered: Answered[] = []
    let isOver = false
    const work = async (): Promise<void> => {
      const agent = await fundedAgent(world, 200_000_000n)
      while (!isOver) {
        const jobId = jobs.pop()
        if (jobId === undefined) throw new Error('the drill needs more jobs')
        await play(agent, PLANS[Math.floor(random() * PLANS.length)] ?? 'left', jobId, answered)
      }
    }
    const busy = Promise.all(
      Array.from({ length: AGENTS }, () => work().catch((error: unknown) => (isOver ? undefined : Promise.reject(error)))),
    )
    /** Waits until agents got so many answers more. */
    const answers = async (): Promise<void> => {
      const until = answered.length + ANSWERS
      await Promise.race([
        eventually(
          `${until} claims are answered`,
          () => answered.length,
          (found) => found >= until,
        ),
        busy,
      ])
    }

    await takeBaseBackup(place, databaseUrl, copies.postgres)
    await answers()
    // The engine goes back further than the records.
    const source = new DatabaseSync(files.temporal)
    await copyOnline(source, copies.temporal)
    source.close()
    await answers()
    const before = answered.length
    const instant = new Date().toISOString()
    do await answers()
    while (Date.now() < Date.parse(instant) + LOST_MS)
    const late: Answered[] = []
    await play(await fundedAgent(world), 'left', await createJob(world), late)
    await archiveNow(databaseUrl)

    isOver = true
    await Promise.all([world.postgres.kill(), world.temporal.kill()])
    await Promise.all([...world.apis, ...world.workers].map((one) => one.kill()))
    await busy
    const lost = answered.slice(before)
    expect(lost.length).toBeGreaterThan(0)

    await restoreTo(place, { backup: copies.postgres, archive, instant })
    for (const tail of ['-wal', '-shm']) rmSync(`${files.temporal}${tail}`, { force: true })
    copyFileSync(copies.temporal, files.temporal)
    await Promise.all([world.postgres.start(), world.temporal.start()])
    const env = {
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: world.temporalAddress,
      CHAIN_FILE: files.chainFile,
      CLOCK_OFFSET_FILE: files.clockOffset,
    }
    const prepared = await runRecover(env, 'prepare')
    expect(prepared).toMatchObject({ code: 0, text: expect.stringMatching(/claimSession: \d+ begun/) })
    await Promise.all([...world.apis, ...world.workers].map((one) => one.start()))
    const completed = await runRecover(env, 'complete')
    console.log(prepared.text, completed.text)

    // The only claims that are named are on jobs that were listed after the instant.
    const [unlisted] = late
    expect(completed).toMatchObject({ code: 1, text: expect.stringContaining(`claim of ${unlisted?.agent.account.address.toLowerCase()}`) })
    expect(completed.text.match(/NOT recorded/g)).toHaveLength(1)

    const ends: Record<string, string[]> = {}
    await Promise.all(
      answered.map(async (one) => {
        const { agent, plan, session } = one
        const { sessionId } = session
        const found = await sessionOf(agent, sessionId)
        // An agent repeats what the service no longer knows.
        if (found.status === 'claimed') await submit(one)
        let { status } = await leaves(agent, sessionId, 'claimed')
        if (status === 'submitted') status = (await leaves(agent, sessionId, 'submitted')).status
        if (plan === 'disputed') {
          if (status === 'rejected' && one.reached !== 'disputed') await disputeIt(one)
          await eventually(
            `${sessionId} is disputed`,
            () => sessionOf(agent, sessionId),
            (now) => now.status === 'disputed',
          )
          await decide(arbitrator, { session }, { verdict: 'dismissed' })
          status = (await leaves(agent, sessionId, 'disputed')).status
        }
        ends[plan] = [...(ends[plan] ?? []), status]
      }),
    )
    const only = (plan: Plan) => [...new Set(ends[plan])]
    expect({ left: only('left'), approved: only('approved'), rejected: only('rejected'), disputed: only('disputed') }).toEqual({
      left: ['resolved'],
      approved: ['resolved'],
      rejected: ['rejected'],
      disputed: ['resolved'],
    })
    expect(await auditStack({ ...world, chain: world.chainFile })).toEqual([])
  },
  DRILL_MS,
)
