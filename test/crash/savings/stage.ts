// Where the savings processes are played: a crash world with money for wallets, requests to another chain and a later day.
import { type Hex, toHex } from 'viem'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { deposit } from '../../e2e/support/jobs.ts'
import { serviceNow } from '../../e2e/support/time.ts'
import { createPatientAgent, type PatientAgent } from '../acts/agent.ts'
import type { CrashWorld } from '../crash-world.ts'
import { createTurns } from '../turns.ts'
import { createRequestScript, type RequestScript } from './request-script.ts'

const WAIT_MS = 240_000
const LOOK_MS = 200
/** All terms are over by then: the longest is that of a consent, 90 days. */
const LATER_MS = 91 * 86_400_000
/** Longer than a process waits before it reads the clock again. */
const READ_AGAIN_MS = 25 * 3_600_000
/** Native coin of the operator, for the gas grants. */
const OPERATOR_COIN = 10n ** 20n

/** Waits until `read` answers. */
export const waitFor = async <T>(what: string, read: () => Promise<T | null | undefined | false>): Promise<T> => {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await new Promise((done) => setTimeout(done, LOOK_MS))) {
    const found = await read()
    if (found !== null && found !== undefined && found !== false) return found
  }
  throw new Error(`not reached in time: ${what}`)
}

/** How a request is sent: its idempotency key, and the code of the refusal that it has to be answered with. */
interface Sending {
  key?: string
  refusal?: string
}

/** Sends a request until its answer is final, and throws unless it is carried out, or refused with the code that is wanted. */
export const post = async (agent: PatientAgent, path: string, body: object, { key, refusal }: Sending = {}): Promise<Reply['body']> => {
  const init = { body, ...(key !== undefined && { headers: { 'idempotency-key': key } }) }
  const reply = await agent.call(path, init, refusal === undefined ? [] : [refusal])
  if (refusal === undefined ? ![200, 201].includes(reply.status) : reply.body.code !== refusal)
    throw new Error(`${path} is answered with ${reply.status}: ${reply.text.slice(0, 500)}`)
  return reply.body
}

const countSent = async ({ database }: CrashWorld): Promise<number> =>
  (await database.rows.selectFrom('chain_transaction').select('intentKey').execute()).length

export type Stages = Awaited<ReturnType<typeof stagesIn>>
export type Stage = ReturnType<Stages['newStage']>['stage']

/** What the savings processes need of a crash world, and the stages on which their lives are played. */
export const stagesIn = async (world: CrashWorld) => {
  const sentEarlier = await countSent(world)
  const deathsEarlier = world.deaths().length
  const inTurn = createTurns()
  const script = createRequestScript(world.chainFile, world.rpcUrl)
  await script.client.request({ method: 'anvil_setBalance', params: [world.operator, toHex(OPERATOR_COIN)] } as never)
  /** Money comes from one key: one payment at a time. */
  const funded = { ...world.view, fund: (wallet: Hex, raw: bigint) => inTurn(() => world.view.fund(wallet, raw)) }
  const patient = (agent: Agent): PatientAgent => createPatientAgent(world, agent, { apiIndex: 0, isRoaming: false })
  const common = {
    ...world,
    view: funded,
    /** Every unexpected death since the stages were opened. */
    deaths: () => world.deaths(deathsEarlier),
    /** Number of transactions that the service has sent since then. */
    sent: async (): Promise<number> => (await countSent(world)) - sentEarlier,
    /** The owner of the policy and the venue; both have one key, so one call at a time. */
    script: <T>(act: (script: RequestScript) => Promise<T>): Promise<T> => inTurn(() => act(script)),
    /** A new wallet with this much in its account. */
    saver: async (raw: bigint): Promise<PatientAgent> => {
      const agent = await world.agent()
      if (raw > 0n) await deposit({ view: funded }, agent, raw)
      return patient(agent)
    },
    operatorPost: (path: string, body: object, sending?: Sending) => post(patient(world.admin), path, body, sending),
    verifierPost: (path: string, body: object) => post(patient(world.verifier), path, body),
  }

  /** The lives of one stage wait before their terms end, and pass to a day on which all have ended when `endTerms` was called. */
  const newStage = () => {
    const later = Promise.withResolvers<number>()
    const now = (): number => serviceNow({ info: { clockOffsetFile: world.files.clockOffset } })
    const passed = later.promise.then(async (instant) => {
      await world.passTo(instant)
      await world.catchUp()
      // A process that read the clock in the moment of the jump set a timer of the old time.
      await world.passTo(instant + READ_AGAIN_MS)
      await world.catchUp()
    })
    passed.catch(() => undefined)
    return {
      stage: { ...common, passTerms: (): Promise<void> => passed },
      endTerms: () => later.resolve(now() + LATER_MS),
    }
  }
  return { world, newStage }
}
