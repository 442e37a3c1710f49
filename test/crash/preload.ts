// Loaded first into a service: watches where effects leave the process, and holds the one on which a trap lies.
// Its own address says which folder and which service: `?dir=…&name=…`.
import { createRequire, flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ArmedTrap, createTrapReader, isMarkedUp, isReleased, markPassed, spring, sprungBy } from './trap.ts'

type Method = (this: object, ...given: unknown[]) => unknown

const address = new URL(import.meta.url)
const dir = address.searchParams.get('dir') ?? ''
const service = address.searchParams.get('name') ?? ''

const HELD_MS = 30_000
const LOOK_MS = 5
/** By then all modules are loaded: who is killed cannot leave what was compiled behind at its end. */
const COMPILED_MS = 5_000
const UNAVAILABLE = 14

/** What leaves the process: `name` is the statement, the path or the call of the node, `text` everything that is sent. */
interface Effect {
  on: ArmedTrap['on']
  name: string
  text: string
  atCommit?: boolean
}

const traps = createTrapReader(dir)

let up = false
const isUp = (): boolean => {
  up ||= isMarkedUp(dir, process.pid)
  return up
}

const isHeld = (trap: ArmedTrap): boolean => sprungBy(dir, trap) !== undefined && !isReleased(dir, trap)

/** The trap that lies on an effect; none for a process that is still starting. It marks the trap as passed when another process is held there. */
const trapOn = ({ on, name, text, atCommit = false }: Effect): ArmedTrap | undefined => {
  const found = traps().find(
    (trap) =>
      trap.on === on &&
      service.startsWith(trap.in) &&
      (trap.atCommit ?? false) === atCommit &&
      new RegExp(trap.call, 's').test(name) &&
      trap.of.every((part) => text.includes(part)),
  )
  if (found === undefined || isUp()) return found
  if (found.when === 'before' && isHeld(found)) markPassed(dir, found)
  return undefined
}

/** Holds the effect until others were killed, or this very process. False where the trap sprang elsewhere: what has not left then waits there too. */
const hold = async (trap: ArmedTrap): Promise<boolean> => {
  const isFirst = spring(dir, trap, service)
  if (!isFirst && trap.when === 'after') return false
  for (const end = Date.now() + HELD_MS; !isReleased(dir, trap) && Date.now() < end; ) await sleep(LOOK_MS)
  if (!isReleased(dir, trap)) markPassed(dir, trap)
  return isFirst
}

/** Runs a call under the trap that lies on it; an answer after which others were killed never arrives. */
const underTrap = async <Answer>(trap: ArmedTrap, call: () => Promise<Answer>, lost: () => Error): Promise<Answer> => {
  if (trap.when === 'before') await hold(trap)
  const answer = await call()
  if (trap.when === 'after' && (await hold(trap))) throw lost()
  return answer
}

/** Methods of the class `Client` of a package, the very one that `user` loads. */
const clientOf = (user: string, name: string): Record<string, Method> => {
  const { Client } = createRequire(import.meta.resolve(user))(name) as { Client: { prototype: Record<string, Method> } }
  return Client.prototype
}

const watch = (methods: Record<string, Method>, name: string, around: (original: Method) => Method): void => {
  const original = methods[name]
  if (original === undefined) throw new Error(`nothing to watch under ${name}`)
  methods[name] = around(original)
}

const connectionLost = (): Error => new Error('Connection terminated unexpectedly')

const ENDS = /^(commit|rollback)$/i

const watchDatabase = (): void =>
  watch(clientOf('@mikro-orm/postgresql', 'pg'), 'query', (query) => {
    /** Connections whose open transaction holds the statement that a trap at the commit means. */
    const holding = new WeakMap<object, Effect>()

    const trapAt = (connection: object, statement: string, text: string): ArmedTrap | undefined => {
      const effect: Effect = { on: 'sql', name: statement, text }
      const held = holding.get(connection)
      if (ENDS.test(statement)) holding.delete(connection)
      else if (trapOn({ ...effect, atCommit: true })) holding.set(connection, { ...effect, atCommit: true })
      return trapOn(/^commit$/i.test(statement) && held !== undefined ? held : effect)
    }

    return function (this: object, ...given) {
      const [statement, values] = given
      if (typeof statement !== 'string') return query.apply(this, given)
      const text = [statement, ...(Array.isArray(values) ? values : [])].map(String).join('\n')
      const trap = trapAt(this, statement, text)
      return trap === undefined ? query.apply(this, given) : underTrap(trap, async () => query.apply(this, given), connectionLost)
    }
  })

