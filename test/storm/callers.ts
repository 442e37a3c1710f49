// Workers that earn badges over three channels while the storm lasts.
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openSignIn } from '../../api/identity/sign-ins.ts'
import { createClient } from '../../client/src/index.ts'
import { createJob, encode, GOOD_WORK } from '../e2e/support/jobs.ts'
import { createFleetTokens } from '../support/fleet/tokens.ts'
import type { FleetWorld } from '../support/fleet/world.ts'
import type { Traffic } from './traffic.ts'

/** A new wallet has three claims without a bond. */
export const FLOWS_PER_WALLET = 3
const ORDER = ['pending', 'claimed', 'submitted', 'resolved']

export interface Worker {
  account: ReturnType<typeof privateKeyToAccount>
  wallet: string
  token: string
}

/** A finished flow: what its channel showed of the badge, and what is wrong with it. */
export interface Flow {
  channel: string
  wallet: string
  jobId: string
  sessionId: string
  faults: string[]
}

export type Channel = (worker: Worker, jobId: string) => Promise<Flow>

/** Creates wallets with a token each, without a sign-in. */
export const createWorkers = async (world: FleetWorld) => {
  const tokens = await createFleetTokens(world)
  return async (): Promise<Worker> => {
    const account = privateKeyToAccount(generatePrivateKey())
    const wallet = account.address.toLowerCase() as `0x${string}`
    const { token } = await openSignIn({ tokens }, world.database.rows, { wallet, subject: wallet, roles: [], ip: '127.0.0.1' }, Date.now())
    return { account, wallet, token }
  }
}

export const createStormJob = (world: FleetWorld): Promise<string> =>
  createJob(world, { onboardingWaiverEligible: true, rewardAmount: 0.2 })

const faultsOf = (checks: Record<string, boolean>): string[] => Object.entries(checks).flatMap(([name, isRight]) => (isRight ? [] : [name]))

const overHttp =
  ({ settle }: Traffic): Channel =>
  async ({ wallet, token }, jobId) => {
    const key = (act: string) => ({ 'idempotency-key': `${act}-${jobId}` })
    const claimed = await settle('/jobs/claim', { token, body: { jobId }, headers: key('claim') })
    const { sessionId } = claimed.body
    await settle('/jobs/submit', { token, body: { sessionId, submission: GOOD_WORK }, headers: key('submit') })
    const path = `/session?sessionId=${encode(sessionId)}&waitSeconds=5`
    const ended = await settle(path, { token }, ({ status, body }) => status === 200 && body.lifecycle.terminal)
    const badge = await settle(`/badges/${encode(sessionId)}`, { token })
    return {
      channel: 'http',
      wallet,
      jobId,
      sessionId,
      faults: faultsOf({ resolved: ended.body.status === 'resolved', badge: badge.body.service.worker === wallet }),
    }
  }

const overTools =
  ({ settle }: Traffic): Channel =>
  async ({ wallet, token }, jobId) => {
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what the tool answered.
    const call = async (name: string, sent: object, isFinal: (content: any) => boolean = ({ status }) => status !== 'pending') => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: sent } }
      const headers = { accept: 'application/json, text/event-stream' }
      const reply = await settle('/mcp', { token, body, headers }, ({ status, body: answer }) => {
        if (status !== 200) return false
        const { isError, structuredContent } = answer.result
        if (isError && !structuredContent.retryable)
          throw new Error(`${name} is refused: ${JSON.stringify(structuredContent).slice(0, 500)}`)
        return !isError && isFinal(structuredContent)
      })
      return reply.body.result.structuredContent
    }
    const { sessionId } = await call('claimJob', { jobId })
    await call('submitWork', { sessionId, submission: GOOD_WORK })
    const verdict = await call('getVerificationResult', { sessionId, waitSeconds: 5 }, ({ outcome }) => outcome !== undefined)
    const badge = await call('getAgentBadge', { sessionId }, () => true)
    return {
      channel: 'tools',
      wallet,
      jobId,
      sessionId,
      faults: faultsOf({ approved: verdict.outcome === 'approved', badge: badge.service.worker === wallet }),
    }
  }

const overClient =
  (baseUrl: string): Channel =>
  async ({ account, wallet }, jobId) => {
    const client = createClient({ baseUrl, account, maxRetries: 20 })
    const { sessionId } = await client.claimJob({ jobId })
    const states: string[] = []
    const submitted = client.submitWork({ sessionId, submission: GOOD_WORK })
    for await (const { status } of client.watch(sessionId)) states.push(status)
    await submitted
    const { service } = await client.getBadge({ sessionId })
    const sorted = [...states].sort((left, right) => ORDER.indexOf(left) - ORDER.indexOf(right))
    return {
      channel: 'client',
      wallet,
      jobId,
      sessionId,
      faults: faultsOf({
        resolved: states.at(-1) === 'resolved',
        'no state comes back': sorted.join() === states.join(),
        badge: service.worker === wallet,
      }),
    }
  }

export const channelsOf = (traffic: Traffic, balancer: string): Channel[] => [overHttp(traffic), overTools(traffic), overClient(balancer)]
