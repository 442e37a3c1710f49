import { parseArgs } from 'node:util'
import { Client, Connection } from '@temporalio/client'
import { privateKeyToAccount } from 'viem/accounts'
import { randomOf } from '../crash/random.ts'
import { newJob } from '../e2e/support/jobs.ts'
import { auditStack } from '../support/audit.ts'
import { type FleetWorld, openFleet } from '../support/fleet/world.ts'
import { type Acknowledged, type Caller, type Counts, createAgent, createCaller, ENDS, PLANS, play, standing } from './agents.ts'
import { ROLES, startCluster } from './start.ts'

const USAGE = `usage: npm run cluster-drill -- [--duration SECONDS] [--agents N] [--seed TEXT]
Runs two APIs and three workers against a Temporal cluster of four roles on PostgreSQL, and kills one of each in turn while agents work. Then it
reads every claim that was answered, the processes that fail, and the audit, and prints what the kills cost. The Go toolchain builds the cluster
once. Each part is killed at least once, which takes two minutes. Default: 600 seconds, 4 agents. Exit code: 0 nothing is lost, 1 something is, 2 not run.`

const text = (value: string) => ({ type: 'string', default: value }) as const
const { values } = parseArgs({
  options: { duration: text('600'), agents: text('4'), seed: text('cluster'), help: { type: 'boolean', default: false } },
})
if (values.help || ![values.duration, values.agents].every((value) => /^[1-9]\d{0,4}$/.test(value))) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 2)
}

const DURATION_MS = Number(values.duration) * 1_000
/** How long a part is away, and how long all run before the next one is killed. */
const AWAY_MS = 8_000
const STEADY_MS = 12_000

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const say = (line: string): void => console.log(line)

/** A part that is killed and started again. */
interface Part {
  name: string
  kill: () => Promise<void>
  start: () => Promise<void>
}

/** What one kill cost. */
interface Strike {
  name: string
  at: number
  until: number
}

/** Lists jobs ahead of the agents. A repeated request that met its own first one finds the job. */
const createJobs = (admin: Caller) => {
  const listed: string[] = []
  return async (): Promise<string> => {
    while (listed.length < 3) {
      const body = newJob()
      const { status, text } = await admin.send('/admin/jobs', body)
      if (status !== 201 && status !== 409) throw new Error(`no job is listed: ${status} ${text.slice(0, 300)}`)
      listed.push(body.id)
    }
    return listed.shift() ?? ''
  }
}

const partsOf = (world: FleetWorld, cluster: Awaited<ReturnType<typeof startCluster>>): Part[] => {
  const random = randomOf(values.seed, 'parts')
  const oneOf = (members: FleetWorld['workers'] | FleetWorld['apis']) => {
    let chosen = members[0]
    return {
      kill: async () => {
        chosen = members[Math.floor(random() * members.length)]
        await chosen?.kill()
      },
      start: async () => chosen?.start(),
    }
  }
  return [
    { name: 'an API', ...oneOf(world.apis) },
    { name: 'a worker', ...oneOf(world.workers) },
    ...ROLES.map((role) => ({ name: `Temporal's ${role}`, kill: () => cluster.kill(role), start: () => cluster.start(role) })),
  ]
}

/** Kills one part after the other until the time is over. Every part is killed at least once. */
const strike = async (parts: readonly Part[]): Promise<Strike[]> => {
  const strikes: Strike[] = []
  const until = performance.now() + DURATION_MS
  for (let turn = 0; performance.now() < until || turn < parts.length; turn += 1) {
    const part = parts[turn % parts.length]
    if (part === undefined) break
    const at = performance.now()
    await part.kill()
    await sleep(AWAY_MS)
    await part.start()
    strikes.push({ name: part.name, at, until: performance.now() })
    await sleep(STEADY_MS)
  }
  return strikes
}

const perMinute = (count: number, ms: number): string => (ms === 0 ? '-' : ((count * 60_000) / ms).toFixed(1))

