import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createClient } from '../../client/src/client.ts'
import { isProblem } from '../../client/src/problems.ts'
import type { Answer, Client, RowOf } from '../../client/src/types.ts'
import { solve } from '../catalogue/solutions.ts'

export type Session = Answer<'claimJob'>
export type Badge = Answer<'getBadge'>
export type Verdict = Answer<'getVerificationResult'>
export type Preflight = Answer<'preflightJob'>
export type Row = Exclude<RowOf<'listJobs'>, { format: 'full' }>

/** An agent, with the wallet that it is paid at. */
export interface Agent {
  account: { address: Address }
  client: Client
}

/** An agent with a key that signs transactions. */
export interface Worker extends Agent {
  account: PrivateKeyAccount
}

/** Whether another wallet has claimed the job. */
export const isTaken = (error: unknown): boolean => isProblem(error, 'job_already_claimed', 'claim_in_progress', 'job_session_completed')

/** An agent with a new key. It repeats a failed request, unless `maxRetries` is 0. */
export const createWorker = (baseUrl: string, maxRetries?: number): Worker => {
  const account = privateKeyToAccount(generatePrivateKey())
  return { account, client: createClient({ baseUrl, account, maxRetries }) }
}

/** Rows of the catalogue that this wallet could claim now, newest first. */
export const claimableJobs = async ({ client, account }: Agent): Promise<Row[]> => {
  const { jobs } = await client.listJobs({ format: 'compact', claimable: true, tier: 'starter', wallet: account.address, limit: 100 })
  return jobs.filter((job): job is Row => !('format' in job))
}

/** Reads the pinned definition and submits work that satisfies it. */
export const submitSolution = async ({ client }: Agent, { jobId, sessionId }: Session): Promise<Answer<'submitWork'>> => {
  const definition = await client.getJobDefinition({ jobId })
  return client.submitWork({ sessionId, submission: solve(definition as unknown as Parameters<typeof solve>[0]) })
}

/** Waits until the session has left `submitted`, then reads the verdict. */
export const awaitVerdict = async ({ client }: Agent, sessionId: string): Promise<{ session: Session; verdict: Verdict }> => {
  for (;;) {
    const session = await client.getSession({ sessionId, waitSeconds: 25 })
    if ('lifecycle' in session && session.status !== 'submitted')
      return { session, verdict: await client.getVerificationResult({ sessionId }) }
  }
}

const READ_MS = 60_000

/** Reads until there is something. Throws after a minute. */
export const readUntil = async <Found>(what: string, read: () => Promise<Found | undefined>): Promise<Found> => {
  for (const end = Date.now() + READ_MS; ; await sleep(100)) {
    const found = await read()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(`no ${what} within a minute`)
  }
}
