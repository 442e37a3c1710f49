import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { AgentRegistry } from './directory/standards.ts'
import { sentenceOf } from './operations/field-errors.ts'
import { AddressInput } from './operations/values.ts'
import { SettingsError } from './settings-error.ts'

const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
const csv = z.string().default('').transform(list)
const wallets = z.string().toLowerCase().default('').transform(list)
const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((word) => word === 'true')
const raw = (fallback: string) =>
  z
    .string()
    .regex(/^[0-9]+$/)
    .default(fallback)
    .transform((digits) => BigInt(digits))

/** Whole units up to a ceiling, which larger values count as. */
const capped = (ceiling: number) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .default(ceiling)
    .transform((units) => Math.min(units, ceiling))

const digits = z.string().regex(/^[0-9]{1,30}$/, { error: 'must be digits' })
const positiveDigits = digits.refine((text) => /[1-9]/.test(text), { error: 'must be greater than zero' })
const VenueRate = z.strictObject({
  approved: z.literal(true),
  evidence: z.string().regex(/^[\x20-\x7e]{1,500}$/, { error: 'must be 1 to 500 printable ASCII characters' }),
  principalRaw: positiveDigits.transform(BigInt),
  yieldRaw: digits.transform(BigInt),
  elapsedSeconds: positiveDigits.transform(BigInt),
})

const parseJson = (text: string, context: z.core.$RefinementCtx): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON' })
    return z.NEVER
  }
}
const venueRate = z.string().transform(parseJson).pipe(VenueRate).optional()

/** JSON object whose members have one shape. */
const json = <Value extends z.ZodType>(value: Value, key: z.core.$ZodRecordKey = z.string()) =>
  z.string().default('{}').transform(parseJson).pipe(z.record(key, value))

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const isChainKey = (text: string): boolean => /^0x[0-9a-fA-F]{64}$/.test(text) && BigInt(text) > 0n && BigInt(text) < CURVE_ORDER
const chainKey = z.string().refine(isChainKey, { error: 'must be a key of the chain: 0x and 64 hex digits' }).optional()

const isP256Key = (pem: string): boolean => {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}
const signingKey = z.string().refine(isP256Key, { error: 'must be a P-256 private key as PKCS#8 PEM' }).optional()

/** Repositories for which the service lists no work. Source: lifecycle, "Maintainer policy". */
const DENIED_REPOS =
  'bitcoin/bitcoin,ethereum/go-ethereum,openssl/openssl,python/cpython,rust-lang/rust,nodejs/node,golang/go,paritytech/polkadot-sdk,w3c/*,tc39/*'

