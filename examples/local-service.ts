import { readFileSync } from 'node:fs'

/** File of the stack that `npm start` runs in this checkout. */
const STACK_FILE = new URL('../.local/stack.json', import.meta.url)
const USUAL_ADDRESS = 'http://127.0.0.1:8787'

export interface LocalStack {
  api: string
  rpcUrl: string
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
    const { pid, api, rpcUrl } = JSON.parse(readFileSync(file, 'utf8')) as Partial<LocalStack> & { pid?: number }
    return typeof api === 'string' && typeof rpcUrl === 'string' && pid !== undefined && isRunning(pid) ? { api, rpcUrl } : undefined
  } catch {
    return undefined
  }
}

/** Where the address of a service comes from, for people. */
export interface ChosenService {
  address: string
  origin: string
}

/** The first address that is named, else the stack of this checkout, else the usual address of a local stack. */
export const chooseService = (
  named: readonly (readonly [origin: string, address: string | undefined])[],
  file: URL = STACK_FILE,
): ChosenService => {
  for (const [origin, address] of named) if (address) return { address, origin }
  const stack = findLocalStack(file)
  if (stack !== undefined) return { address: stack.api, origin: 'the stack of this checkout' }
  return { address: USUAL_ADDRESS, origin: 'the usual address of a local stack; no stack of this checkout runs' }
}

export const describeService = ({ address, origin }: ChosenService): string => `Service: ${address} (${origin})`

/** Address for an example: that of its variable, or found. Writes it to standard error. */
export const openService = (variable: string, path = ''): string => {
  const found = chooseService([[variable, process.env[variable]]])
  const chosen = found.origin === variable ? found : { ...found, address: `${found.address}${path}` }
  console.error(describeService(chosen))
  return chosen.address
}
