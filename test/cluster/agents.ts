// Agents that go on while parts of the service are killed: each repeats what was not answered, at the other API.
import type { PrivateKeyAccount } from 'viem/accounts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { disputePath, openDispute, RATIONALE } from '../e2e/support/disputes.ts'
import { BAD_WORK, deposit, encode, GOOD_WORK } from '../e2e/support/jobs.ts'
import type { FleetWorld } from '../support/fleet/world.ts'
import { call, type Reply } from '../support/http.ts'

/** A repeated request ends after this time; the service is never away for so long. */
const PATIENCE_MS = 240_000
const PAUSE_MS = 500

/** How often requests were answered at once, after a repetition, or refused. */
export interface Counts {
  requests: number
  atOnce: number
  repeated: number
  refused: number
}

export type Plan = 'approved' | 'rejected' | 'disputed'
export const PLANS: readonly Plan[] = ['approved', 'rejected', 'disputed']

/** A claim that the service answered, and how far its agent came. */
export interface Acknowledged {
  plan: Plan
  agent: Caller
  sessionId: string
  jobId: string
  /** Newest status that the service answered. */
  status: string
}

export type Caller = ReturnType<typeof createCaller>

const isPassing = ({ status, body }: Reply): boolean => status === 202 || status === 429 || status >= 500 || body?.retryable === true

/** A caller that repeats requests, at one API after the other, until they are answered for good. */
export const createCaller = (bases: readonly string[], account: PrivateKeyAccount, token: string, counts: Counts) => {
  let turn = 0
  const send = async (path: string, body?: unknown): Promise<Reply> => {
    counts.requests += 1
    const began = performance.now()
    let isRepeated = false
    for (;;) {
      const base = bases[turn % bases.length] ?? ''
      const reply = await call(base, path, { token, ...(body !== undefined && { body }) }).catch((error: unknown) => error as Error)
      if (!(reply instanceof Error) && !isPassing(reply)) {
        if (reply.status >= 400) counts.refused += 1
        else if (isRepeated) counts.repeated += 1
        else counts.atOnce += 1
        return reply
      }
      // A 202 is an answer: the work goes on, and the repetition asks for its end.
      if (reply instanceof Error || reply.status !== 202) {
        isRepeated = true
        turn += 1
      }
      if (performance.now() - began > PATIENCE_MS)
        throw new Error(`${path} was not answered: ${reply instanceof Error ? reply.message : reply.text}`)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  const good = async (path: string, body?: unknown): Promise<Reply['body']> => {
    const reply = await send(path, body)
    if (reply.status >= 400) throw new Error(`${path} answered ${reply.status}: ${reply.text.slice(0, 400)}`)
    return reply.body
  }
  return { account, send, get: (path: string) => good(path), post: (path: string, body: unknown) => good(path, body) }
}

const statusOf = async (agent: Caller, sessionId: string): Promise<string> =>
  (await agent.get(`/session?sessionId=${encode(sessionId)}`)).status

/** Waits until a session has left these statuses. */
const leaves = async (agent: Caller, sessionId: string, ...statuses: string[]): Promise<string> => {
  const began = performance.now()
  for (;;) {
    const status = await statusOf(agent, sessionId)
    if (!statuses.includes(status)) return status
    if (performance.now() - began > PATIENCE_MS) throw new Error(`${sessionId} stays ${status}`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

/** A new caller with money in its account. */
export const createAgent = async (
  world: FleetWorld,
  counts: Counts,
  account = privateKeyToAccount(generatePrivateKey()),
): Promise<Caller> => {
  const signedIn = await world.agent(account)
  await deposit(world, signedIn, 500_000_000n)
  return createCaller(
    world.apis.map(({ base }) => base),
    account,
    signedIn.token(),
    counts,
  )
}

/** The status with which a flow of each plan ends. */
export const ENDS: Readonly<Record<Plan, string>> = { approved: 'resolved', rejected: 'rejected', disputed: 'resolved' }

/** Plays one flow from a claim to its end. The claim is noted as soon as it is answered. */
export const play = async (
  world: FleetWorld,
  { agent, arbitrator, plan, jobId }: { agent: Caller; arbitrator: Caller; plan: Plan; jobId: string },
  note: (one: Acknowledged) => void,
): Promise<void> => {
  const { sessionId } = await agent.post('/jobs/claim', { jobId })
  const one: Acknowledged = { plan, agent, sessionId, jobId, status: 'claimed' }
  note(one)
  await agent.post('/jobs/submit', { sessionId, submission: plan === 'approved' ? GOOD_WORK : BAD_WORK })
  one.status = await leaves(agent, sessionId, 'claimed', 'submitted')
  if (plan !== 'disputed') return
  await openDispute({ chain: world.chainFile, view: world.view }, agent.account, { jobId } as never)
  one.status = await leaves(agent, sessionId, 'rejected')
  const decided = await arbitrator.send(`${disputePath({ sessionId } as never)}/verdict`, { verdict: 'dismissed', rationale: RATIONALE })
  // A repetition of a verdict that was taken meets what it decided.
  if (decided.status >= 400 && decided.status !== 409)
    throw new Error(`the verdict was refused: ${decided.status} ${decided.text.slice(0, 300)}`)
  one.status = await leaves(agent, sessionId, 'disputed')
}

/** Reads again where an acknowledged claim stands. */
export const standing = ({ agent, sessionId }: Acknowledged): Promise<string> => statusOf(agent, sessionId)