/** Settings of a process. An unknown `WORKER_*`, `ONBOARDING_*`, `CODEHOST_*` or `MAINTAINER_*` name stops the start. */
export const Settings = z.object({
  NODE_ENV: z.string().default('development'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  PORT: z.coerce.number().int().min(0).max(65535).default(8787),
  HOST: z.string().default('127.0.0.1'),
  /** Public base address of the API, no trailing slash. */
  PUBLIC_BASE_URL: z.url().optional(),
  /** Base address of the operator web app, used in badge links. */
  APP_URL: z.url().optional(),
  BUILD_ID: z.string().default('dev'),
  DATABASE_URL: z.string(),
  DATABASE_POOL: z.coerce.number().int().min(1).default(20),
  /** gRPC address of the workflow engine; without it, and without a profile that names one, 127.0.0.1:7233. */
  TEMPORAL_ADDRESS: z.string().optional(),
  /** `default` unless a profile names another. */
  TEMPORAL_NAMESPACE: z.string().optional(),
  /** API key of a cluster (`TEMPORAL_API_KEY` or `TEMPORAL_API_KEY_FILE`); turns TLS on. */
  TEMPORAL_API_KEY: z.string().optional(),
  TEMPORAL_TLS: z.enum(['true', 'false']).optional(),
  /** Client certificate and key, PEM, as a file or as text. */
  TEMPORAL_TLS_CLIENT_CERT_PATH: z.string().optional(),
  TEMPORAL_TLS_CLIENT_CERT_DATA: z.string().optional(),
  TEMPORAL_TLS_CLIENT_KEY_PATH: z.string().optional(),
  TEMPORAL_TLS_CLIENT_KEY_DATA: z.string().optional(),
  /** Authority that signed the server's certificate; without it those of the system. */
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: z.string().optional(),
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: z.string().optional(),
  /** Name in the server's certificate, if it is not that of the address. */
  TEMPORAL_TLS_SERVER_NAME: z.string().optional(),
  /** Configuration file of the Temporal tools (TOML) and the profile that is read from it. */
  TEMPORAL_CONFIG_FILE: z.string().optional(),
  TEMPORAL_PROFILE: z.string().optional(),
  /** Prebuilt workflow bundle; without it the worker builds one at start. */
  WORKFLOW_BUNDLE: z.string().optional(),
  CHAIN_FILE: z.string(),
  /** Milliseconds added to the wall clock, one number in a file. Honoured on the local chain only (the time machine writes it). */
  CLOCK_OFFSET_FILE: z.string().optional(),

  AUTH_MODE: z.enum(['strict', 'permissive']).default('strict'),
  AUTH_DOMAIN: z.string().default('localhost'),
  AUTH_STATEMENT: z.string().default('Sign in to the agent work service.'),
  AUTH_NONCE_TTL_SECONDS: z.coerce.number().int().min(1).default(300),
  JWT_ALGORITHM: z.enum(['ES256', 'HS256']).default('ES256'),
  JWT_ISSUER: z.string().default('agent-work-service'),
  JWT_AUDIENCE: z.string().default('agent-work-service'),
  JWT_TTL_SECONDS: z.coerce.number().int().min(1).default(86_400),
  /** PKCS#8 PEM of the P-256 access-token key (`JWT_KEY` or `JWT_KEY_FILE`). */
  JWT_KEY: signingKey,
  /** Optional pin: SHA-256 (hex) of the SPKI of JWT_KEY; a difference stops the start. */
  JWT_KEY_FINGERPRINT: z.string().optional(),
  /** Comma list of HS256 secrets, each at least 32 characters; the first signs. */
  JWT_SECRETS: csv,
  /** PKCS#8 PEM of the P-256 badge and receipt key (`RECEIPT_KEY` or `RECEIPT_KEY_FILE`). */
  RECEIPT_KEY: signingKey,
  RECEIPT_KEY_FILE: z.string().optional(),
  RECEIPT_KEY_FINGERPRINT: z.string().optional(),
  /** Secret of the share tokens (`SHARE_SECRET` or `SHARE_SECRET_FILE`); no other secret of the service equals it. */
  SHARE_SECRET: z.string().min(32).optional(),
  ADMIN_WALLETS: wallets,
  VERIFIER_WALLETS: wallets,
  ARBITRATOR_WALLETS: wallets,

  /** Chain keys: 0x + 64 hex (`…_KEY` or `…_KEY_FILE`). */
  OPERATOR_KEY: chainKey,
  VERIFIER_KEY: chainKey,
  ARBITRATOR_KEY: chainKey,
  /** Key of the credit pool's `operator()`, which attests vested principal; used by the API only. */
  CREDIT_OPERATOR_KEY: chainKey,

  CORS_ORIGINS: csv,
  MCP_HOSTS: csv,
  CORS_MAX_AGE_SECONDS: z.coerce.number().int().default(600),
  BODY_LIMIT_BYTES: z.coerce.number().int().default(65_536),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).default(0),
  /** Requests that may wait for a change at a time, in all and from one address. */
  OPEN_WAITS: z.coerce.number().int().min(1).default(5_000),
  OPEN_WAITS_PER_ADDRESS: z.coerce.number().int().min(1).default(200),
  /** Streams of events that a process keeps open, in all and of one wallet. */
  EVENT_STREAMS: z.coerce.number().int().min(1).default(1_000),
  EVENT_STREAMS_PER_WALLET: z.coerce.number().int().min(1).default(20),
  /** Time between two comments of a quiet stream; its token is checked again then. */
  EVENT_PING_SECONDS: z.coerce.number().min(0.1).max(60).default(15),
  /** Days that streams and polls serve events. */
  EVENT_RETENTION_DAYS: z.coerce.number().int().min(1).default(30),
  /** JSON object: own wallet of the operator → {kind, evidence}. The directory names them, so that none counts as independent. */
  OPERATOR_IDENTITIES: json(z.strictObject({ kind: z.string().min(1).max(60), evidence: z.string().max(500).optional() }), AddressInput),
  /** JSON list of {agentId, agentRegistry}: entries of ERC-8004 identity registries that the domain confirms. */
  ERC8004_REGISTRATIONS: z
    .string()
    .default('[]')
    .transform(parseJson)
    .pipe(z.array(z.strictObject({ agentId: z.int().min(0), agentRegistry: AgentRegistry }))),
  /** Webhooks are offered. */
  WEBHOOKS: flag,
  /** Comma list of secrets, each at least 32 characters (`WEBHOOK_SECRETS` or `…_FILE`); the first signs for new endpoints. */
  WEBHOOK_SECRETS: csv,
  METRICS_TOKEN: z.string().optional(),
  /** JSON object: bucket name → {limit, windowSeconds}; overrides the default rate limits. */
  RATE_LIMITS: json(z.object({ limit: z.int().min(1), windowSeconds: z.int().min(1).default(60) })),
  /** Maximum wait of claim and submit for their chain write before they answer 202. */
  CHAIN_WAIT_SECONDS: z.coerce.number().min(1).max(120).default(25),
  /** Age at which an unmined transaction raises an alarm, because it blocks its signer. */
  NONCE_STUCK_SECONDS: z.coerce.number().int().min(1).default(120),
  /** Lag of the records behind the chain that raises an alarm. */
  CHAIN_LAG_SECONDS: z.coerce.number().int().min(1).default(600),
  /** Largest JSON-RPC batch that a process sends. It shrinks by itself when the node refuses one. */
  CHAIN_BATCH_SIZE: z.coerce.number().int().min(1).max(1_000).default(100),
  /** Port of the worker's metrics on HOST; 0 takes any free port, unset disables them. */
  WORKER_METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),

  WORKER_OPEN_EXPOSURE_CAP_RAW: raw('2500000'),
  WORKER_DAILY_EXPOSURE_BUDGET_RAW: raw('1500000'),
  WORKER_LIFETIME_CATALOGUE_CREDIT_RAW: raw('10000000'),
  WORKER_GRADUATION_SETTLED_JOBS: z.coerce.number().int().default(10),
  WORKER_CATALOGUE_GLOBAL_DAILY_BUDGET_RAW: raw('25000000'),
  WORKER_VESTED_OPEN_EXPOSURE_UNIT_RAW: raw('500000'),
  /** Whether larger curated jobs are open to qualifying wallets first. */
  DEPOSIT_CLAIM_PRIORITY_ENABLED: flag,
  /** Length of that head start; longer values count as 1800 s. */
  PRIORITY_WINDOW_SECONDS: z.coerce.number().int().min(1).default(1_800),
  /** Smallest reward of a job with a head start. */
  PRIORITY_MIN_REWARD_RAW: raw('1000000'),
  /** Vested deposit that qualifies a wallet. */
  PRIORITY_DEPOSIT_THRESHOLD_RAW: raw('1000000'),
  /** Locked deposits are offered. */
  LOCKED_TIERS_ENABLED: flag,
  /** Whether the tier t7 and the perks of locks are offered. */
  NON_YIELD_TIER_PERKS_ENABLED: flag,
  /** Caps on active locks of one wallet, and of t30 and t90 together, whole USDC; larger values count as 25 and 1000. */
  LOCKED_TIER_PER_WALLET_CAP_USDC: capped(25),
  LOCKED_TIER_COHORT_CAP_USDC: capped(1_000),
  /** What the cohort must lock before its capital may be placed. */
  LOCKED_TIER_MINIMUM_COHORT_RAW: raw('15000000'),
  /** Cost of one round trip of locked capital to the venue. */
  LOCKED_TIER_CYCLE_FRICTION_RAW: raw('51765'),
  /** Yield that an operator measured: a JSON object of digit strings `principalRaw`, `yieldRaw`, `elapsedSeconds`, with `evidence` and `approved: true`. */
  LOCKED_TIER_VENUE_RATE: venueRate,
  /** Idle-balance allocation is offered. */
  IDLE_BALANCE_ALLOCATION_ROUTE_LIVE: flag,
  /** How long the last reading of a wallet's credit counts while no newer one succeeds. */
  CREDIT_READ_GRACE_MS: z.coerce.number().int().min(0).max(300_000).default(300_000),
  ONBOARDING_SUBSIDY_DAILY_BUDGET_RAW: raw('8000000'),
  ONBOARDING_SUBSIDY_GAS_ESTIMATE_RAW: raw('59000'),
  /** Gas grants in one UTC day. */
  FIRST_WITHDRAWAL_GAS_GRANT_DAILY_CAP: z.coerce.number().int().min(1).default(25),
  /** JSON object: lane → {dailyRaw, backlog}; overrides the catalogue lanes. */
  CATALOGUE_LANES: json(z.object({ dailyRaw: z.string(), backlog: z.int() })),
  /** Private hosts (`host` or `host:port`) that outgoing fetches may reach, also over plain HTTP. */
  OUTBOUND_ALLOWED_HOSTS: csv,
  /** Base address of the code host's REST API, no trailing slash. */
  CODEHOST_API_URL: z.url().default('https://api.github.com'),
  /** Host in the addresses of this code host's pull requests. */
  CODEHOST_WEB_HOST: z.string().toLowerCase().default('github.com'),
  /** Bearer token of the code host (`CODEHOST_TOKEN` or `CODEHOST_TOKEN_FILE`); without it the service reads no pull request. */
  CODEHOST_TOKEN: z.string().optional(),
  /** Secret of the code host's webhook (`CODEHOST_HOOK_SECRET` or `…_FILE`); without it the endpoint answers 404. */
  CODEHOST_HOOK_SECRET: z.string().min(16).optional(),
  CODEHOST_TIMEOUT_SECONDS: z.coerce.number().positive().default(10),
  /** Interval between two readings of an undecided pull request. */
  CODEHOST_PR_REVIEW_POLL_MINUTES: z.coerce.number().positive().default(30),
  /** Time from the submission of a pull request to its human review. */
  CODEHOST_PR_REVIEW_SLA_HOURS: z.coerce.number().positive().default(48),
  /** Maximum number of open pull requests in one repository, unless the job's policy names another. */
  MAINTAINER_OPEN_PR_CAP: z.coerce.number().int().min(1).default(3),
  /** Comma list of denied repositories, `owner/name` or `owner/*`. */
  MAINTAINER_REPO_DENYLIST: z.string().toLowerCase().default(DENIED_REPOS).transform(list),
  /** Address of an encyclopedia's API; `{language}` stands for the edition. */
  WIKIPEDIA_API_URL: z.string().default('https://{language}.wikipedia.org/w/api.php'),
  REWARD_BANK_MAX_AGE_SECONDS: z.coerce.number().int().default(60),
  OPEN_METRICS: flag,
})
export type Settings = z.infer<typeof Settings>

