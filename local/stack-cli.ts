import { parseArgs } from 'node:util'
import { keepPrivate, stateFiles } from './files.ts'
import { formatLinks, readRunning } from './info.ts'
import { readOwner } from './ownership.ts'
import { ANY_PORTS, type Ports, USUAL_PORTS } from './ports.ts'
import { endProcess } from './processes.ts'
import { runProgram } from './program.ts'
import { attach, END_MS, onStopSignal, STATE_DIRECTORY, type Stack, startStack } from './stack.ts'

const USAGE = `usage: node local/stack-cli.ts <start|status|stop> [options]

start    starts the local stack, or shows the one that runs; Ctrl-C ends it
status   shows what runs where (--json: as JSON, with the private keys)
stop     ends the stack that runs

  --fresh      start: forget all local state first
  --infra      start: database, Temporal and chain only
  --any-ports  start: any free ports instead of the usual ones
  --dir DIR    where the state lies (default: .local)
  --help       shows this`

const show = (stack: Stack, headline: string): void =>
  console.log(
    `${headline}\n${formatLinks(stack.info)}\n  ${'Details and keys'.padEnd(18)} ${stateFiles(stack.info.logs.replace(/\/logs$/, '')).info}`,
  )

type StartOptions = { dir: string; fresh: boolean; services: boolean; ports: Ports }

const start = async ({ dir, fresh, services, ports }: StartOptions): Promise<number> => {
  const running = await attach(dir)
  if (running) {
    if (fresh) throw new Error('a stack runs: end it before you start with --fresh')
    show(running, 'The stack already runs:')
    return 0
  }
  const began = Date.now()
  const { stopped, signal } = onStopSignal('Ending the stack')
  let stack: Stack
  try {
    stack = await startStack({ dir, fresh, services, ports, signal, say: (line) => console.log(line) })
  } catch (error) {
    if (signal.aborted) return 0
    throw error
  }
  show(stack, `Ready after ${((Date.now() - began) / 1000).toFixed(1)} s. Ctrl-C ends it.`)
  const reason = await Promise.race([stopped, stack.died])
  if (reason !== undefined) console.error(`${reason}\nThe stack stops and keeps its state; npm start continues from it.`)
  await stack.stop()
  return reason === undefined ? 0 : 1
}

const status = (dir: string, json: boolean): number => {
  const files = stateFiles(dir)
  const info = readRunning(files)
  if (info) console.log(json ? JSON.stringify(info, null, 2) : formatLinks(info))
  else console.log(json ? 'null' : readOwner(files.lock) ? 'The stack is starting or ending.' : 'The stack does not run.')
  return info ? 0 : 1
}

const stop = async (dir: string): Promise<number> => {
  const owner = readOwner(stateFiles(dir).lock)
  if (!owner) console.log('The stack does not run.')
  else {
    await endProcess({ ...owner, name: 'the stack', stopSignal: 'SIGTERM' }, END_MS + 500)
    console.log('The stack has ended.')
  }
  return 0
}

const dispatch = (args: string[]): Promise<number> | number => {
  const options = {
    fresh: { type: 'boolean' },
    infra: { type: 'boolean' },
    'any-ports': { type: 'boolean' },
    json: { type: 'boolean' },
    dir: { type: 'string' },
    help: { type: 'boolean' },
  } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const dir = values.dir ?? STATE_DIRECTORY
  switch (values.help ? 'help' : positionals[0]) {
    case 'start':
      return start({ dir, fresh: values.fresh ?? false, services: !values.infra, ports: values['any-ports'] ? ANY_PORTS : USUAL_PORTS })
    case 'status':
      return status(dir, values.json ?? false)
    case 'stop':
      return stop(dir)
    default:
      console.log(USAGE)
      return values.help ? 0 : 2
  }
}

keepPrivate()
process.exit(await runProgram(() => dispatch(process.argv.slice(2))))
