import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { SECRET_FILES } from '../../../local/production/secrets.ts'
import { Settings } from '../../../schemas/settings.ts'
import { read } from '../files.ts'
import { fileOf, problemsOf, readEnvironment, readYaml, SECRETS, secretAmong, secretFiles, unknownAmong } from './support.ts'

interface Service {
  image: string
  user?: string
  read_only?: boolean
  tmpfs?: string[]
  cap_drop: string[]
  security_opt: string[]
  command?: string[]
  env_file?: string
  environment?: Record<string, string>
  secrets?: string[]
  configs?: { source: string; target: string }[]
  networks: string[]
  ports?: string[]
  volumes?: string[]
  profiles?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test?: string[]; disable?: boolean }
}

interface Composition {
  services: Record<string, Service>
  networks: Record<string, null>
  volumes: Record<string, null>
  configs: Record<string, { file?: string; content?: string }>
  secrets: Record<string, { file: string }>
}

const text = read('docker-compose.yml')
const [composition] = readYaml<Composition>('docker-compose.yml')
if (composition === undefined) throw new Error('no composition')
const { services, networks, volumes, configs, secrets } = composition
const serviceOf = (name: string): Service => {
  const service = services[name]
  if (service === undefined) throw new Error(`no service ${name}`)
  return service
}
const isOwn = ({ image }: Service): boolean => /^agent-work-(service|runner):\$\{BUILD_ID:-dev\}$/.test(image)
const own = Object.entries(services).filter(([, service]) => isOwn(service))
const foreign = Object.entries(services).filter(([, service]) => !isOwn(service))

/** Process that a service of the composition is. */
const processOf = (name: string): string => (name === 'temporal-namespace' ? 'setup' : name)

