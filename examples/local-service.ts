import { readFileSync } from 'node:fs'

/** File of the stack that `npm start` runs in this checkout. */
const STACK_FILE = new URL('../.local/stack.json', import.meta.url)

export interface LocalStack {
  api: string
  rpcUrl: string
  /** Addresses of the code host and of the sources of work. */
  codehost?: string
  sources?: string
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user runs, too.
    return (error as { code?: string }).code === 'EPERM'
  }
}

/** Addresses of the API and the chain of the stack that runs in this checkout; undefined without one. */
export const findLocalStack = (file: URL = STACK_FILE): LocalStack | undefined => {
  try {
    const { pid, api, rpcUrl, codehost, sources } = JSON.parse(readFileSync(file, 'utf8')) as Partial<LocalStack> & { pid?: number }
    return typeof api === 'string' && typeof rpcUrl === 'string' && pid !== undefined && isRunning(pid)
      ? { api, rpcUrl, ...(codehost !== undefined && { codehost }), ...(sources !== undefined && { sources }) }
      : undefined
  } catch {
    return undefined
  }
}

/** Where the address of a service comes from, for people. */
export interface ChosenService {
  address: string
  origin: string
}

/** The first address that is named, else the stack of this checkout; undefined without both. No address is guessed: another service may listen there. */
export const chooseService = (
  named: readonly (readonly [origin: string, address: string | undefined])[],
  file: URL = STACK_FILE,
): ChosenService | undefined => {
  for (const [origin, address] of named) if (address) return { address, origin }
  const stack = findLocalStack(file)
  return stack && { address: stack.api, origin: 'the stack of this checkout' }
}

/** What to do when no service was found; `setting` names one. */
export const describeNoService = (setting: string): string =>
  `No stack of this checkout runs: start one with npm start, or name a service with ${setting}.`

export const describeService = ({ address, origin }: ChosenService): string => `Service: ${address} (${origin})`

/** Address for an example: that of its variable, or found. Writes it to standard error. Without one it ends the program. */
export const openService = (variable: string, path = ''): string => {
  const found = chooseService([[variable, process.env[variable]]])
  if (found === undefined) {
    console.error(describeNoService(variable))
    process.exit(1)
  }
  const chosen = found.origin === variable ? found : { ...found, address: `${found.address}${path}` }
  console.error(describeService(chosen))
  return chosen.address
}
