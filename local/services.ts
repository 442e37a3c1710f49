import { join } from 'node:path'
import { LANE_LIMITS } from '../activities/catalogue/lanes.ts'
import { isLoopbackHost } from '../activities/configuration.ts'
import { list } from '../schemas/common/setting-parsers.ts'
import { RATE_BUCKETS } from '../schemas/http/rate-buckets.ts'
import { codehostSettings } from './codehost/start.ts'
import { ROOT, type StateFiles } from './files.ts'
import { localKeys } from './keys.ts'
import { type Processes, untilReady } from './processes.ts'
import { sourceSettings } from './sources/server.ts'
import type { Supervise } from './supervisor.ts'

const READY_MS = 60_000
const WIDE = 1_000_000
const WIDE_RAW = '1000000000000000'

const each = <Value>(names: string[], value: Value): string => JSON.stringify(Object.fromEntries(names.map((name) => [name, value])))

/** Wide limits for the local stack: seeding and benchmarks must not reach limits that protect real money. */
const wideLimits = () => ({
  RATE_LIMITS: each(Object.keys(RATE_BUCKETS), { limit: WIDE, windowSeconds: 60 }),
  OPEN_WAITS_PER_WALLET: String(WIDE),
  OPEN_WAITS_PER_ADDRESS: String(WIDE),
  EVENT_STREAMS_PER_ADDRESS: String(WIDE),
  CATALOGUE_LANES: each(Object.keys(LANE_LIMITS), { dailyRaw: WIDE_RAW, backlog: WIDE }),
  WORKER_OPEN_EXPOSURE_CAP_RAW: WIDE_RAW,
  WORKER_DAILY_EXPOSURE_BUDGET_RAW: WIDE_RAW,
  WORKER_LIFETIME_CATALOGUE_CREDIT_RAW: WIDE_RAW,
  WORKER_CATALOGUE_GLOBAL_DAILY_BUDGET_RAW: WIDE_RAW,
  ONBOARDING_SUBSIDY_DAILY_BUDGET_RAW: WIDE_RAW,
  OPEN_METRICS: 'true',
})

/** A head start on the dearest seeds only: demos and tests claim the others at once. */
export const PRIORITY = { DEPOSIT_CLAIM_PRIORITY_ENABLED: 'true', PRIORITY_MIN_REWARD_RAW: '2000000' }

/** Products that are off by default, on for the local stack. */
const SAVINGS_PRODUCTS = {
  LOCKED_TIERS_ENABLED: 'true',
  NON_YIELD_TIER_PERKS_ENABLED: 'true',
  IDLE_BALANCE_ALLOCATION_ROUTE_LIVE: 'true',
  // Enough for the activation gate to open once the cohort locks its minimum.
  LOCKED_TIER_VENUE_RATE: JSON.stringify({
    principalRaw: '10000000',
    yieldRaw: '10000',
    elapsedSeconds: '86400',
    evidence: 'invented for the local stack',
    approved: true,
  }),
}

/** Wallets post jobs of their own on the local stack alone, unless an operator opens it. */
const POSTINGS = { EXTERNAL_POSTING_MODE: 'open' }

/** Webhooks are off by default; the secret of the local stack protects nothing. */
const WEBHOOKS = { WEBHOOKS: 'true', WEBHOOK_SECRETS: 'webhook-secret-of-the-local-stack-only' }

export type SettingsRequest = {
  files: StateFiles
  port: number
  /** Port of the worker's metrics. */
  metricsPort: number
  databaseUrl: string
  temporalAddress: string
  /** Base address of the code host's API; without one no pull request is read. */
  codehostUrl?: string
  /** Address of the local sources of work; without one the real ones are read. */
  sourcesUrl?: string
  /** Address of the console, which documents name; without one they name none. */
  consoleUrl?: string
  /** Settings that override the local ones. */
  env: Record<string, string>
  bundle: string | undefined
}

/** Settings of API and worker on the local stack. */
export const serviceSettings = ({ files, port, metricsPort, env, bundle, ...servers }: SettingsRequest): Record<string, string> => {
  const keys = localKeys()
  return {
    NODE_ENV: 'development',
    PORT: String(port),
    HOST: '127.0.0.1',
    WORKER_METRICS_PORT: String(metricsPort),
    PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
    AUTH_DOMAIN: `127.0.0.1:${port}`,
    ...(servers.consoleUrl === undefined ? {} : { APP_URL: servers.consoleUrl }),
    DATABASE_URL: servers.databaseUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    CHAIN_FILE: files.chainFile,
    // Verification is paid on the same chain, to the treasury of its contracts.
    VERIFICATION_CHAIN_FILE: files.chainFile,
    VERIFICATION_PAY_TO: keys.treasury.address,
    CLOCK_OFFSET_FILE: files.clockOffset,
    JWT_KEY_FILE: files.jwtKey,
    RECEIPT_KEY_FILE: files.receiptKey,
    SHARE_SECRET_FILE: files.shareSecret,
    ANSWER_SECRET_FILE: files.answerSecret,
    VERIFICATION_SECRET_FILE: files.verificationSecret,
    OPERATOR_KEY: keys.operator.privateKey,
    VERIFIER_KEY: keys.verifier.privateKey,
    ARBITRATOR_KEY: keys.arbitrator.privateKey,
    CREDIT_OPERATOR_KEY: keys.creditOperator.privateKey,
    SETTLER_KEY: keys.settler.privateKey,
    // The person who runs the stack; an operator names a contact of their own.
    SECURITY_CONTACT: 'mailto:root@localhost',
    ADMIN_WALLETS: keys.admin.address,
    VERIFIER_WALLETS: keys.verifier.address,
    ARBITRATOR_WALLETS: keys.arbitrator.address,
    ...(servers.codehostUrl === undefined ? {} : codehostSettings(servers.codehostUrl)),
    ...(servers.sourcesUrl === undefined ? {} : sourceSettings(servers.sourcesUrl)),
    ...wideLimits(),
    ...PRIORITY,
    ...SAVINGS_PRODUCTS,
    ...POSTINGS,
    ...WEBHOOKS,
    ...(bundle ? { WORKFLOW_BUNDLE: bundle } : {}),
    ...env,
  }
}