const directory = mkdtempSync(join(tmpdir(), 'compose-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

describe('the composition', () => {
  test('runs each process of the service in a container of its own', () => {
    expect(own.map(([name]) => processOf(name)).sort()).toEqual(Object.keys(SECRETS).sort())
  })

  test.each(own)('hands %s its secrets and no other, each as a file', (name, { environment = {}, secrets: given = [] }) => {
    const files = secretFiles(processOf(name))
    expect(given.toSorted()).toEqual((SECRETS[processOf(name)] ?? []).map(fileOf).sort())
    expect(
      Object.fromEntries(Object.entries(environment).filter(([setting]) => setting.endsWith('_FILE') && setting !== 'CHAIN_FILE')),
    ).toEqual(files)
    expect(secretAmong(Object.keys(environment))).toEqual([])
  })

  test.each(own)('gives %s settings that exist', (_name, { environment = {}, env_file: file }) => {
    expect(unknownAmong(Object.keys(environment))).toEqual([])
    expect([undefined, 'service.env']).toContain(file)
  })

  test.each(own)('gives %s no right but to read', (name, service) => {
    expect(service).toMatchObject({ user: '1000:1000', read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'] })
    const sandbox = ['seccomp=unconfined', 'apparmor=unconfined', 'systempaths=unconfined']
    expect(service.security_opt).toEqual(['no-new-privileges:true', ...(name === 'runner' ? sandbox : [])])
  })

  test.each(foreign)('takes from %s what it does not need', (_name, { cap_drop: dropped, security_opt: options }) => {
    expect([dropped, options]).toEqual([['ALL'], ['no-new-privileges:true']])
  })

  test.each(['api', 'worker', 'runner', 'current'] as const)('gives %s all that its start asks for', (name) => {
    const { environment = {}, env_file: file } = serviceOf(name)
    const settings = file === undefined ? {} : readEnvironment('deploy/service.env.example')
    expect(problemsOf(join(directory, name), name, { ...settings, ...environment })).toEqual([])
  })

  test('keeps the settings of everyone from the runner, which takes no secret', () => {
    expect(serviceOf('runner').env_file).toBeUndefined()
    expect(serviceOf('console').secrets).toBeUndefined()
  })

  test.each([
    ['api', 'database', true],
    ['worker', 'temporal', true],
    ['console', 'api', true],
    ['runner', 'temporal', true],
    ['temporal', 'temporal-database', true],
    ['console', 'database', false],
    ['console', 'temporal', false],
    ['runner', 'database', false],
    ['runner', 'api', false],
    ['runner', 'worker', false],
    ['api', 'temporal-database', false],
    ['worker', 'temporal-database', false],
    ['temporal-ui', 'database', false],
  ])('%s reaches %s: %s', (from, to, isReached) => {
    expect(serviceOf(from).networks.some((network) => serviceOf(to).networks.includes(network))).toBe(isReached)
  })

  test('pins every image to a full version, with a place for its digest', () => {
    expect(foreign.length).toBeGreaterThan(4)
    for (const [, { image }] of foreign) expect(image).toMatch(/^[a-z]+(\/[a-z-]+)?:\d+\.\d+(\.\d+)?(-\w+)?\$\{[A-Z_]+_DIGEST:-\}$/)
    expect(text).toMatch(/BASE: node:[\d.]+-bookworm-slim\$\{NODE_DIGEST:-\}/)
  })

  test('uses one release of Temporal for the server and its tools, and not the image that is built no more', () => {
    const tags = [...text.matchAll(/temporalio\/(?:server|admin-tools):([\d.]+)/g)].map(([, tag]) => tag)
    expect(new Set(tags)).toEqual(new Set(['1.32.0']))
    expect(text).not.toContain('auto-setup')
  })

  test.each([
    ['temporal-schema', { 'temporal-database': 'service_healthy' }],
    ['temporal', { 'temporal-schema': 'service_completed_successfully' }],
    ['temporal-namespace', { temporal: 'service_healthy' }],
    ['migrate', { database: 'service_healthy' }],
    ['console', { api: 'service_healthy' }],
    ['runner', { 'temporal-namespace': 'service_completed_successfully' }],
    ['api', { migrate: 'service_completed_successfully', 'temporal-namespace': 'service_completed_successfully' }],
    ['worker', { migrate: 'service_completed_successfully', 'temporal-namespace': 'service_completed_successfully' }],
  ])('starts %s only after what it needs', (name, awaited) => {
    const found = Object.entries(serviceOf(name).depends_on ?? {}).map(([on, { condition }]) => [on, condition])
    expect(Object.fromEntries(found)).toEqual(awaited)
  })

  test('names only networks, volumes, configs and secrets that it declares, and declares no other', () => {
    const all = Object.values(services)
    const used = {
      networks: all.flatMap((service) => service.networks),
      volumes: all.flatMap((service) => service.volumes ?? []).map((volume) => volume.split(':')[0]),
      configs: all.flatMap((service) => service.configs ?? []).map(({ source }) => source),
      secrets: all.flatMap((service) => service.secrets ?? []),
    }
    const declared = { networks, volumes, configs, secrets }
    for (const kind of ['networks', 'volumes', 'configs', 'secrets'] as const)
      expect([kind, [...new Set(used[kind])].sort()]).toEqual([kind, Object.keys(declared[kind]).sort()])
  })

  test('finds each secret where npm run secrets makes it', () => {
    for (const [name, { file }] of Object.entries(secrets)) expect(file).toBe(`./secrets/${name}`)
    expect(Object.keys(secrets).sort()).toEqual(SECRET_FILES.toSorted())
  })

  test('asks for health by programs that the image has, without a shell', () => {
    const programs = Object.entries(services).flatMap(([name, { healthcheck }]) =>
      healthcheck?.test === undefined ? [] : [[name, healthcheck.test.slice(0, 2)]],
    )
    expect(Object.fromEntries(programs)).toEqual({
      database: ['CMD', 'pg_isready'],
      'temporal-database': ['CMD', 'pg_isready'],
      temporal: ['CMD', 'nc'],
      console: ['CMD', 'node'],
      runner: ['CMD', 'node'],
    })
    const silent = own.filter(([, { healthcheck }]) => healthcheck?.disable).map(([name]) => name)
    expect(silent.sort()).toEqual(['current', 'migrate', 'temporal-namespace', 'worker'])
  })

  test.each([
    ['temporal-namespace', ['node', 'workers/setup.ts', 'temporal']],
    ['migrate', ['node', 'migrations/migrate.ts']],
    ['current', ['node', 'workers/versions.ts', 'current']],
    ['worker', ['node', 'workers/worker.ts']],
    ['console', ['node', 'console/main.ts']],
  ])('runs %s by the command of the service', (name, command) => {
    expect(serviceOf(name).command).toEqual(command)
  })

  test('makes a version current, and starts the runner, only when asked', () => {
    const asked = Object.entries(services).flatMap(([name, { profiles }]) => (profiles === undefined ? [] : [name]))
    expect(asked.sort()).toEqual(['current', 'runner'])
  })

  test('shows the UI of Temporal what the console decrypts for its reader', () => {
    const { environment = {} } = serviceOf('temporal-ui')
    expect(environment).toMatchObject({
      TEMPORAL_CODEC_ENDPOINT: expect.stringMatching(/^\$\{TEMPORAL_CODEC_ENDPOINT:-\}$/),
      TEMPORAL_CODEC_INCLUDE_CREDENTIALS: 'true',
      TEMPORAL_CORS_ORIGINS: serviceOf('console').environment?.TEMPORAL_UI_URL,
    })
  })

  test('the script of temporal-schema has no errors a shell would find', () => {
    const [script = ''] = serviceOf('temporal-schema').command ?? []
    expect(script.split('\n').filter((line) => line.includes('temporal')).length).toBeGreaterThan(2)
    expect(spawnSync('sh', ['-n', '-c', script.replaceAll('$$', '$')], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  })

  test('opens no port beyond this machine', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? [])
    expect(ports.length).toBe(3)
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
  })
})

describe('the examples of the environment', () => {
  const settings = readEnvironment('deploy/service.env.example')

  test('name what the composition asks for, and settings that hold no secret', () => {
    const asked = [...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name ?? '')
    expect(Object.keys(readEnvironment('.env.example')).sort()).toEqual([...new Set(asked)].sort())
    expect(Object.keys(settings).length).toBeGreaterThan(15)
    expect(unknownAmong(Object.keys(settings))).toEqual([])
    expect(secretAmong(Object.keys(settings))).toEqual([])
  })

  test('are read alike by Docker, Compose and systemd', () => {
    for (const path of ['.env.example', 'deploy/service.env.example'])
      for (const line of read(path).split('\n')) expect(line).toMatch(/^(#.*|[A-Z][A-Z0-9_]*=[^\s'"`$\\]*)?$/)
  })

  test('give API and console one address of the console', () => {
    expect(settings.CONSOLE_URL).toBe(settings.APP_URL)
  })

  test('hold no password', () => {
    expect(read('.env.example')).toMatch(/^TEMPORAL_DATABASE_PASSWORD=$/m)
  })

  test('show the limits that hold without them', () => {
    const limits = Object.entries(settings).filter(([name]) => name.endsWith('_RAW'))
    expect(limits.length).toBe(4)
    for (const [name, value] of limits) {
      const setting = Settings.shape[name as 'WORKER_OPEN_EXPOSURE_CAP_RAW']
      expect([name, setting.parse(undefined)]).toEqual([name, BigInt(value)])
    }
  })
})