const dropped = (metadata: unknown): Error =>
  Object.assign(new Error('14 UNAVAILABLE: Connection dropped'), { code: UNAVAILABLE, details: 'Connection dropped', metadata })

interface Cancellable {
  cancel(): void
}

const watchEngine = (): void =>
  watch(clientOf('@temporalio/client', '@grpc/grpc-js'), 'makeUnaryRequest', (call) => {
    return function (this: object, ...given) {
      const [path, , , message, metadata] = given
      const text = message instanceof Uint8Array ? Buffer.from(message).toString('latin1') : ''
      const trap = trapOn({ on: 'engine', name: String(path), text })
      const callback = given.at(-1)
      if (trap === undefined || typeof callback !== 'function') return call.apply(this, given)
      if (trap.when === 'after') {
        const answered = async (error: unknown, ...answer: unknown[]): Promise<unknown> =>
          !error && (await hold(trap)) ? callback(dropped(metadata)) : callback(error, ...answer)
        return call.apply(this, [...given.slice(0, -1), answered])
      }
      let begun: Cancellable | undefined
      let cancelled = false
      void hold(trap).then(() => {
        begun = call.apply(this, given) as Cancellable
        if (cancelled) begun.cancel()
      })
      const cancel = (): void => {
        cancelled = true
        begun?.cancel()
      }
      return { cancel }
    }
  })

const HEADERS = { 'content-type': 'application/json' }
const MINE_NOTHING = { method: 'POST', headers: HEADERS, body: '{"jsonrpc":"2.0","id":1,"method":"evm_setAutomine","params":[false]}' }

const watchChain = (): void => {
  const send = globalThis.fetch
  type Sent = Parameters<typeof fetch>

  /** An answer that is complete before anything happens to the node. */
  const complete = async (...sent: Sent): Promise<Response> => {
    const response = await send(...sent)
    return new Response(await response.text(), { status: response.status, headers: HEADERS })
  }

  /** The node takes the transaction and says so, but it will never mine it. */
  const unmined = async (trap: ArmedTrap, ...sent: Sent): Promise<Response> => {
    await complete(sent[0], MINE_NOTHING)
    const response = await complete(...sent)
    await hold(trap)
    return response
  }

  globalThis.fetch = (...sent) => {
    const body = sent[1]?.body
    if (typeof body !== 'string') return send(...sent)
    const trap = trapOn({ on: 'rpc', name: body, text: body })
    if (trap === undefined) return send(...sent)
    return trap.unmined
      ? unmined(trap, ...sent)
      : underTrap(
          trap,
          () => complete(...sent),
          () => new TypeError('fetch failed'),
        )
  }
}

type Activity = (input: unknown) => Promise<unknown>
interface WorkerOptions {
  activities?: Record<string, Activity>
}

/** Holds an activity before it does anything, or its result or failure before the engine receives it. */
const watchActivities = (): void => {
  const { Worker } = createRequire(import.meta.url)('@temporalio/worker') as {
    Worker: { create(options: WorkerOptions): Promise<unknown> }
  }
  const create = Worker.create.bind(Worker)

  const watched =
    (name: string, run: Activity): Activity =>
    async (input) => {
      const text = JSON.stringify(input)
      const first = trapOn({ on: 'activity', name, text })
      if (first?.when === 'before') await hold(first)
      const [ended] = await Promise.allSettled([run(input)])
      const result = ended.status === 'fulfilled' ? JSON.stringify(ended.value) : String(ended.reason)
      const last = trapOn({ on: 'activity', name, text: `${text}\n${result}` })
      if (last?.when === 'after' && (await hold(last))) throw connectionLost()
      if (ended.status === 'rejected') throw ended.reason
      return ended.value
    }

  Worker.create = ({ activities = {}, ...options }) =>
    create({
      ...options,
      activities: Object.fromEntries(Object.entries(activities).map(([name, run]) => [name, watched(name, run)])),
    })
}

watchDatabase()
watchEngine()
watchChain()
if (service.startsWith('worker')) watchActivities()
setTimeout(flushCompileCache, COMPILED_MS).unref()
