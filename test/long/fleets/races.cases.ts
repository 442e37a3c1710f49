import { beforeAll, describe, expect, test } from '@jest/globals'
import { getAbiItem } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { openSignIn } from '../../../api/identity/sign-ins.ts'
import { chainJobId } from '../../../domain/common/ids.ts'
import { liveEscrow } from '../../../schemas/chain/chain-file.ts'
import { finalAnswer } from '../../e2e/support/concurrency.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { createJob, fundedAgent } from '../../e2e/support/jobs.ts'
import { eventually } from '../../support/eventually.ts'
import { createFleetTokens } from '../../support/fleet/tokens.ts'
import type { FleetWorld } from '../../support/fleet/world.ts'
import { openedWorld } from './two-of-each.ts'

/** Half of them at each API. */
const RACERS = 24
const CLAIMS = 12
/** More than every pool holds. */
const PENNILESS = 100
const STARTER = { onboardingWaiverEligible: true, rewardAmount: 0.2 } as const

let world: FleetWorld
beforeAll(() => {
  world = openedWorld()
})

/** Wallets with tokens of the service's own key, as signing in is not what is raced for. */
const agents = async (count: number): Promise<Agent[]> => {
  const tokens = await createFleetTokens(world)
  const now = Date.now()
  const seat = async (index: number): Promise<Agent> => {
    const account = privateKeyToAccount(generatePrivateKey())
    const wallet = walletOf({ account })
    const signIn = { wallet, subject: wallet, roles: [], ip: '127.0.0.1' }
    return world.apiAt(index).agent(account, (await openSignIn({ tokens }, world.database.rows, signIn, now)).token)
  }
  return Promise.all(Array.from({ length: count }, (_, index) => seat(index)))
}

const claims = (racers: Agent[], jobIds: string[]): Promise<Reply[]> =>
  Promise.all(racers.map((racer, index) => racer.call('/jobs/claim', { body: { jobId: jobIds[index % jobIds.length] } })))

/** What the journal says of the operator's transactions, and how many the chain counts. */
const sentByOperator = async () => {
  const journal = await world.database.rows
    .selectFrom('chain_transaction')
    .select(['nonce', 'txHash', 'status', 'functionName', 'jobId'])
    .where('signer', '=', world.operator.toLowerCase())
    .orderBy('nonce')
    .execute()
  const mined = await world.view.client.getTransactionCount({ address: world.operator })
  return { journal, mined }
}

/** Bonds that the escrow locked: whose, and for which of the jobs. */
const bondsOf = async (jobIds: readonly string[]): Promise<string[]> => {
  const names = new Map<string, string>(jobIds.map((jobId) => [chainJobId(jobId), jobId]))
  const address = liveEscrow(world.chainFile)
  const logs = await world.view.client.getLogs({ address, event: getAbiItem({ abi: escrowCoreAbi, name: 'JobClaimed' }), fromBlock: 0n })
  return logs
    .map(({ args }) => ({ jobId: names.get(args.jobId ?? ''), worker: args.worker }))
    .filter(({ jobId }) => jobId !== undefined)
    .map(({ jobId, worker }) => `${jobId} ${worker?.toLowerCase()}`)
    .sort()
}

const sessionsOf = async (jobIds: readonly string[]): Promise<string[]> => {
  const rows = await world.database.rows.selectFrom('session').select(['jobId', 'wallet']).where('jobId', 'in', jobIds).execute()
  return rows.map(({ jobId, wallet }) => `${jobId} ${wallet}`).sort()
}

const walletOf = ({ account }: Pick<Agent, 'account'>): string => account.address.toLowerCase()
/** What an answer says, in a word; a refusal by its status and code. */
const wordOf = ({ status, body }: Reply): string => `${status} ${body.code ?? body.status}`
const counted = (words: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(words)].map((word) => [word, words.filter((one) => one === word).length]))

test('wallets race for one job at two processes: one wins, the others learn whose it is, and nothing is recorded or locked for them', async () => {
  const racers = await agents(RACERS)
  const jobId = await createJob(world, STARTER)
  const replies = await claims(racers, [jobId])
  const {
    '200 claimed': won,
    '409 job_already_claimed': taken = 0,
    '409 claim_in_progress': early = 0,
    // A machine with too much to do may say so; the same request is decided below.
    '503 state_store_unavailable': busy = 0,
    ...other
  } = counted(replies.map(wordOf))
  expect([won, taken + early + busy, other]).toEqual([1, racers.length - 1, {}])

  const winner = racers[replies.findIndex(({ status }) => status === 200)]
  if (winner === undefined) throw new Error('no racer won')
  expect(await sessionsOf([jobId])).toEqual([`${jobId} ${walletOf(winner)}`])
  expect(await bondsOf([jobId])).toEqual([`${jobId} ${walletOf(winner)}`])
  const later = await claims(racers, [jobId])
  expect(later.map(wordOf)).toEqual(racers.map((racer) => (racer === winner ? '200 claimed' : '409 job_already_claimed')))
  const holders = later.filter(({ status }) => status !== 200).map(({ body }) => body.details?.claimedBy)
  expect(new Set(holders)).toEqual(new Set([walletOf(winner)]))
  expect(await sessionsOf([jobId])).toHaveLength(1)
})

