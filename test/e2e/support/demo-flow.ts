import type { ChainView } from '../../../local/demo/chain.ts'
import { missingProof } from '../../../local/demo/proof.ts'
import { createReport } from '../../../local/demo/report.ts'
import { starterFlow } from '../../../local/demo/starter-flow.ts'
import type { ChainFile } from '../../../schemas/chain/chain-file.ts'
import type { Ending } from '../../support/fleet/fleet.ts'
import type { Agent } from './http.ts'
import { createJob } from './jobs.ts'

const EVERY_MS = 5_000
const FLOWS_AT_ONCE = 3

interface Place {
  base: string
  /** Base of the addresses in badges, when it is another one. */
  publicBase?: string
  admin: Agent
  chain: ChainView
  asset: ChainFile['asset']
}

/** The flow of the demo, told to nobody; answers what the chain does not show of it. */
export const demoFlow = async ({ base, publicBase = base, admin, chain, asset }: Place): Promise<string[]> => {
  await createJob({ admin }, { onboardingWaiverEligible: true, rewardAmount: 0.2 })
  const evidence = await starterFlow({ base, chain, report: createReport(() => undefined), asset })
  return missingProof({ ...evidence, badgeUrl: evidence.badgeUrl.replace(base, publicBase) })
}

const toldOf = (error: unknown): string[] => [error instanceof Error ? `${error.message} (${error.cause ?? 'no cause'})` : String(error)]

/** One flow after the other in three lanes, while every five seconds `restart` has its turn. Answers what each flow lacked, and what the restarts told. */
export const flowsWhile = async <Told>(place: Place, rounds: number, restart: (round: number) => Promise<Told[]>) => {
  const told: Told[] = []
  const flows: string[][] = []
  let restarting = true
  const lanes = Array.from({ length: FLOWS_AT_ONCE }, async () => {
    while (restarting) flows.push(await demoFlow(place).catch(toldOf))
  })
  const turns = async (): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      const began = performance.now()
      told.push(...(await restart(round)))
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, EVERY_MS - (performance.now() - began))))
    }
  }
  await turns().finally(() => {
    restarting = false
  })
  await Promise.all(lanes)
  return { flows, told }
}

/** How a service that was asked to end did so, and whether another process came in its place. */
export interface Restart {
  name: string
  /** `in order and in time`, or what it was instead. */
  ended: string
  isAnother: boolean
}

interface Restartable {
  pid(): number
  stop(): Promise<Ending>
  start(): Promise<void>
}

/**
 * Supervisors send SIGKILL after 10 s. An API closes its connections after 6.5 s and a worker ends its steps after 8 s (docs/limits.md);
 * the rest is for a machine that is busy.
 */
const ENDS_MS = 9_500

/** Ends by itself, with 0, within its time: what is asked of whoever hears SIGTERM. */
const wordOf = ({ code, signal, tookMs }: Ending): string =>
  code === 0 && signal === null && tookMs < ENDS_MS ? 'in order and in time' : `${signal ?? `code ${code}`} after ${Math.round(tookMs)} ms`

/** Asks a service to end, starts it again, and tells how that went. */
export const restart = async (name: string, one: Restartable): Promise<Restart> => {
  const before = one.pid()
  const ended = wordOf(await one.stop())
  await one.start()
  return { name, ended, isAnother: one.pid() !== before }
}
