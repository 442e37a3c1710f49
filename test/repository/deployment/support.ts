import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { loadAll, YAML11_SCHEMA } from 'js-yaml'
import { readConfiguration, readRunnerConfiguration, readVersionConfiguration } from '../../../activities/configuration.ts'
import { makeSecrets } from '../../../local/production/secrets.ts'
import { type Environment, KEY_NAMES, Settings } from '../../../schemas/settings.ts'
import { SettingsError } from '../../../schemas/settings-error.ts'
import { testChain } from '../../support/api.ts'
import { CONSOLE_SETTINGS } from '../console-settings.ts'
import { read } from '../files.ts'

const RECORDS = ['DATABASE_URL', 'CHAIN_NODES', 'PAYLOAD_KEYS', 'METRICS_TOKEN', 'OPERATOR_KEY', 'ANSWER_SECRET', 'VERIFICATION_SECRET']
const OUTSIDE = ['WEBHOOK_SECRETS', 'CODEHOST_TOKEN']

/** Secrets that each process gets, whatever starts it. The key of the arbitrator is in the worker alone. */
export const SECRETS: Readonly<Record<string, readonly string[]>> = {
  api: [...RECORDS, ...OUTSIDE, 'JWT_KEY', 'SHARE_SECRET', 'CODEHOST_HOOK_SECRET', 'CREDIT_OPERATOR_KEY', 'SETTLER_KEY'],
  worker: [...RECORDS, ...OUTSIDE, 'RECEIPT_KEY', 'VERIFIER_KEY', 'ARBITRATOR_KEY', 'SETTLER_KEY'],
  console: [],
  runner: ['PAYLOAD_KEYS'],
  migrate: ['DATABASE_URL'],
  setup: [],
  current: ['PAYLOAD_KEYS'],
}

/** Name of the file of a secret. */
export const fileOf = (setting: string): string => setting.toLowerCase().replaceAll('_', '-')

/** The files of secrets of a process, by setting, as a process in a container finds them. */
export const secretFiles = (process: string): Record<string, string> =>
  Object.fromEntries((SECRETS[process] ?? []).map((setting) => [`${setting}_FILE`, `/run/secrets/${fileOf(setting)}`]))

const SECRET_SETTINGS = new Set(KEY_NAMES)
const FILE_SETTINGS = new Set(KEY_NAMES.map((name) => `${name}_FILE`))

/** Whether a name is a setting of the service. */
export const isSetting = (name: string): boolean => name in Settings.shape || FILE_SETTINGS.has(name)

/** Names among these that are settings neither of the service nor of the console. */
export const unknownAmong = (names: readonly string[]): string[] =>
  names.filter((name) => !isSetting(name) && !CONSOLE_SETTINGS.includes(name))

/** Names among these that hold a secret as text. */
export const secretAmong = (names: readonly string[]): string[] =>
  names.filter((name) => SECRET_SETTINGS.has(name) || name === 'JWT_SECRETS')

/** Documents of a YAML file; `<<` merges, as Compose does. */
export const readYaml = <Document>(path: string): Document[] => loadAll(read(path), { schema: YAML11_SCHEMA }) as Document[]

/** Lines `NAME=value` of a file that processes, Docker and systemd read. */
export const readEnvironment = (path: string): Record<string, string> => parseEnv(read(path)) as Record<string, string>

/** How each process reads its settings at its start. */
const READERS = {
  api: (env: Environment) => readConfiguration(env, 'api'),
  worker: (env: Environment) => readConfiguration(env, 'worker'),
  runner: readRunnerConfiguration,
  current: readVersionConfiguration,
} as const satisfies Record<string, (env: Environment) => unknown>

/**
 * What the settings of a process would stop it with, when it finds the secrets of a new folder `dir`: the names of the files lead there in
 * place of a container's folders.
 */
export const problemsOf = (dir: string, process: keyof typeof READERS, given: Readonly<Record<string, string>>): readonly string[] => {
  makeSecrets(dir, 'database:5432/service')
  writeFileSync(join(dir, 'chain.json'), JSON.stringify(testChain))
  const here = (value: string): string => value.replace(/^\/run\/(secrets|config)\//, `${dir}/`)
  const env = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, here(value)]))
  try {
    READERS[process]({ BUILD_ID: 'dev', ...env })
    return []
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return error.problems
  }
}
