// Where the savings processes are played: a crash world with money for wallets, requests to another chain and a later day.
import { type Hex, toHex } from 'viem'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { deposit } from '../../e2e/support/jobs.ts'
import { serviceNow } from '../../e2e/support/time.ts'
import { type CrossChainScript, createCrossChainScript } from '../../support/cross-chain.ts'
import { createPatientAgent, type PatientAgent } from '../acts/agent.ts'
import { type CrashWorld, openCrashWorld } from '../crash-world.ts'
import { createTurns } from '../turns.ts'

const WAIT_MS = 120_000
const LOOK_MS = 200
const DAY_MS = 86_400_000
/** All terms are over by then: the longest is that of a consent, 90 days. */
const LATER_DAYS = 91
const OPERATOR_COIN = 10n ** 20n

/** Waits until `read` answers. */
export const waitFor = async <T>(what: string, read: () => Promise<T | null | undefined | false>): Promise<T> => {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await new Promise((done) => setTimeout(done, LOOK_MS))) {
    const found = await read()
    if (found !== null && found !== undefined && found !== false) return found
  }
  throw new Error(`not reached in time: ${what}`)
}

/** Sends a request until its answer is final, and throws unless that has one of these statuses. */
export const post = async (agent: PatientAgent, path: string, body: object, statuses = [200, 201]): Promise<Reply['body']> => {
  const reply = await agent.call(path, { body })
  if (!statuses.includes(reply.status)) throw new Error(`${path} is answered with ${reply.status}: ${reply.text.slice(0, 500)}`)
  return reply.body
}

export type Stage = Awaited<ReturnType<typeof openStage>>['uninterrupted']

/** Opens the world. Both stages are in it; `killed` passes to the later day when `open` was called. */
export const openStage = async () => {
  const world = await openCrashWorld({ apis: 1 })
  try {
    return await stagesIn(world)
  } catch (error) {
    await world.close()
    throw error
  }
}

const stagesIn = async (world: CrashWorld) => {
  const inTurn = createTurns()
  const script: CrossChainScript = createCrossChainScript(world.chainFile, world.rpcUrl)
  await script.client.request({ method: 'anvil_setBalance', params: [world.operator, toHex(OPERATOR_COIN)] } as never)
  const place = { info: { clockOffsetFile: world.files.clockOffset } }
  const open = Promise.withResolvers<void>()
  const [first, second] = [1, 2].map((times) => serviceNow(place) + times * LATER_DAYS * DAY_MS) as [number, number]

  /** Money comes from one key: one payment at a time. */
  const funded = { ...world.view, fund: (wallet: Hex, raw: bigint) => inTurn(() => world.view.fund(wallet, raw)) }
  const patient = (agent: Agent): PatientAgent => createPatientAgent(world, agent, { door: 0, roams: false })
  const stage = {
    ...world,
    view: funded,
    /** The owner of the policy and the venue; both have one key, so one call at a time. */
    script: <T>(act: (script: CrossChainScript) => Promise<T>): Promise<T> => inTurn(() => act(script)),
    /** A new wallet with this much in its account. */
    saver: async (raw: bigint): Promise<PatientAgent> => {
      const agent = await world.agent()
      if (raw > 0n) await deposit({ view: funded }, agent, raw)
      return patient(agent)
    },
    operatorPost: (path: string, body: object) => post(patient(world.admin), path, body),
    now: (): number => serviceNow(place),
  }
  return {
    world,
    uninterrupted: { ...stage, passTerms: () => world.passTo(first) },
    killed: {
      ...stage,
      passTerms: async () => {
        await open.promise
        await world.passTo(second)
      },
    },
    open: open.resolve,
  }
}
