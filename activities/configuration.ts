import { readFileSync } from 'node:fs'
import type { z } from 'zod'
// No process that reads settings starts with a profile that was changed under its version: API, worker and runner load this at once.
import '../domain/paid-verification/profiles.ts'
import { type ChainFile, readChainFile } from '../schemas/chain/chain-file.ts'
import { databaseSsl } from '../schemas/database-url.ts'
import { sentenceOf } from '../schemas/operations/field-errors.ts'
import { type Environment, KEY_NAMES, parseSettings, Settings } from '../schemas/settings.ts'
import { SettingsError } from '../schemas/settings-error.ts'
import { fingerprintOf } from './common/document-signing.ts'
import { readPaymentTerms } from './paid-verification/payment/chain.ts'
import { type EngineConnection, type EngineSettings, readEngineConnection } from './temporal/connection.ts'

/** Keys of the roles on the chain of the contracts. */
const CHAIN_KEYS = ['OPERATOR_KEY', 'VERIFIER_KEY', 'ARBITRATOR_KEY', 'CREDIT_OPERATOR_KEY'] as const

const webhookKeys = (values: Environment): string[] => (values.WEBHOOKS === 'true' ? ['WEBHOOK_SECRETS'] : [])
const tokenKeys = (values: Environment): string[] => (values.JWT_ALGORITHM === 'HS256' ? ['JWT_SECRETS'] : ['JWT_KEY'])

/** Settings without a default that a process needs. */
const REQUIRED = {
  api: (values: Environment) => [...tokenKeys(values), 'SHARE_SECRET', 'ANSWER_SECRET', ...webhookKeys(values)],
  worker: (values: Environment) => ['RECEIPT_KEY', 'OPERATOR_KEY', 'ANSWER_SECRET', ...webhookKeys(values)],
  nonce: () => [],
  audit: () => ['RECEIPT_KEY'],
  keys: () => [],
  recover: () => [],
} as const satisfies Record<string, (values: Environment) => string[]>

/** What the settings alone determine. */
export interface Configuration {
  settings: Settings
  chain: ChainFile
  engine: EngineConnection
}

/** Runs a check; its problems are added to `problems`. */
const attempt = <T>(problems: string[], check: () => T): T | null => {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    problems.push(...error.problems)
    return null
  }
}

const isNamedIn = (problems: readonly string[], name: string): boolean =>
  problems.some((problem) => problem.startsWith(`${name}:`) || problem.startsWith(`${name}_FILE:`))

const assertPinned = (values: Environment, name: 'JWT_KEY' | 'RECEIPT_KEY'): void => {
  const { [name]: pem, [`${name}_FINGERPRINT`]: pinned } = values
  if (pem === undefined || pinned === undefined || fingerprintOf(pem) === pinned.toLowerCase()) return
  throw new SettingsError([`${name}_FINGERPRINT: is not the fingerprint of ${name}`])
}

const hasShortSecret = (secrets = ''): boolean => secrets.split(',').some((secret) => secret.trim() !== '' && secret.trim().length < 32)

const assertSecrets = ({ JWT_ALGORITHM, JWT_SECRETS, WEBHOOKS, WEBHOOK_SECRETS }: Environment): void => {
  const short = [
    ...(JWT_ALGORITHM === 'HS256' && hasShortSecret(JWT_SECRETS) ? ['JWT_SECRETS'] : []),
    ...(WEBHOOKS === 'true' && hasShortSecret(WEBHOOK_SECRETS) ? ['WEBHOOK_SECRETS'] : []),
  ]
  if (short.length > 0) throw new SettingsError(short.map((name) => `${name}: each secret must have at least 32 characters`))
}

