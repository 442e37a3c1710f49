// One fleet, callers over every channel at once, and a calendar of kills from a seed.
import { Client, Connection } from '@temporalio/client'
import { randomOf } from '../crash/random.ts'
import { auditStack } from '../support/audit.ts'
import { eventually } from '../support/eventually.ts'
import { startLoadBalancer } from '../support/fleet/load-balancer.ts'
import { openFleet } from '../support/fleet/world.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { type Blow, playCalendar } from './calendar.ts'
import { type Channel, channelsOf, createStormJob, createWorkers, FLOWS_PER_WALLET, type Flow } from './callers.ts'
import { createReader, deliveryFaults, failAtTimes, openEndpoint, writeEvents } from './listeners.ts'
import { createTraffic } from './traffic.ts'

const CALLERS_PER_CHANNEL = 2
const LISTENING_WALLETS = 2
const READERS_PER_WALLET = 2
/** More than the callers finish before the calendar ends. */
const JOBS = 100

export interface StormResult {
  blows: Blow[]
  flows: Flow[]
  /** Calls that a kill cut. */
  cut: number
  /** What is wrong, over all channels, records and the chain. */
  faults: string[]
}

const openStorm = async () => {
  const receiver = await startReceiver()
  const deaths: string[] = []
  const world = await openFleet({
    apis: 2,
    workers: 2,
    env: { LOCAL_CALLER_HOSTS: receiver.host, EVENT_STREAMS_PER_WALLET: '100' },
    onDeath: ({ name }, { code, signal }) => deaths.push(`${name} ended by itself (${signal ?? `code ${code}`})`),
  })
  const connection = Connection.lazy({ address: world.temporalAddress })
  const close = async (): Promise<void> => {
    await connection.close()
    await world.close()
    await receiver.close()
  }
  return { world, receiver, deaths, engine: new Client({ connection }), close }
}

/** Sessions, transactions and badges that are not one for each flow. */
const recordFaults = async ({ world }: Awaited<ReturnType<typeof openStorm>>, flows: readonly Flow[]): Promise<string[]> => {
  const { rows } = world.database
  const sessions = await rows.selectFrom('session').select(['jobId', 'sessionId']).execute()
  const sent = await rows
    .selectFrom('chain_transaction')
    .select(['jobId', 'functionName', 'status'])
    .where('status', '=', 'mined')
    .execute()
  const perJob = flows.flatMap(({ jobId, sessionId }) => {
    const own = sessions.filter((session) => session.jobId === jobId).map((session) => session.sessionId)
    const calls = ['claimJobFor', 'submitWorkFor', 'resolveSinglePayout'].map(
      (name) => sent.filter((one) => one.jobId === jobId && one.functionName === name).length,
    )
    return [
      ...(own.join() === sessionId ? [] : [`${jobId} has the sessions ${own.join(' and ')}`]),
      ...(calls.join() === '1,1,1' ? [] : [`${jobId} was claimed, submitted and paid ${calls.join(', ')} times`]),
    ]
  })
  const wallets = [...new Set(flows.map(({ wallet }) => wallet as `0x${string}`))]
  const perWallet = await Promise.all(
    wallets.map(async (wallet) => {
      const { badges } = await world.view.standingOf(wallet)
      const earned = flows.filter((flow) => flow.wallet === wallet).length
      return badges.length === earned ? [] : [`${wallet} has ${badges.length} badges for ${earned} flows`]
    }),
  )
  return [...perJob, ...perWallet.flat()]
}

/** Plays the storm of a seed on a fleet of its own. */
export const playStorm = async (seed: string): Promise<StormResult> => {
  const random = randomOf('storm', seed)
  const storm = await openStorm()
  const { world, receiver, engine } = storm
  const traffic = createTraffic(world.apis, randomOf('storm', seed, 'traffic'))
  const balancer = await startLoadBalancer(() => traffic.listed().map(({ base }) => base))
  try {
    const jobs = await Promise.all(Array.from({ length: JOBS }, () => createStormJob(world)))
    const listening = await Promise.all(Array.from({ length: LISTENING_WALLETS }, (_, index) => world.apiAt(index).agent()))
    const endpoints = await Promise.all(listening.map((agent, place) => openEndpoint(receiver, agent, place)))
    failAtTimes(receiver, randomOf('storm', seed, 'receiver'))
    const createWorker = await createWorkers(world)

    let isOver = false
    let callersLeft = 0
    const inHand = new Set<string>()
    const flows: Flow[] = []
    const work = async (channel: Channel): Promise<void> => {
      for (let worker = await createWorker(), done = 0; !isOver && jobs.length > 0; done += 1) {
        if (done > 0 && done % FLOWS_PER_WALLET === 0) worker = await createWorker()
        const jobId = jobs.pop() as string
        inHand.add(jobId)
        flows.push(await channel(worker, jobId))
        inHand.delete(jobId)
      }
    }
    const callers = channelsOf(traffic, balancer.base).flatMap((channel) =>
      Array.from({ length: CALLERS_PER_CHANNEL }, () => work(channel)),
    )
    callersLeft = callers.length
    for (const caller of callers) void caller.catch(() => undefined).finally(() => (callersLeft -= 1))
    const readers = listening.flatMap((agent, wallet) =>
      Array.from({ length: READERS_PER_WALLET }, (_, index) =>
        createReader(agent, traffic, randomOf('storm', seed, 'reader', wallet, index)),
      ),
    )
    const reading = readers.map((reader) => reader.read(() => isOver))
    const writing = writeEvents(world, listening, randomOf('storm', seed, 'events'), () => isOver)
    const assertBusy = (): void => {
      if (callersLeft === 0) throw new Error(`every caller has ended, ${jobs.length} jobs are left`)
    }
    const blows = await playCalendar({ world, engine, traffic, random, jobsInHand: () => [...inHand], assertBusy }).finally(() => {
      isOver = true
    })
    const ends = await Promise.allSettled([...callers, ...reading])
    const written = await writing
    const broken = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []))
    const unnumbered = () => world.database.rows.selectFrom('event').select('id').where('seq', 'is', null).execute()
    await eventually('every event is numbered', unnumbered, (left) => left.length === 0)
    const reads = await Promise.all(readers.map((reader) => reader.difference(world)))
    const deliveries = await Promise.all(endpoints.map((endpoint) => deliveryFaults(receiver, endpoint, written)))
    const records = await recordFaults(storm, flows)
    const audited = await auditStack({ ...world, chain: world.chainFile })
    return {
      blows,
      flows,
      cut: traffic.cut(),
      faults: [
        ...blows.flatMap(({ victim, fault }) => (fault === null ? [] : [`${victim}: ${fault}`])),
        ...flows.flatMap(({ channel, jobId, faults }) => faults.map((fault) => `${channel} ${jobId}: not ${fault}`)),
        ...broken,
        ...reads.flatMap((difference) => difference ?? []),
        ...deliveries.flat(),
        ...traffic.lost().map((call) => `lost at an orderly end: ${call}`),
        ...records,
        ...audited.map((failed) => JSON.stringify(failed).slice(0, 1_000)),
        ...storm.deaths,
      ],
    }
  } finally {
    await balancer.close()
    await storm.close()
  }
}