/** Flows a minute while a part was away against all others, and the longest time until a flow ended after a kill. */
const printRatios = (strikes: readonly Strike[], ended: readonly number[], began: number, over: number): void => {
  const isAway = (at: number): boolean => strikes.some((one) => at >= one.at && at < one.until)
  const awayMs = strikes.reduce((sum, one) => sum + one.until - one.at, 0)
  const steady = ended.filter((at) => !isAway(at) && at < over).length
  say(`flows a minute with all alive: ${perMinute(steady, over - began - awayMs)}`)
  for (const [name, some] of Map.groupBy(strikes, (one) => one.name)) {
    const ms = some.reduce((sum, one) => sum + one.until - one.at, 0)
    const during = ended.filter((at) => some.some((one) => at >= one.at && at < one.until)).length
    const waits = some.flatMap((one) =>
      ended
        .filter((at) => at > one.at)
        .slice(0, 1)
        .map((at) => (at - one.at) / 1_000),
    )
    const next =
      waits.length < some.length
        ? 'no flow ended after one of them'
        : `the next flow ended after ${Math.max(...waits).toFixed(1)} s at most`
    say(`${name}: ${some.length} kills, ${perMinute(during, ms)} flows a minute while away, ${next}`)
  }
}

const failingProcesses = async (address: string): Promise<string[]> => {
  const connection = await Connection.connect({ address })
  try {
    const found: string[] = []
    for await (const { workflowId } of new Client({ connection }).workflow.list({
      query: 'ExecutionStatus="Running" AND TemporalReportedProblems IS NOT NULL',
    }))
      found.push(`${workflowId} fails in every task`)
    return found
  } finally {
    await connection.close()
  }
}

/** Claims that did not end as their flow says, or are not there. */
const findLost = async (acknowledged: readonly Acknowledged[]): Promise<string[]> => {
  const lost: string[] = []
  for (const one of acknowledged) {
    const status = await standing(one).catch((error: Error) => error.message.slice(0, 120))
    if (status !== ENDS[one.plan]) lost.push(`${one.sessionId} (${one.plan}) is ${status}, last answered as ${one.status}`)
  }
  return lost
}

const main = async (): Promise<number> => {
  const cluster = await startCluster(say)
  say(`the cluster answers at ${cluster.address}`)
  const world = await openFleet({ apis: 2, workers: 3, engine: cluster.address }).catch(async (error: unknown) => {
    await cluster.stop()
    throw error
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void Promise.allSettled([world.close(), cluster.stop()]).then(() => process.exit(130)))
  try {
    const random = randomOf(values.seed, 'flows')
    const counts: Counts = { requests: 0, atOnce: 0, repeated: 0, refused: 0 }
    const bases = world.apis.map(({ base }) => base)
    const callerOf = async (key: `0x${string}`) => {
      const account = privateKeyToAccount(key)
      return createCaller(bases, account, (await world.agent(account)).token(), counts)
    }
    const nextJob = createJobs(await callerOf(world.keys.admin.privateKey))
    const arbitrator = await callerOf(world.keys.arbitrator.privateKey)
    const agents = await Promise.all(Array.from({ length: Number(values.agents) }, () => createAgent(world, counts)))
    const acknowledged: Acknowledged[] = []
    const ended: number[] = []
    const failures: string[] = []
    let isOver = false
    const work = async (agent: Caller): Promise<void> => {
      while (!isOver) {
        const plan = PLANS[Math.floor(random() * PLANS.length)] ?? 'approved'
        try {
          await play(world, { agent, arbitrator, plan, jobId: await nextJob() }, (one) => acknowledged.push(one))
          ended.push(performance.now())
        } catch (error) {
          failures.push(error instanceof Error ? error.message : String(error))
        }
      }
    }
    const busy = Promise.all(agents.map(work))
    const began = performance.now()
    const strikes = await strike(partsOf(world, cluster))
    const over = performance.now()
    isOver = true
    await busy

    say(
      `${acknowledged.length} claims answered, ${ended.length} flows ended, ${strikes.length} kills in ${Math.round((over - began) / 1_000)} s`,
    )
    say(`${counts.requests} requests: ${counts.atOnce} answered at once, ${counts.repeated} after repetitions, ${counts.refused} refused`)
    printRatios(strikes, ended, began, over)
    const lost = [
      ...failures,
      ...(await findLost(acknowledged)),
      ...(await failingProcesses(cluster.address)),
      ...(await auditStack({ ...world, chain: world.chainFile })).map((finding) => `audit: ${JSON.stringify(finding).slice(0, 400)}`),
    ]
    for (const line of lost) say(`LOST: ${line}`)
    say(lost.length === 0 ? 'nothing is lost, and the audit is clean' : `${lost.length} findings`)
    return lost.length === 0 ? 0 : 1
  } finally {
    await world.close()
    await cluster.stop()
  }
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error)
  return 2
})