/** Settings that hold a secret, each also by `<NAME>_FILE`. */
export const KEY_NAMES = [
  'JWT_KEY',
  'RECEIPT_KEY',
  'SHARE_SECRET',
  'OPERATOR_KEY',
  'VERIFIER_KEY',
  'ARBITRATOR_KEY',
  'CREDIT_OPERATOR_KEY',
  'METRICS_TOKEN',
  'WEBHOOK_SECRETS',
  'TEMPORAL_API_KEY',
  'CODEHOST_TOKEN',
  'CODEHOST_HOOK_SECRET',
] as const
const GUARDED = /^(WORKER|ONBOARDING|CODEHOST|MAINTAINER)_/

/** An environment, and the same with files in place of their names. */
export type Environment = Readonly<Record<string, string | undefined>>

const describe = (issue: z.core.$ZodIssue): string => `${issue.path.join('.')}: ${issue.message}`

/** Values with the contents of `<NAME>_FILE`. A value that is empty counts as not set, also the name of a file and its content. */
const readValues = (env: Environment): { values: Environment; problems: string[] } => {
  const set = Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== '')
  const values: Record<string, string | undefined> = Object.fromEntries(set)
  const problems: string[] = []
  for (const name of KEY_NAMES) {
    const path = values[`${name}_FILE`]
    if (values[name] !== undefined) delete values[`${name}_FILE`]
    if (path === undefined || values[name] !== undefined) continue
    try {
      values[name] = readFileSync(path, 'utf8').trim() || undefined
    } catch {
      problems.push(`${name}_FILE: the file cannot be read`)
    }
  }
  return { values, problems }
}

const unknownSettings = (values: Environment): string[] => {
  const known = new Set([...Object.keys(Settings.shape), ...KEY_NAMES.map((name) => `${name}_FILE`)])
  return Object.keys(values).filter((name) => GUARDED.test(name) && !known.has(name))
}

/** Settings of an environment, null if one is bad; every problem; and the values as they were given. */
export const parseSettings = (env: Environment): { settings: Settings | null; problems: string[]; values: Environment } => {
  const { values, problems } = readValues(env)
  const parsed = Settings.safeParse(values, { error: sentenceOf })
  const found = [
    ...problems,
    ...unknownSettings(values).map((name) => `${name}: is not a setting`),
    ...(parsed.error?.issues.map(describe) ?? []),
  ]
  return { settings: found.length === 0 && parsed.success ? parsed.data : null, problems: found, values }
}

/** Reads settings from an environment; `<KEY>_FILE` names a file with the secret. Throws one `SettingsError` that names every bad setting. */
export const readSettings = (env: Environment): Settings => {
  const { settings, problems } = parseSettings(env)
  if (settings === null) throw new SettingsError(problems)
  return settings
}
