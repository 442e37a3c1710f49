import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { Settings } from '../../schemas/settings.ts'
import { CONSOLE_SETTINGS } from './console-settings.ts'
import { manifest, ROOT, read } from './files.ts'

const compose = read('docker-compose.yml')
const dockerfile = read('Dockerfile')
const example = read('.env.example')

/** Text of one top-level block, or of one service. */
const block = (text: string, name: string, indent = ''): string => {
  const lines = text.split('\n')
  const begin = lines.findIndex((line) => line.startsWith(`${indent}${name}:`))
  if (begin === -1) throw new Error(`no ${name}`)
  const length = lines.slice(begin + 1).findIndex((line) => line.trim() !== '' && !line.startsWith(`${indent} `))
  return lines.slice(begin, length === -1 ? undefined : begin + 1 + length).join('\n')
}

const services = block(compose, 'services')
const serviceNames = [...services.matchAll(/^ {2}([a-z-]+):$/gm)].map(([, name]) => name ?? '')
const service = (name: string): string => block(services, name, '  ')

/** Names set under `environment:` in a text. */
const environmentIn = (text: string): string[] => [...text.matchAll(/^ +([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name ?? '')

const SETTINGS = new Set(Object.keys(Settings.shape))
const FILE_SETTINGS = [
  'JWT_KEY',
  'RECEIPT_KEY',
  'SHARE_SECRET',
  'ANSWER_SECRET',
  'OPERATOR_KEY',
  'VERIFIER_KEY',
  'ARBITRATOR_KEY',
  'CREDIT_OPERATOR_KEY',
  'METRICS_TOKEN',
].map((name) => `${name}_FILE`)
const isSetting = (name: string): boolean => SETTINGS.has(name) || FILE_SETTINGS.includes(name)

describe('the composition', () => {
  test('is built of whole indentation steps, without a tab and without a name twice', () => {
    const lines = compose.split('\n').filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'))
    expect(lines.filter((line) => line.includes('\t') || (line.length - line.trimStart().length) % 2 !== 0)).toEqual([])
    expect(new Set(serviceNames).size).toBe(serviceNames.length)
    for (const alias of compose.matchAll(/(?:<<: |: )\*([a-z]+)/g)) expect(compose).toContain(`&${alias[1]}`)
  })

  test('pins every image to a full version', () => {
    const images = [...compose.matchAll(/image: (\S+)/g)]
      .map(([, image]) => image ?? '')
      .filter((image) => !image.startsWith('agent-work-service:'))
    expect(images.length).toBeGreaterThan(4)
    for (const image of images) expect(image).toMatch(/^[a-z]+(\/[a-z-]+)?:\d+\.\d+(\.\d+)?(-\w+)?$/)
  })

  test('uses one release of Temporal for the server and its tools, and not the image that is built no more', () => {
    const tags = [...compose.matchAll(/temporalio\/(?:server|admin-tools):(\S+)/g)].map(([, tag]) => tag)
    expect(new Set(tags)).toEqual(new Set(['1.32.0']))
    expect(compose).not.toContain('auto-setup')
  })

  test('starts in order: database, schema, engine, namespace, migration, and only then the service', () => {
    const awaited = (name: string): string[] =>
      [...service(name).matchAll(/^ {6}([a-z-]+):\n {8}condition: (\w+)/gm)].map(([, on, condition]) => `${on} ${condition}`)
    expect(awaited('temporal-schema')).toEqual(['temporal-database service_healthy'])
    expect(awaited('temporal')).toEqual(['temporal-schema service_completed_successfully'])
    expect(awaited('temporal-namespace')).toEqual(['temporal service_healthy'])
    expect(awaited('migrate')).toEqual(['database service_healthy'])
    expect(awaited('console')).toEqual(['api service_healthy'])
    for (const name of ['api', 'worker'])
      expect(awaited(name)).toEqual(['migrate service_completed_successfully', 'temporal-namespace service_completed_successfully'])
  })

  test('names only services, volumes, configs and secrets that it declares', () => {
    for (const [, name] of services.matchAll(/^ {6}([a-z-]+):\n {8}condition:/gm)) expect(serviceNames).toContain(name)
    for (const [, name] of compose.matchAll(/source: ([a-z-]+)/g)) expect(block(compose, 'configs')).toContain(`  ${name}:`)
    for (const [, list] of compose.matchAll(/secrets: \[([^\]]+)\]/g))
      for (const name of (list ?? '').split(', ')) expect(block(compose, 'secrets')).toContain(`  ${name}:`)
    for (const [, name] of services.matchAll(/^ {6}- ([a-z-]+):\/var/gm)) expect(block(compose, 'volumes')).toContain(`  ${name}:`)
  })

  test('gives the service settings that exist', () => {
    const given = [block(compose, 'x-service'), service('api'), service('worker'), service('migrate')].flatMap(environmentIn)
    expect(given.filter((name) => !isSetting(name) && name !== 'BUILD_ID')).toEqual([])
    expect(given).toEqual(expect.arrayContaining(['DATABASE_URL', 'TEMPORAL_ADDRESS', 'CHAIN_FILE', 'OPERATOR_KEY_FILE']))
  })

  test('gives the console settings of its own alone, and the address that the API names', () => {
    const given = environmentIn(service('console'))
    expect(given.filter((name) => !CONSOLE_SETTINGS.includes(name))).toEqual([])
    expect(service('console')).toContain('CONSOLE_URL: ${APP_URL')
    expect(service('console')).not.toMatch(/env_file|<<: \*|secrets:/)
  })

  test('hands each process the keys it needs and no other', () => {
    expect(service('api')).toContain('secrets: [jwt_key, share_secret, answer_secret, operator_key]')
    expect(service('worker')).toContain('secrets: [receipt_key, operator_key, verifier_key]')
    expect(service('migrate')).not.toContain('secrets:')
  })

  test('fills the namespace by the command of the service', () => {
    expect(service('temporal-namespace')).toContain('command: ["node", "workers/setup.ts", "temporal"]')
    expect(service('temporal-namespace')).not.toContain('secrets:')
  })

  test('the script of temporal-schema has no errors a shell would find', () => {
    const script = block(service('temporal-schema'), 'command', '    ')
      .split('\n')
      .slice(2)
      .map((line) => line.slice(8).replaceAll('$$', '$'))
    expect(script.filter((line) => line.includes('temporal')).length).toBeGreaterThan(2)
    expect(spawnSync('sh', ['-n', '-c', script.join('\n')], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  })

  test('opens no port beyond this machine', () => {
    const ports = [...compose.matchAll(/^ {6}- "(.*:\d+)"$/gm)].map(([, port]) => port ?? '')
    expect(ports.length).toBe(3)
    expect(ports.every((port) => port.startsWith('127.0.0.1:'))).toBe(true)
  })
})

describe('the example of the environment', () => {
  const names = [...example.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name ?? '')

  test('names settings, or what the composition asks for', () => {
    const asked = [...compose.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name ?? '')
    expect(names.length).toBeGreaterThan(15)
    expect(names.filter((name) => !isSetting(name) && !asked.includes(name))).toEqual([])
    expect(asked.filter((name) => !names.includes(name))).toEqual([])
  })

  test('holds no secret', () => {
    expect(example).not.toMatch(/^[A-Z_]*(PASSWORD|TOKEN|KEY|SECRETS)=.+$/m)
  })

  test('shows the limits that hold without it', () => {
    for (const [, name, value] of example.matchAll(/^(\w+_RAW)=(\d+)$/gm)) {
      const setting = Settings.shape[name as 'WORKER_OPEN_EXPOSURE_CAP_RAW']
      expect([name, setting.parse(undefined)]).toEqual([name, BigInt(value ?? '')])
    }
  })
})

describe('the image', () => {
  test('runs on the Node version of the package, by its exact tag', () => {
    const bases = [...dockerfile.matchAll(/^FROM (node:\S+)/gm)].map(([, base]) => base)
    expect(bases.length).toBe(2)
    expect(new Set(bases)).toEqual(new Set([`node:${manifest().dependencies.node}-bookworm-slim`]))
  })

  test('copies folders that exist, and the build may see each of them', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) => (sources ?? '').split(' '))
    const visible = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    expect(copied.filter((source) => !existsSync(join(ROOT, source)) || !visible.includes(source))).toEqual([])
    expect(visible.filter((name) => !copied.includes(name))).toEqual([])
    expect(read('.dockerignore')).toMatch(/^\*$/m)
  })

  test('leaves out what only a developer needs', () => {
    expect(dockerfile).toContain('npm ci --omit=dev --ignore-scripts')
    expect(dockerfile).not.toMatch(/^COPY .*\b(local|test|examples(?!\/verify-record))\b/m)
  })

  test('runs as a user without rights, and asks the API whether it lives', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('FROM '))
    expect(last).toMatch(/^USER node$/m)
    expect(last).toContain('/health/live')
    expect(last).toContain('CMD ["node", "api/main.ts"]')
  })

  test('sets settings that exist, and options of Node', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('FROM '))
    const set = [...last.matchAll(/(?:ENV |^ {4})([A-Z_]+)=/gm)].map(([, name]) => name ?? '')
    expect(set).toEqual(expect.arrayContaining(['NODE_ENV', 'WORKFLOW_BUNDLE', 'BUILD_ID']))
    expect(set.filter((name) => !isSetting(name))).toEqual(['NODE_OPTIONS', 'MALLOC_ARENA_MAX'])
  })
})
