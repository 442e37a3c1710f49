import type { ChainView } from '../../../local/demo/chain.ts'
import { missingProof } from '../../../local/demo/proof.ts'
import { createReport } from '../../../local/demo/report.ts'
import { starterFlow } from '../../../local/demo/starter-flow.ts'
import { createWorker } from '../../../local/demo/worker.ts'
import type { ChainFile } from '../../../schemas/chain/chain-file.ts'
import { eventually } from '../../support/eventually.ts'
import type { Ending } from '../../support/fleet/fleet.ts'
import type { Agent } from './http.ts'
import { createJob } from './jobs.ts'

const FLOWS_AT_ONCE = 3

interface Place {
  base: string
  /** Base of the addresses in badges, when it is another one. */
  publicBase?: string
  admin: Agent
  chain: ChainView
  asset: ChainFile['asset']
}

/** Runs the flow of the demo without its report. Returns what the chain lacks of it. */
export const demoFlow = async ({ base, publicBase = base, admin, chain, asset }: Place): Promise<string[]> => {
  await createJob({ admin }, { onboardingWaiverEligible: true, rewardAmount: 0.2 })
  // A failed request ends the flow: none may fail while processes are replaced.
  const worker = createWorker(base, 0)
  const evidence = await starterFlow({ base, chain, report: createReport(() => undefined), asset }, worker)
  return missingProof({ ...evidence, badgeUrl: evidence.badgeUrl.replace(base, publicBase) })
}

const describeError = (error: unknown): string[] => [
  error instanceof Error ? `${error.message} (${error.cause ?? 'no cause'})` : String(error),
]

/** Runs three flows at a time, and `restart` whenever another flow has ended. Returns what each flow lacked, and the results of the restarts. */
export const flowsWhile = async <Result>(place: Place, rounds: number, restart: (round: number) => Promise<Result[]>) => {
  const restarts: Result[] = []
  const flows: string[][] = []
  let restarting = true
  const runners = Array.from({ length: FLOWS_AT_ONCE }, async () => {
    while (restarting) flows.push(await demoFlow(place).catch(describeError))
  })
  const turns = async (): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      restarts.push(...(await restart(round)))
      const before = flows.length
      await eventually('another flow ends', () => flows.length > before)
    }
  }
  await turns().finally(() => {
    restarting = false
  })
  await Promise.all(runners)
  return { flows, restarts }
}

/** How a service ended, and whether another process replaced it. */
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

/** A service that receives SIGTERM ends by itself, with 0, before the SIGKILL that its supervisor sends after ten seconds. */
const describeEnding = ({ code, signal, tookMs }: Ending): string =>
  code === 0 && signal === null ? 'in order and in time' : `${signal ?? `code ${code}`} after ${Math.round(tookMs)} ms`

/** Stops a service and starts it again. */
export const restart = async (name: string, one: Restartable): Promise<Restart> => {
  const before = one.pid()
  const ended = describeEnding(await one.stop())
  await one.start()
  return { name, ended, isAnother: one.pid() !== before }
}
