// How many blocks a claim takes on a chain that makes one a second, and what the idle service weighs.
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createRpc } from '../../../local/chain/rpc.ts'
import { type Agent, createHttp, type Reply } from '../../e2e/support/http.ts'
import { createJob } from '../../e2e/support/jobs.ts'
import type { Fleet } from '../../support/fleet/fleet.ts'
import { residentOf } from '../../support/fleet/resident.ts'
import { median } from '../figures.ts'

const CLAIMS = 32
const BLOCK_SECONDS = 1
const IDLE_MS = 10_000

export interface ClaimLatency {
  /** Blocks between request and answer. */
  medianBlocks: number
  mostBlocks: number
  claimed: number
}

const UNCHECKED = { check: () => [] }

/** Claims of as many wallets at once, each of a job that is not on chain yet. */
export const measureLatency = async (fleet: Fleet): Promise<ClaimLatency> => {
  const http = createHttp(fleet.apis[0]?.base ?? '', UNCHECKED)
  const admin = await http.agent(privateKeyToAccount(fleet.keys.admin.privateKey))
  const agents = await Promise.all(Array.from({ length: CLAIMS }, () => http.agent(privateKeyToAccount(generatePrivateKey()))))
  const jobIds: string[] = []
  for (const _agent of agents) jobIds.push(await createJob({ admin }, { onboardingWaiverEligible: true, rewardAmount: 0.2 }))
  const rpc = createRpc(fleet.rpcUrl)
  const height = async (): Promise<number> => Number(await rpc<string>('eth_blockNumber'))
  await rpc('evm_setAutomine', [false])
  await rpc('evm_setIntervalMining', [BLOCK_SECONDS])
  try {
    const blocks = await Promise.all(
      agents.map(async (agent, index) => {
        const before = await height()
        const { status, body } = await agent.call('/jobs/claim', { body: { jobId: jobIds[index] } })
        const after = await height()
        if (status !== 200 || body.status !== 'claimed')
          throw new Error(`a claim of the bench was answered with ${status} ${body.code ?? body.status}`)
        return after - before
      }),
    )
    return { medianBlocks: median(blocks), mostBlocks: Math.max(...blocks), claimed: blocks.length }
  } finally {
    await rpc('evm_setIntervalMining', [0])
    await rpc('evm_setAutomine', [true])
  }
}

const RACERS = 200
const RACES = 5

export interface Race {
  medianMs: number
  longestMs: number
}

/** What may be answered to a racer, and what all of them together must be answered. */
const checkRace = (replies: readonly Reply[]): void => {
  const won = replies.filter(({ status, body }) => status === 200 && body.status === 'claimed')
  const lost = replies.filter(({ status, body }) => status === 409 && ['job_already_claimed', 'claim_in_progress'].includes(body.code))
  if (won.length === 1 && lost.length === replies.length - 1) return
  const others = replies.filter((reply) => !won.includes(reply) && !lost.includes(reply)).map(({ status, text }) => `${status} ${text}`)
  throw new Error(`${won.length} won and ${lost.length} lost a race of the bench; the others: ${others.slice(0, 3).join('; ') || 'none'}`)
}

/** Wallets that claim one job in the same instant: median and longest answer of the race whose median is the middle one, and the longest of all. */
export const measureRace = async (fleet: Fleet): Promise<{ middle: Race; longestMs: number }> => {
  const http = createHttp(fleet.apis[0]?.base ?? '', UNCHECKED)
  const admin = await http.agent(privateKeyToAccount(fleet.keys.admin.privateKey))
  const racers: Agent[] = []
  while (racers.length < RACERS) racers.push(...(await Promise.all(Array.from({ length: 20 }, () => http.agent()))))
  const races: Race[] = []
  for (let race = 0; race < RACES; race += 1) {
    const jobId = await createJob({ admin }, { onboardingWaiverEligible: true, rewardAmount: 0.2 })
    const answers = await Promise.all(
      racers.map(async (racer) => {
        const began = performance.now()
        const reply = await racer.call('/jobs/claim', { body: { jobId } })
        return { reply, tookMs: performance.now() - began }
      }),
    )
    checkRace(answers.map(({ reply }) => reply))
    const took = answers.map(({ tookMs }) => tookMs)
    races.push({ medianMs: median(took), longestMs: Math.max(...took) })
  }
  const medianMs = median(races.map((race) => race.medianMs))
  const middle = races.find((race) => race.medianMs === medianMs)
  if (middle === undefined) throw new Error('no race was run')
  return { middle, longestMs: Math.max(...races.map((race) => race.longestMs)) }
}

/** Resident memory of API and worker together after a while of rest, MiB. */
export const measureResident = async (fleet: Fleet): Promise<number> => {
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  return [...fleet.apis, ...fleet.workers].reduce((sum, one) => sum + residentOf(one.pid()), 0)
}
