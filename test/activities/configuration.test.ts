import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from '@jest/globals'
import { assertLocalSettings, readConfiguration } from '../../activities/configuration.ts'
import { readSettings } from '../../schemas/settings.ts'
import { SettingsError } from '../../schemas/settings-error.ts'
import { makePem, testChain } from '../support/api.ts'

const directory = mkdtempSync(join(tmpdir(), 'configuration-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const write = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text)
  return join(directory, name)
}

const key = (digit: string): string => `0x${digit.repeat(64)}`
const DATABASE_URL = 'postgresql://postgres@127.0.0.1:1/none'
const good: Record<string, string> = {
  DATABASE_URL,
  CHAIN_FILE: write('chain.json', JSON.stringify(testChain)),
  JWT_KEY: makePem(),
  RECEIPT_KEY: makePem(),
  SHARE_SECRET: 'a secret of shares that is long enough',
  ANSWER_SECRET: 'a secret of answers that is long enough',
  OPERATOR_KEY: key('1'),
  VERIFIER_KEY: key('2'),
}

const problemsOf = (changes: Record<string, string>, process: 'api' | 'worker' | 'nonce' | 'audit' = 'api'): readonly string[] => {
  try {
    readConfiguration({ ...good, ...changes }, process)
    return []
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return error.problems
  }
}

/** A chain whose live escrow has another version. */
const withEscrowVersion = (version: number) => {
  const { contracts, ...chain } = testChain
  const generations = contracts.escrow.generations.map((generation) => ({ ...generation, version }))
  return { ...chain, contracts: { ...contracts, escrow: { ...contracts.escrow, generations } } }
}

const p384 = generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const toml = (name: string, text: string) => write(`${name}.toml`, text)

describe('settings', () => {
  test('that are complete start every process', () => {
    for (const process of ['api', 'worker', 'nonce', 'audit'] as const) expect(problemsOf({}, process)).toEqual([])
  })

  test.each<[string, Record<string, string>, string]>([
    ['a port that is no number', { PORT: 'http' }, 'PORT: must be a number'],
    ['a mode that does not exist', { AUTH_MODE: 'lax' }, 'AUTH_MODE: must be one of strict, permissive'],
    ['a log level that does not exist', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL: must be one of'],
    ['an address that is none', { PUBLIC_BASE_URL: 'work.example' }, 'PUBLIC_BASE_URL: '],
    ['a text that is not JSON', { RATE_LIMITS: '{limit:1}' }, 'RATE_LIMITS: is not JSON'],
    ['JSON of another shape', { RATE_LIMITS: '{"jobs_claim":{"limit":0}}' }, 'RATE_LIMITS.jobs_claim.limit: '],
    ['an unknown name', { WORKER_CAP: '1' }, 'WORKER_CAP: is not a setting'],
    ['a chain key without 0x', { OPERATOR_KEY: '11'.repeat(32) }, 'OPERATOR_KEY: must be a key of the chain'],
    ['a chain key of zeros', { VERIFIER_KEY: key('0') }, 'VERIFIER_KEY: must be a key of the chain'],
    ['a chain key above the order of the curve', { ARBITRATOR_KEY: key('f') }, 'ARBITRATOR_KEY: must be a key of the chain'],
    ['a text that is no PEM', { JWT_KEY: 'secret words' }, 'JWT_KEY: must be a P-256 private key'],
    ['a key of another curve', { RECEIPT_KEY: p384 }, 'RECEIPT_KEY: must be a P-256 private key'],
    ['another fingerprint', { JWT_KEY_FINGERPRINT: 'ab'.repeat(32) }, 'JWT_KEY_FINGERPRINT: is not the fingerprint'],
    ['a short secret', { JWT_ALGORITHM: 'HS256', JWT_SECRETS: 'short' }, 'JWT_SECRETS: each secret'],
    ['no secret', { JWT_ALGORITHM: 'HS256' }, 'JWT_SECRETS: is required'],
    ['a short secret of webhooks', { WEBHOOKS: 'true', WEBHOOK_SECRETS: `${'x'.repeat(32)},short` }, 'WEBHOOK_SECRETS: each secret'],
    ['no secret of webhooks', { WEBHOOKS: 'true' }, 'WEBHOOK_SECRETS: is required'],
    ['a key file that is missing', { JWT_KEY: '', JWT_KEY_FILE: '/none/key' }, 'JWT_KEY_FILE: the file cannot be read'],
    ['no token key', { JWT_KEY: '' }, 'JWT_KEY: is required'],
    ['no share secret', { SHARE_SECRET: '' }, 'SHARE_SECRET: is required'],
    ['no answer secret', { ANSWER_SECRET: '' }, 'ANSWER_SECRET: is required'],
    ['a short answer secret', { ANSWER_SECRET: 'x'.repeat(31) }, 'ANSWER_SECRET: must have at least 32 characters'],
    ['a chain key for answers', { ANSWER_SECRET: key('2') }, 'ANSWER_SECRET: must differ from VERIFIER_KEY'],
    ['a short share secret', { SHARE_SECRET: 'x'.repeat(31) }, 'SHARE_SECRET: must have at least 32 characters'],
    [
      'the metrics secret for shares',
      { METRICS_TOKEN: 'm'.repeat(32), SHARE_SECRET: 'm'.repeat(32) },
      'SHARE_SECRET: must differ from METRICS_TOKEN',
    ],
    ["the operator's key for the settler", { SETTLER_KEY: key('1') }, 'SETTLER_KEY: must differ from OPERATOR_KEY'],
    [
      "the verifier's key for the settler, in capitals",
      { SETTLER_KEY: `0x${'AB'.repeat(32)}`, VERIFIER_KEY: `0x${'ab'.repeat(32)}` },
      'SETTLER_KEY: must differ from VERIFIER_KEY',
    ],
    ['a chain key for shares', { SHARE_SECRET: key('2') }, 'SHARE_SECRET: must differ from VERIFIER_KEY'],
    [
      'a token secret for shares',
      { JWT_ALGORITHM: 'HS256', JWT_SECRETS: `${'t'.repeat(32)}, ${'s'.repeat(32)}`, SHARE_SECRET: 's'.repeat(32) },
      'SHARE_SECRET: must differ from JWT_SECRETS',
    ],
    [
      'a largest reward below the smallest one',
      { EXTERNAL_POSTING_MIN_REWARD_USDC: '5', EXTERNAL_POSTING_MAX_REWARD_USDC: '4.999999' },
      'EXTERNAL_POSTING_MAX_REWARD_USDC: must not be below',
    ],
    [
      'a reward that the asset cannot express',
      { EXTERNAL_POSTING_MIN_REWARD_USDC: '0.0000001' },
      'EXTERNAL_POSTING_MIN_REWARD_USDC: must have at most 6 decimal places',
    ],
    ['a smallest reward of nothing', { EXTERNAL_POSTING_MIN_REWARD_USDC: '0' }, 'EXTERNAL_POSTING_MIN_REWARD_USDC: must be'],
    ['a posting mode that does not exist', { EXTERNAL_POSTING_MODE: 'all' }, 'EXTERNAL_POSTING_MODE: must be one of closed'],
    ['a list of posters with a name', { EXTERNAL_POSTING_ALLOWLIST: 'alice' }, 'EXTERNAL_POSTING_ALLOWLIST'],
    [
      'postings on an escrow without cancellation',
      { EXTERNAL_POSTING_MODE: 'open', CHAIN_FILE: write('old-escrow.json', JSON.stringify(withEscrowVersion(2))) },
      'EXTERNAL_POSTING_MODE: needs a live escrow of version 3',
    ],
    ['a chain file that is missing', { CHAIN_FILE: '/none/chain.json' }, 'CHAIN_FILE: the file cannot be read'],
    ['a chain file that is not JSON', { CHAIN_FILE: write('text', 'chain') }, 'CHAIN_FILE: the file is not JSON'],
    ['a chain file without members', { CHAIN_FILE: write('empty.json', '{}') }, 'CHAIN_FILE: chainId is required'],
    ['no database', { DATABASE_URL: '' }, 'DATABASE_URL: is required'],
    ['a database of another kind', { DATABASE_URL: 'mysql://root@127.0.0.1/none' }, 'DATABASE_URL: must be an address postgresql://'],
    ['an unknown mode of encryption', { DATABASE_URL: `${DATABASE_URL}?sslmode=prefer` }, 'DATABASE_URL: sslmode must be one of'],
    ['an unknown parameter', { DATABASE_URL: `${DATABASE_URL}?ssl=true` }, 'DATABASE_URL: the parameters ssl are not supported'],
    [
      'a root certificate that is missing',
      { DATABASE_URL: `${DATABASE_URL}?sslmode=verify-full&sslrootcert=/none/ca.pem` },
      'DATABASE_URL: the file of sslrootcert cannot be read',
    ],
    [
      'a root certificate without encryption',
      { DATABASE_URL: `${DATABASE_URL}?sslrootcert=/none/ca.pem` },
      'DATABASE_URL: certificates need',
    ],
    ['a certificate without its key', { TEMPORAL_TLS_CLIENT_CERT_DATA: 'PEM' }, 'TEMPORAL_TLS_CLIENT_CERT_*'],
    ['a certificate that is missing', { TEMPORAL_TLS_CLIENT_CERT_PATH: '/none/cert.pem' }, 'TEMPORAL_TLS_CLIENT_CERT_PATH: the file'],
    [
      'a certificate twice',
      { TEMPORAL_TLS_SERVER_CA_CERT_PATH: good.CHAIN_FILE ?? '', TEMPORAL_TLS_SERVER_CA_CERT_DATA: 'PEM' },
      'TEMPORAL_',
    ],
    [
      'a configuration file that is missing',
      { TEMPORAL_CONFIG_FILE: '/none/temporal.toml' },
      'TEMPORAL_CONFIG_FILE: the file cannot be read',
    ],
    [
      'an unknown profile',
      { TEMPORAL_CONFIG_FILE: toml('one', '[profile.cloud]\n'), TEMPORAL_PROFILE: 'prod' },
      "TEMPORAL_CONFIG_FILE, TEMPORAL_PROFILE: Profile 'prod' not found",
    ],
    [
      'a misspelt profile',
      { TEMPORAL_CONFIG_FILE: toml('two', '[profile.default]\nadress = "x"\n') },
      'TEMPORAL_CONFIG_FILE, TEMPORAL_PROFILE: ',
    ],
  ])('with %s are bad', (_name, changes, start) => {
    const problems = problemsOf(changes)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(start)
  })

  test('that are bad are all named at once, without a value', () => {
    const problems = problemsOf({
      PORT: '-1',
      OPERATOR_KEY: 'hunter2',
      CHAIN_FILE: '/none',
      DATABASE_URL: 'x',
      RECEIPT_KEY: '',
      WORKER_X: '1',
    })
    expect(problems.map((problem) => problem.split(':')[0]).sort()).toEqual(
      ['CHAIN_FILE', 'DATABASE_URL', 'OPERATOR_KEY', 'PORT', 'WORKER_X'].sort(),
    )
    expect(problems.join()).not.toContain('hunter2')
  })

  test.each(['OPERATOR_KEY', 'RECEIPT_KEY'])('the worker needs %s, the API no chain key', (name) => {
    expect(problemsOf({ [name]: '' }, 'worker')).toEqual([`${name}: is required`])
    if (name !== 'RECEIPT_KEY') expect(problemsOf({ [name]: '' })).toEqual([])
  })

  test.each(['', ' ', '\n'])('count as not set when they are %j, names of files and their contents included', (empty) => {
    const file = write('blank', empty)
    const base = { DATABASE_URL: 'x', CHAIN_FILE: 'x', PORT: empty, PUBLIC_BASE_URL: empty }
    const settings = readSettings({ ...base, OPERATOR_KEY_FILE: empty, METRICS_TOKEN_FILE: file, JWT_KEY: empty, JWT_KEY_FILE: empty })
    expect(settings).toMatchObject({ PORT: 8787 })
    for (const name of ['OPERATOR_KEY', 'METRICS_TOKEN', 'JWT_KEY'] as const) expect(settings[name]).toBeUndefined()
    expect(readSettings({ ...base, METRICS_TOKEN: empty, METRICS_TOKEN_FILE: write('token', 'secret\n') }).METRICS_TOKEN).toBe('secret')
  })

  test('holds headers for the collector of traces, whose values may contain the sign between name and value', () => {
    const headersOf = (text: string) =>
      readSettings({ DATABASE_URL: 'x', CHAIN_FILE: 'x', OTEL_EXPORTER_OTLP_HEADERS: text }).OTEL_EXPORTER_OTLP_HEADERS
    expect(headersOf('authorization=Basic%20YTpi==, x-tenant = one')).toEqual({ authorization: 'Basic YTpi==', 'x-tenant': 'one' })
    for (const text of ['authorization', 'x=%zz']) expect(() => headersOf(text)).toThrow('OTEL_EXPORTER_OTLP_HEADERS: must be a list')
  })
})

describe('the workflow engine', () => {
  const engineOf = (changes: Record<string, string>) => readConfiguration({ ...good, ...changes }, 'api').engine

  test('is the local one without a setting', () => {
    expect(engineOf({})).toMatchObject({ connection: { address: '127.0.0.1:7233' }, namespace: 'default' })
    expect(engineOf({}).connection.tls).toBeUndefined()
  })

  test('is that of a profile, and a setting has precedence', () => {
    const text = '[profile.cloud]\naddress = "cloud.example:7233"\nnamespace = "work.abc"\napi_key = "key"\n'
    const profile = { TEMPORAL_CONFIG_FILE: toml('cloud', text), TEMPORAL_PROFILE: 'cloud' }
    expect(engineOf(profile)).toMatchObject({
      connection: { address: 'cloud.example:7233', apiKey: 'key', tls: true, metadata: undefined },
      namespace: 'work.abc',
    })
    expect(engineOf({ ...profile, TEMPORAL_NAMESPACE: 'other' }).namespace).toBe('other')
  })

  test('gets its API key from a file', () => {
    const { connection } = engineOf({ TEMPORAL_API_KEY_FILE: write('api-key', 'secret\n') })
    expect([connection.apiKey, connection.tls]).toEqual(['secret', true])
  })
})

describe('what serves the local chain only', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['the permissive mode', { AUTH_MODE: 'permissive' }, ['AUTH_MODE: permissive is']],
    ['hosts of callers', { LOCAL_CALLER_HOSTS: '127.0.0.1:9' }, ['LOCAL_CALLER_HOSTS: is']],
    ['both', { AUTH_MODE: 'permissive', LOCAL_CALLER_HOSTS: 'a,b' }, ['AUTH_MODE: permissive is', 'LOCAL_CALLER_HOSTS: is']],
    ['neither', { LOCAL_CALLER_HOSTS: ' , ' }, []],
  ])('is refused on every other chain: %s', (_what, changes, refused) => {
    const { settings } = readConfiguration({ ...good, ...changes }, 'api')
    expect(() => assertLocalSettings(settings, true)).not.toThrow()
    const check = (): void => assertLocalSettings(settings, false)
    if (refused.length === 0) return expect(check).not.toThrow()
    const problems = refused.map((name) => `${name} refused, because the chain is not the local one`)
    expect(check).toThrow(new SettingsError(problems))
  })
})

describe.each([
  ['api/main.ts', ['CHAIN_FILE', 'JWT_KEY_FILE', 'PORT']],
  ['workers/worker.ts', ['CHAIN_FILE', 'JWT_KEY_FILE', 'PORT', 'OPERATOR_KEY']],
  ['workers/nonce.ts', ['CHAIN_FILE', 'JWT_KEY_FILE', 'PORT']],
  ['migrations/migrate.ts', ['DATABASE_URL']],
])('node %s', (program, names) => {
  test('ends with one line that names the bad settings', () => {
    const script = fileURLToPath(new URL(`../../${program}`, import.meta.url))
    const env = { PATH: process.env.PATH ?? '', PORT: 'x', JWT_KEY_FILE: '/none', DATABASE_URL: 'mysql://x' }
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, 'status'], { env, encoding: 'utf8' })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).toMatch(/^bad settings: /)
    for (const name of [...names, 'DATABASE_URL']) expect(stderr).toContain(`${name}: `)
  })
})