/**
 * Settings of Node: a compile cache, which halves the work of the next start; small young generations, which save 150 MB and more; two heaps
 * of native memory, which save 25 MB.
 */
export const nodeSettings = ({ cache }: Pick<StateFiles, 'cache'>): Record<string, string> => ({
  NODE_COMPILE_CACHE: join(cache, 'compiled'),
  NODE_OPTIONS: '--max-semi-space-size=4',
  MALLOC_ARENA_MAX: '2',
})

/** The same as lines for a shell or `node --env-file`. No value of the local stack holds a single quote. */
export const envLines = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('')

/** Whether an address answers well. */
export const answers = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

/** Settings of the runner: how it reaches the engine, and the hosts of this machine that callers may name. It gets no key and no database. */
export const runnerSettings = (settings: Readonly<Record<string, string>>): Record<string, string> => {
  const hosts = list(settings.LOCAL_CALLER_HOSTS ?? '').filter(isLoopbackHost)
  const taken = Object.entries(settings).filter(([name]) =>
    /^TEMPORAL_|^(?:LOG_LEVEL|NODE_ENV|HOST|RUNNER_BUBBLEWRAP|NODE_EXTRA_CA_CERTS|PAYLOAD_KEYS)$/.test(name),
  )
  return { ...Object.fromEntries(taken), RUNNER_HEALTH_PORT: '0', LOCAL_CALLER_HOSTS: hosts.join(',') }
}

/** Where the console of a stack stands, and what it reaches. */
export type ConsoleAddresses = {
  port: number
  /** Base addresses; an external workflow engine has none. */
  urls: { console: string; api: string; temporalUi: string | undefined }
  /** The server of the stack's time, with its secret. */
  time: { url: string; secret: string }
}

/** Settings of the console: the addresses that it reaches and shows. It gets no key and no database. */
export const consoleSettings = (
  settings: Readonly<Record<string, string>>,
  { port, urls, time }: ConsoleAddresses,
): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(settings).filter(([name]) => /^(?:LOG_LEVEL|NODE_ENV|HOST)$/.test(name))),
  CONSOLE_PORT: String(port),
  CONSOLE_URL: urls.console,
  CONSOLE_API_URL: urls.api,
  ...(urls.temporalUi === undefined ? {} : { TEMPORAL_UI_URL: urls.temporalUi }),
  LOCAL_TIME_URL: time.url,
  LOCAL_TIME_SECRET: time.secret,
})

export type ServicesRequest = {
  /** Base addresses. */
  urls: { api: string; console: string }
  /** Settings of API and worker. */
  settings: Record<string, string>
  /** Settings of the console. */
  consoleSettings: Record<string, string>
}

/** Starts runner, worker, API and console with their settings and waits until the API reports itself healthy and the console answers. */
export const startServices = async (
  { processes, files, supervise }: { processes: Processes; files: StateFiles; supervise: Supervise },
  { urls, settings, consoleSettings: shown }: ServicesRequest,
): Promise<void> => {
  const { PATH, HOME, TZ, NODE_EXTRA_CA_CERTS } = process.env
  const base = { PATH, HOME, TZ, NODE_EXTRA_CA_CERTS, ...nodeSettings(files) }
  const start = (name: string, script: string, own: Record<string, string>) => () =>
    processes.start({ name, command: process.execPath, args: [`${ROOT}${script}`], cwd: ROOT, env: { ...base, ...own } })
  const parts = {
    worker: start('worker', 'workers/worker.ts', settings),
    api: start('api', 'api/main.ts', settings),
    runner: start('runner', 'workers/runner.ts', runnerSettings(settings)),
    console: start('console', 'console/main.ts', shown),
  }
  const children = await Promise.all(Object.values(parts).map((part) => part()))
  const isApiReady = async () => (await answers(`${urls.api}/health/live`)) && (await answers(`${urls.api}/health`))
  await untilReady(children, async () => (await isApiReady()) && (await answers(`${urls.console}/health/live`)), READY_MS)
  for (const [name, part] of Object.entries(parts)) supervise(name, part)
}
