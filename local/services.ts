import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LANE_LIMITS } from '../activities/catalogue/writes.ts'
import { RATE_BUCKETS } from '../schemas/http/rate-buckets.ts'
import { codehostSettings } from './codehost.ts'
import { type StateFiles, tail } from './files.ts'
import { localKeys } from './keys.ts'
import type { Child, Processes } from './processes.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const READY_MS = 60_000
const WIDE = 1_000_000
const WIDE_RAW = '1000000000000000'

const each = <Value>(names: string[], value: Value): string => JSON.stringify(Object.fromEntries(names.map((name) => [name, value])))

/** Wide limits for the local stack: seeding and benchmarks must not reach limits that protect real money. */
const wideLimits = () => ({
  RATE_LIMITS: each(Object.keys(RATE_BUCKETS), { limit: WIDE, windowSeconds: 60 }),
  CATALOGUE_LANES: each(Object.keys(LANE_LIMITS), { dailyRaw: WIDE_RAW, backlog: WIDE }),
  WORKER_OPEN_EXPOSURE_CAP_RAW: WIDE_RAW,
  WORKER_DAILY_EXPOSURE_BUDGET_RAW: WIDE_RAW,
  WORKER_LIFETIME_CATALOGUE_CREDIT_RAW: WIDE_RAW,
  WORKER_CATALOGUE_GLOBAL_DAILY_BUDGET_RAW: WIDE_RAW,
  ONBOARDING_SUBSIDY_DAILY_BUDGET_RAW: WIDE_RAW,
  OPEN_METRICS: 'true',
})

export type ServiceRequest = {
  processes: Processes
  files: StateFiles
  port: number
  /** Port of the worker's metrics. */
  metricsPort: number
  databaseUrl: string
  temporalAddress: string
  /** Base address of the code host's API; without one no pull request is read. */
  codehostUrl?: string
  /** Settings that override the local ones. */
  env: Record<string, string>
  bundle: string | undefined
}

/** Settings of API and worker on the local stack. */
export const serviceSettings = ({
  files,
  port,
  metricsPort,
  databaseUrl,
  temporalAddress,
  codehostUrl,
  env,
  bundle,
}: Omit<ServiceRequest, 'processes'>): Record<string, string> => {
  const keys = localKeys()
  return {
    NODE_ENV: 'development',
    PORT: String(port),
    HOST: '127.0.0.1',
    WORKER_METRICS_PORT: String(metricsPort),
    PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
    AUTH_DOMAIN: `127.0.0.1:${port}`,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    CHAIN_FILE: files.chainFile,
    CLOCK_OFFSET_FILE: files.clockOffset,
    JWT_KEY_FILE: files.jwtKey,
    RECEIPT_KEY_FILE: files.receiptKey,
    OPERATOR_KEY: keys.operator.privateKey,
    VERIFIER_KEY: keys.verifier.privateKey,
    ARBITRATOR_KEY: keys.arbitrator.privateKey,
    ADMIN_WALLETS: keys.admin.address,
    VERIFIER_WALLETS: keys.verifier.address,
    ARBITRATOR_WALLETS: keys.arbitrator.address,
    ...(codehostUrl === undefined ? {} : codehostSettings(codehostUrl)),
    ...wideLimits(),
    ...(bundle ? { WORKFLOW_BUNDLE: bundle } : {}),
    ...env,
  }
}

/** Settings of Node: a compile cache, which halves the work of the next start, and small young generations, which save 200 MB of memory. */
export const nodeSettings = ({ cache }: Pick<StateFiles, 'cache'>): Record<string, string> => ({
  NODE_COMPILE_CACHE: join(cache, 'compiled'),
  NODE_OPTIONS: '--max-semi-space-size=4',
})

/** The same as lines for a shell or `node --env-file`. No value of the local stack holds a single quote. */
export const envLines = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('')

const answers = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

const untilHealthy = async (api: string, children: Child[]): Promise<void> => {
  const until = Date.now() + READY_MS
  for (const path of ['/health/live', '/health'])
    while (!(await answers(`${api}${path}`))) {
      const dead = children.find((child) => child.hasExited())
      if (dead) throw new Error(`${dead.name} ended while starting:\n${tail(dead.logFile)}`)
      if (Date.now() > until)
        throw new Error(
          `${api}${path} is not healthy after ${READY_MS / 1000} s:\n${children.map((child) => tail(child.logFile)).join('\n')}`,
        )
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
}

/** Starts worker and API and waits until the API reports itself healthy. */
export const startServices = async (request: ServiceRequest): Promise<string> => {
  const { PATH, HOME, TZ, NODE_EXTRA_CA_CERTS } = process.env
  const inherited = Object.fromEntries(Object.entries({ PATH, HOME, TZ, NODE_EXTRA_CA_CERTS }).filter(([, value]) => value !== undefined))
  const env = { ...inherited, ...nodeSettings(request.files), ...serviceSettings(request) }
  const start = (name: string, script: string) =>
    request.processes.start({ name, command: process.execPath, args: [`${ROOT}${script}`], cwd: ROOT, env })
  const children = await Promise.all([start('worker', 'workers/worker.ts'), start('api', 'api/main.ts')])
  const api = `http://127.0.0.1:${request.port}`
  await untilHealthy(api, children)
  return api
}
