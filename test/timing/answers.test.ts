// How long a caller waits for an answer. test/long/failing states what is refused while a part is down, test/e2e/common/privacy.test.ts what an
// answer says about a wallet.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { emit } from '../../activities/events/outbox.ts'
import { COMPARED, NEVER_SEEN, prepareWithdrawnWallet, type Subject } from '../e2e/common/private-wallets.ts'
import { claimOf, refusalOf, sessionPath, submissionOf, useFleet } from '../long/support/outages.ts'
import { eventually } from '../support/eventually.ts'
import { childrenOf } from '../support/fleet/process-tree.ts'
import { openVanisher } from '../support/fleet/vanisher.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'

let receiver: Receiver
const startEndpoint = async () => {
  receiver = await startReceiver()
  return { LOCAL_CALLER_HOSTS: receiver.host }
}
const { world, prepareJobs } = useFleet(2, { settings: startEndpoint })
afterAll(() => receiver.close())
/** What a caller is promised, and what a busy machine adds. */
const REFUSED_MS = 2_000 + 500
/** A claim or submission that still waits is answered with 202 after two seconds. */
const ACCEPTED_MS = 2_000 + 1_000

const PARTS = ['postgres', 'temporal', 'chain'] as const
type Part = (typeof PARTS)[number]
const signal = (part: Part, name: 'SIGSTOP' | 'SIGCONT'): void => {
  const { pid } = world()[part]
  for (const one of [...childrenOf(pid()), pid()])
    try {
      process.kill(one, name)
    } catch (error) {
      // A backend of the database has ended since the list was read.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}
afterEach(() => {
  for (const part of PARTS) if (world()[part].isUp()) signal(part, 'SIGCONT')
})

const millisecondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

describe('an answer about a wallet without consent', () => {
  /** Requests about each of the two wallets, in turn. */
  const ROUNDS = 40
  /** Medians further apart than this, and by more than half, would tell the wallets apart. */
  const TOLERANCE_MS = 5
  const medianOf = (values: number[]): number => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
  let worked: Subject
  beforeAll(async () => {
    ;({ worked } = await prepareWithdrawnWallet(world()))
  })

  test.each(COMPARED)('%s: takes as long as one about a wallet that was never seen', async (_id, pathOf) => {
    const times: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [index, subject] of [worked, NEVER_SEEN].entries())
        times[index]?.push(await millisecondsOf(() => world().call(pathOf(subject))))
    const [shorter = 0, longer = 0] = times.map(medianOf).toSorted((left, right) => left - right)
    expect(longer - shorter).toBeLessThan(Math.max(TOLERANCE_MS, shorter / 2))
  })
})

test.each(PARTS.flatMap((part) => [[part, 'is frozen'] as const, [part, 'is down'] as const]))(
  '%s %s: a claim is refused within two seconds, and so is the next one',
  async (part, how) => {
    const { agent, jobId } = await prepareJobs()
    if (how === 'is down') await world()[part].kill()
    else signal(part, 'SIGSTOP')
    for (let repeat = 0; repeat < 2; repeat += 1)
      expect(
        await millisecondsOf(async () => {
          expect((await refusalOf(claimOf(agent, jobId)))[2]).toBe(true)
        }),
      ).toBeLessThan(REFUSED_MS)
  },
)

test('without a workflow engine records are read within two seconds, and without a worker a submission is accepted when its wait ends', async () => {
  const { claimant, sessionId } = await prepareJobs()
  await world().temporal.kill()
  expect(await millisecondsOf(() => claimant.call(sessionPath(sessionId)))).toBeLessThan(REFUSED_MS)
  await world().temporal.start()
  await world().workers[0]?.kill()
  expect(await millisecondsOf(submissionOf(claimant, sessionId))).toBeLessThan(ACCEPTED_MS)
})

test('a worker without a step under way ends within two seconds, although one of its activities follows the chain without end', async () => {
  const [worker] = world().workers
  if (worker === undefined) throw new Error('the fleet has no worker')
  if (!worker.isUp()) await worker.start()
  const { code, tookMs } = await worker.stop()
  expect({ code, isInTime: tookMs < 2_000 }).toEqual({ code: 0, isInTime: true })
  await worker.start()
})

test('an API serves again within ten seconds of the loss of the host of its database', async () => {
  const vanisher = await openVanisher(world().databaseUrl)
  const [api] = world().apis
  if (api === undefined) throw new Error('the fleet has no API')
  const isServed = async (): Promise<boolean> => (await fetch(`${api.base}/jobs`)).status === 200
  await api.stop()
  await api.start({ env: { DATABASE_URL: vanisher.url } })
  try {
    await eventually('the list of jobs', isServed)
    vanisher.vanish()
    expect(await millisecondsOf(() => eventually('the list of jobs', isServed))).toBeLessThan(10_000)
  } finally {
    await api.stop()
    vanisher.close()
  }
  await api.start()
})

test('an event reaches the endpoint of a wallet within two seconds', async () => {
  const agent = await world().agent()
  const { id } = await agent.post('/webhooks', { url: receiver.url, topics: ['session.claimed'] }, 201)
  const deliver = async (): Promise<void> => {
    const count = receiver.received.length
    const wallets = [agent.account.address.toLowerCase()]
    await emit(world().database.rows, { topic: 'session.claimed', wallets, at: Date.now(), data: {} })
    await eventually('the event', () => receiver.received.length > count)
  }
  await deliver()
  expect(await millisecondsOf(deliver)).toBeLessThan(2_000)
  await agent.post(`/webhooks/${id}/delete`, {})
})
