import { z } from 'zod'
import { readIfThere, type StateFiles, stateFiles } from './files.ts'
import { readOwner } from './ownership.ts'

const PrivateKey = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)])

/** Addresses and keys of a running stack: `stack.json`, mode 0600. */
export const StackInfo = z.object({
  /** The process of the stack; all others end with it. */
  pid: z.int(),
  /** Base address of the API and its documentation; missing when only the infrastructure runs. */
  api: z.string().optional(),
  docs: z.string().optional(),
  /** Address of the operators' console; missing when only the infrastructure runs. */
  console: z.string().optional(),
  /** Metrics of the worker; missing when only the infrastructure runs. */
  workerMetrics: z.string().optional(),
  temporalAddress: z.string(),
  /** Missing when `TEMPORAL_ADDRESS` names an external server. */
  temporalUi: z.string().optional(),
  databaseUrl: z.string(),
  rpcUrl: z.string(),
  /** Base address of the fake code host's API. */
  codehost: z.string(),
  /** Address of the local sources of work, each under its name. */
  sources: z.string(),
  /** Address of the host of artefacts, over TLS, and the file of its certificate. */
  artefacts: z.string(),
  artefactsCertificate: z.string(),
  chainFile: z.string(),
  /** Milliseconds that service time is ahead of the wall clock, as one number in a file. */
  clockOffsetFile: z.string(),
  logs: z.string(),
  /** Settings of API and worker as lines `NAME='value'`, mode 0600. */
  serviceEnv: z.string(),
  /** Settings of the console in the same form; missing when only the infrastructure runs. */
  consoleEnv: z.string().optional(),
  /** Private keys of the roles on the local stack. */
  keys: z.object({ admin: PrivateKey, verifier: PrivateKey, arbitrator: PrivateKey, operator: PrivateKey }),
})
export type StackInfo = z.infer<typeof StackInfo>

/** The running stack of a state directory, or undefined when none is ready. */
export const readRunning = (files: StateFiles): StackInfo | undefined => {
  const text = readIfThere(files.info)
  if (text === undefined) return undefined
  const info = StackInfo.parse(JSON.parse(text))
  return readOwner(files.lock)?.pid === info.pid ? info : undefined
}

/** The running stack of a state directory. */
export const getRunning = (dir: string): StackInfo => {
  const info = readRunning(stateFiles(dir))
  if (!info) throw new Error('no local stack runs: npm start')
  return info
}

/** A database address that may be printed and logged. */
const withoutPassword = (databaseUrl: string): string => {
  const url = URL.parse(databaseUrl)
  if (url === null) return 'as DATABASE_URL says'
  if (url.password !== '') url.password = '***'
  if (url.searchParams.has('password')) url.searchParams.set('password', '***')
  return url.href
}

/** Lines for a person at a terminal, without keys and passwords. */
export const formatLinks = (info: StackInfo): string =>
  [
    ['API', info.api],
    ['API documentation', info.docs],
    ['Console', info.console],
    ['Worker metrics', info.workerMetrics],
    ['Temporal UI', info.temporalUi],
    ['Temporal', info.temporalAddress],
    ['Chain (RPC)', info.rpcUrl],
    ['Code host', info.codehost],
    ['Sources of work', info.sources],
    ['Artefacts', info.artefacts],
    ['PostgreSQL', withoutPassword(info.databaseUrl)],
    ['Logs', info.logs],
    ['Service settings', info.serviceEnv],
    ['Console settings', info.consoleEnv],
  ]
    .filter(([, link]) => link !== undefined)
    .map(([name, link]) => `  ${`${name}`.padEnd(18)} ${link}`)
    .join('\n')