test('as many wallets claim as many jobs at once: each its own session and bond, each nonce once', async () => {
  const racers: Agent[] = []
  for (let index = 0; index < CLAIMS; index += 1) racers.push(await fundedAgent(world, 1_000_000n))
  const jobIds = await Promise.all(racers.map(() => createJob(world)))
  const replies = await claims(racers, jobIds)
  // A claim that outlasts its request is pending, and a machine with too much to do may say so: both converge by the same request.
  const {
    '200 claimed': claimed = 0,
    '202 pending': pending = 0,
    '503 workflow_engine_unavailable': busy = 0,
    ...other
  } = counted(replies.map(wordOf))
  expect([claimed + pending + busy, other]).toEqual([CLAIMS, {}])
  expect(claimed + pending).toBeGreaterThan(0)
  const again = await Promise.all(
    racers.map((racer, index) =>
      finalAnswer(world, 0, { path: '/jobs/claim', body: { jobId: jobIds[index] }, token: racer.token(), key: undefined }),
    ),
  )
  expect(counted(again.map(wordOf))).toEqual({ '200 claimed': CLAIMS })
  expect(new Set(again.map(({ body }) => body.sessionId)).size).toBe(CLAIMS)

  const pairs = racers.map((racer, index) => `${jobIds[index]} ${walletOf(racer)}`).sort()
  expect(await sessionsOf(jobIds)).toEqual(pairs)
  expect(await bondsOf(jobIds)).toEqual(pairs)
  for (const racer of racers) expect((await world.view.standingOf(racer.account.address)).stakedRaw).toBe(150_000n)

  const { journal, mined } = await sentByOperator()
  const own = journal.filter((row) => jobIds.some((jobId) => jobId === row.jobId)).map((row) => `${row.jobId} ${row.functionName}`)
  expect(own.filter((sent) => sent.endsWith(' claimJobFor')).sort()).toEqual(jobIds.map((jobId) => `${jobId} claimJobFor`).sort())
  expect(new Set(own).size).toBe(own.length)
  expect(new Set(journal.map(({ txHash }) => txHash)).size).toBe(journal.length)
  expect(counted(journal.map(({ status }) => status))).toEqual({ mined: journal.length })
  const first = journal[0]?.nonce ?? 0
  expect(journal.map(({ nonce }) => nonce)).toEqual(journal.map((_row, index) => first + index))
  expect(first + journal.length).toBe(mined)
})

describe('wallets that cannot win', () => {
  /** No answer where the other side closed the connection. */
  const unlessClosed = (error: unknown): [null] => {
    if ((error as { cause?: { code?: string } }).cause?.code === 'UND_ERR_SOCKET') return [null]
    throw error
  }

  test('a crowd of them hammering one job does not keep a funded one from claiming it', async () => {
    const jobId = await createJob(world)
    const penniless = await agents(PENNILESS)
    const winner = await fundedAgent(world, 1_000_000n)
    let hammering = true
    let answered = 0
    const refused = new Set<string>()
    const hammer = penniless.map(async (agent) => {
      while (hammering) {
        // On a slow machine a request may arrive too late, and its connection is closed.
        const [reply] = await claims([agent], [jobId]).catch(unlessClosed)
        if (reply === null) continue
        refused.add(reply === undefined || reply.status === 200 ? 'claimed' : reply.body.code)
        answered += 1
      }
    })
    await eventually(
      'the whole crowd was answered once',
      () => answered,
      (count) => count >= penniless.length,
    )
    const before = answered
    const [claimed] = await claims([winner], [jobId])
    const meanwhile = answered - before
    hammering = false
    await Promise.all(hammer)
    // Rounds of the crowd, whatever the machine: one to the front of the queue, one or two while the bond is locked and recorded.
    expect(meanwhile).toBeLessThan(6 * penniless.length)
    // On a slow machine the engine or the database may ask part of the crowd to come again.
    const outages = ['workflow_engine_unavailable', 'state_store_unavailable']
    const words = ['insufficient_liquidity', 'claim_in_progress', 'job_already_claimed', ...outages]
    expect([...refused].filter((code) => !words.includes(code))).toEqual([])
    expect([claimed?.status, claimed?.body.status]).toEqual([200, 'claimed'])
  })
})