/** Throws if another secret has the value of this one as well: a leak of one must move nothing in the others. */
const assertOwnSecret = (values: Environment, own: 'SHARE_SECRET' | 'ANSWER_SECRET'): void => {
  const { [own]: secret, JWT_SECRETS = '' } = values
  if (secret === undefined) return
  const others = KEY_NAMES.filter((name) => name !== own && values[name] === secret)
  const tokens = JWT_SECRETS.split(',').some((other) => other.trim() === secret) ? ['JWT_SECRETS'] : []
  const [same] = [...others, ...tokens]
  if (same !== undefined) throw new SettingsError([`${own}: must differ from ${same}`])
}

/** Throws if the settler's key has another role too: its nonces would be those of two chains, and a leak of one role would move the money of both. */
const assertOwnSettler = ({ SETTLER_KEY: key, ...values }: Environment): void => {
  if (key === undefined) return
  const same = CHAIN_KEYS.find((name) => values[name]?.toLowerCase() === key.toLowerCase())
  if (same !== undefined) throw new SettingsError([`SETTLER_KEY: must differ from ${same}`])
}

/** Whether an amount in whole units is one of the asset. */
const isExpressible = (units: number, decimals: number): boolean => Number.isInteger(Number(`${units}e${decimals}`))

/** Throws for postings whose bounds contradict each other, or whose escrow gives no open job back. */
const assertPostings = (settings: Settings, { contracts, asset }: ChainFile): void => {
  const { EXTERNAL_POSTING_MODE: mode, EXTERNAL_POSTING_MIN_REWARD_USDC: least, EXTERNAL_POSTING_MAX_REWARD_USDC: most } = settings
  const live = contracts.escrow.generations.find((generation) => generation.mode === 'live')
  const tooFine = (
    [
      ['MIN', least],
      ['MAX', most],
    ] as const
  ).filter(([, units]) => !isExpressible(units, asset.decimals))
  const problems = [
    ...(most < least ? ['EXTERNAL_POSTING_MAX_REWARD_USDC: must not be below EXTERNAL_POSTING_MIN_REWARD_USDC'] : []),
    ...tooFine.map(([side]) => `EXTERNAL_POSTING_${side}_REWARD_USDC: must have at most ${asset.decimals} decimal places`),
    ...(mode !== 'closed' && (live?.version ?? 0) < 3 ? ['EXTERNAL_POSTING_MODE: needs a live escrow of version 3'] : []),
  ]
  if (problems.length > 0) throw new SettingsError(problems)
}

/** Reads everything that a process learns from its environment. Throws one `SettingsError` that names every bad setting. */
export const readConfiguration = (env: Environment, process: keyof typeof REQUIRED): Configuration => {
  const { settings, problems, values } = parseSettings(env)
  for (const name of REQUIRED[process](values))
    if (values[name] === undefined && !isNamedIn(problems, name)) problems.push(`${name}: is required`)
  const { CHAIN_FILE: chainFile } = values
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'] as const) {
    const { [name]: databaseUrl } = values
    if (databaseUrl !== undefined) attempt(problems, () => databaseSsl(databaseUrl, name))
  }
  const chain = chainFile === undefined ? null : attempt(problems, () => readChainFile(chainFile))
  const engine = attempt(problems, () => readEngineConnection(values as EngineSettings))
  for (const name of ['JWT_KEY', 'RECEIPT_KEY'] as const)
    if (!isNamedIn(problems, name)) attempt(problems, () => assertPinned(values, name))
  attempt(problems, () => assertSecrets(values))
  for (const name of ['SHARE_SECRET', 'ANSWER_SECRET'] as const) attempt(problems, () => assertOwnSecret(values, name))
  attempt(problems, () => assertOwnSettler(values))
  if (settings !== null && chain !== null) attempt(problems, () => assertPostings(settings, chain))
  if (settings !== null) attempt(problems, () => readPaymentTerms(settings))
  if (settings !== null && settings.WORKER_DEPLOYMENT !== undefined && settings.BUILD_ID === undefined)
    problems.push('BUILD_ID: is required with WORKER_DEPLOYMENT')
  if (problems.length > 0 || settings === null || chain === null || engine === null) throw new SettingsError(problems)
  return { settings, chain, engine }
}

