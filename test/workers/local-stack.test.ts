import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { readRunnerConfiguration } from '../../activities/configuration.ts'
import { stateFiles } from '../../local/files.ts'
import { type ConsoleAddresses, consoleSettings, envLines, runnerSettings, serviceSettings } from '../../local/services.ts'
import { commandEnvironment } from '../../workers/local-stack.ts'
import { useDirectory } from '../local/support/directory.ts'

const directory = useDirectory()
const SETTINGS = { port: 1, metricsPort: 2, databaseUrl: 'postgres://local', temporalAddress: 'local:7233', env: {}, bundle: undefined }
/** A process id beyond those that a system gives out. */
const NO_PROCESS = 2 ** 30

/** Writes what a stack of the process writes, and returns its settings. */
const writeStack = (pid: number) => {
  const files = stateFiles(directory)
  const settings = serviceSettings({ ...SETTINGS, files })
  writeFileSync(files.serviceEnv, envLines(settings))
  writeFileSync(files.info, JSON.stringify({ pid, serviceEnv: files.serviceEnv }))
  return settings
}

const environmentOf = (env: Record<string, string>, pid = process.pid) => {
  const settings = writeStack(pid)
  const lines: string[] = []
  return { settings, environment: commandEnvironment(env, (line) => lines.push(line), directory), lines }
}

describe('the settings of a command', () => {
  test('are those of the local stack that runs, and it says so', () => {
    const { settings, environment, lines } = environmentOf({ LANG: 'C' })
    expect(environment).toEqual({ ...settings, LANG: 'C' })
    expect(lines).toEqual([`No settings are given: this is the local stack of this checkout, ${directory}.`])
  })

  test.each(['DATABASE_URL', 'CHAIN_FILE', 'OPERATOR_KEY', 'VERIFIER_KEY_FILE'])(
    'are those of the environment alone where it has %s',
    (name) => {
      const { environment, lines } = environmentOf({ [name]: 'given' })
      expect(environment).toEqual({ [name]: 'given' })
      expect(lines).toEqual([])
    },
  )

  test('do not lose those of the stack to an empty value, and take any other from the environment', () => {
    const { settings, environment } = environmentOf({ DATABASE_URL: ' ', NONCE_STUCK_SECONDS: '5' })
    expect(environment).toEqual({ ...settings, NONCE_STUCK_SECONDS: '5' })
  })

  test('are none of a stack whose process has ended, nor of a damaged file', () => {
    const { environment, lines } = environmentOf({}, NO_PROCESS)
    expect(environment).toEqual({})
    expect(lines).toEqual(['No settings are given, and no local stack runs in this checkout: npm start starts one.'])
    writeFileSync(join(directory, 'stack.json'), '{"pid":')
    expect(commandEnvironment({}, () => undefined, directory)).toEqual({})
  })
})

test.each([['audit'], ['nonce', 'status'], ['rebuild', '--check']])(
  '%s without settings says whose records it reads',
  (program, ...args) => {
    const script = fileURLToPath(new URL(`../../workers/${program}.ts`, import.meta.url))
    const { stderr } = spawnSync(process.execPath, [script, ...args], { env: { PATH: process.env.PATH }, encoding: 'utf8' })
    expect(stderr).toMatch(/^No settings are given/)
  },
)

describe('the settings of the local runner', () => {
  test('are those of the engine and the hosts of this machine, without a key, a secret or a database', () => {
    const env = { LOCAL_CALLER_HOSTS: '127.0.0.1:4000,files.example.com,localhost', TEMPORAL_NAMESPACE: 'other' }
    const settings = runnerSettings(serviceSettings({ ...SETTINGS, files: stateFiles(directory), env }))
    expect(settings).toEqual({
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      TEMPORAL_ADDRESS: 'local:7233',
      TEMPORAL_NAMESPACE: 'other',
      LOCAL_CALLER_HOSTS: '127.0.0.1:4000,localhost',
      RUNNER_HEALTH_PORT: '0',
    })
    expect(() => readRunnerConfiguration(settings)).not.toThrow()
  })
})

describe('the settings of the local console', () => {
  const urls = { console: 'http://console', api: 'http://api', temporalUi: 'http://engine' }
  const addresses = { port: 3, urls, time: { url: 'http://time', secret: 'abc' } }
  const settingsFor = (given: ConsoleAddresses) =>
    consoleSettings(serviceSettings({ ...SETTINGS, files: stateFiles(directory), env: { LOG_LEVEL: 'warn' } }), given)

  test('are the addresses that it reaches and shows, without a key or a database', () => {
    expect(settingsFor(addresses)).toEqual({
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      CONSOLE_PORT: '3',
      CONSOLE_URL: 'http://console',
      CONSOLE_API_URL: 'http://api',
      TEMPORAL_UI_URL: 'http://engine',
      LOCAL_TIME_URL: 'http://time',
      LOCAL_TIME_SECRET: 'abc',
    })
  })

  test('name no page of a workflow engine that is not of the stack', () => {
    expect(settingsFor({ ...addresses, urls: { ...urls, temporalUi: undefined } })).not.toHaveProperty('TEMPORAL_UI_URL')
  })
})
