// How many blocks a claim takes on a chain that makes one a second, and what the idle service weighs.
import { readFileSync } from 'node:fs'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createRpc } from '../../local/rpc.ts'
import { type Agent, createHttp } from '../e2e/support/http.ts'
import { createJob } from '../e2e/support/jobs.ts'
import type { Fleet } from '../support/fleet.ts'
import { median } from './rounds.ts'

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
        const { status } = await agent.post('/jobs/claim', { jobId: jobIds[index] })
        if (status !== 'claimed') throw new Error(`a claim of the bench was answered as ${status}`)
        return (await height()) - before
      }),
    )
    return { medianBlocks: median(blocks), mostBlocks: Math.max(...blocks), claimed: blocks.length }
  } finally {
    await rpc('evm_setIntervalMining', [0])
    await rpc('evm_setAutomine', [true])
    rpc.close()
  }
}

const RACERS = 200
const RACES = 5

/** Wallets that claim one job in the same instant: median and longest answer, ms, of the middle race. */
export const measureRace = async (fleet: Fleet): Promise<{ medianMs: number; mostMs: number }> => {
  const http = createHttp(fleet.apis[0]?.base ?? '', UNCHECKED)
  const admin = await http.agent(privateKeyToAccount(fleet.keys.admin.privateKey))
  const racers: Agent[] = []
  while (racers.length < RACERS) racers.push(...(await Promise.all(Array.from({ length: 20 }, () => http.agent()))))
  const races: { medianMs: number; mostMs: number }[] = []
  for (let race = 0; race < RACES; race += 1) {
    const jobId = await createJob({ admin }, { onboardingWaiverEligible: true, rewardAmount: 0.2 })
    const took = await Promise.all(
      racers.map(async (racer) => {
        const began = performance.now()
        await racer.call('/jobs/claim', { body: { jobId } })
        return performance.now() - began
      }),
    )
    races.push({ medianMs: median(took), mostMs: Math.max(...took) })
  }
  return { medianMs: median(races.map(({ medianMs }) => medianMs)), mostMs: Math.max(...races.map(({ mostMs }) => mostMs)) }
}

const residentOf = (pid: number): number => {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** Resident memory of API and worker together after a while of rest, MiB. */
export const measureResident = async (fleet: Fleet): Promise<number> => {
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  return [...fleet.apis, ...fleet.workers].reduce((sum, one) => sum + residentOf(one.pid()), 0)
}