const readSecretFile = (name: string, path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    throw new SettingsError([`${name}: the file cannot be read`])
  }
}

const RUNNER_SETTINGS = Settings.pick({
  HOST: true,
  LOG_LEVEL: true,
  RUNNER_HEALTH_PORT: true,
  RUNNER_BUBBLEWRAP: true,
  LOCAL_CALLER_HOSTS: true,
  PAYLOAD_KEYS: true,
})
/** Secrets that a runner needs: those of its connection to the workflow engine. */
const RUNNER_SECRETS = ['TEMPORAL_API_KEY', 'PAYLOAD_KEYS'] as const
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/
/** Whether a host, with or without a port, is this machine. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(host)

/**
 * Reads what a runner learns from its environment. It runs programs of strangers: a key, a secret or a database in its environment stops the
 * start, and so does a caller's host beyond this machine. Throws one `SettingsError` that names every bad setting.
 */
export const readRunnerConfiguration = (env: Environment): { settings: z.output<typeof RUNNER_SETTINGS>; engine: EngineConnection } => {
  const values = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const problems = [...KEY_NAMES.flatMap((name) => [name, `${name}_FILE`]), 'JWT_SECRETS']
    .filter((name) => values[name] !== undefined && !RUNNER_SECRETS.some((secret) => secret === name.replace(/_FILE$/, '')))
    .map((name) => `${name}: a runner must not have it`)
  for (const name of RUNNER_SECRETS) {
    const file = values[`${name}_FILE`]
    if (file !== undefined && values[name] === undefined)
      attempt(problems, () => {
        values[name] = readSecretFile(`${name}_FILE`, file)
      })
  }
  const parsed = RUNNER_SETTINGS.safeParse(values, { error: sentenceOf })
  problems.push(...(parsed.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []))
  const outside = parsed.data?.LOCAL_CALLER_HOSTS.filter((host) => !isLoopbackHost(host)) ?? []
  problems.push(...outside.map((host) => `LOCAL_CALLER_HOSTS: ${host} is no address of this machine`))
  const engine = attempt(problems, () => readEngineConnection(values as EngineSettings))
  if (problems.length > 0 || !parsed.success || engine === null) throw new SettingsError(problems)
  return { settings: parsed.data, engine }
}

const VERSION_SETTINGS = Settings.pick({ WORKFLOW_BUNDLE: true, WORKER_DEPLOYMENT: true, BUILD_ID: true, PAYLOAD_KEYS: true })

/** Reads what a command learns that compares a build with the processes that run: no key and no database. Throws one `SettingsError`. */
export const readVersionConfiguration = (env: Environment): { settings: z.output<typeof VERSION_SETTINGS>; engine: EngineConnection } => {
  const { values, problems: all } = parseSettings(env)
  const problems = all.filter((problem) => /^(?:TEMPORAL|PAYLOAD|WORKER_DEPLOYMENT)/.test(problem))
  const parsed = VERSION_SETTINGS.safeParse(values)
  const engine = attempt(problems, () => readEngineConnection(values as EngineSettings))
  if (problems.length > 0 || !parsed.success || engine === null) throw new SettingsError(problems)
  return { settings: parsed.data, engine }
}

/** Throws for what is configured and serves the local chain only. */
export const assertLocalSettings = (
  { AUTH_MODE, LOCAL_CALLER_HOSTS }: Pick<Settings, 'AUTH_MODE' | 'LOCAL_CALLER_HOSTS'>,
  isLocal: boolean,
): void => {
  if (isLocal) return
  const refused = [
    ...(AUTH_MODE === 'permissive' ? ['AUTH_MODE: permissive'] : []),
    ...(LOCAL_CALLER_HOSTS.length > 0 ? ['LOCAL_CALLER_HOSTS:'] : []),
  ]
  if (refused.length > 0) throw new SettingsError(refused.map((name) => `${name} is refused, because the chain is not the local one`))
}
