import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { findWrongImports, importsOfTree, KNOWS, reachOf, subjectOf } from './directions.ts'
import { files, ROOT, read, specifiersIn } from './files.ts'

/** Whom each folder may import; what is not named is behind a wall. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  schemas: ['schemas'],
  domain: ['schemas', 'domain'],
  activities: ['schemas', 'domain', 'activities'],
  workflows: ['schemas', 'domain', 'workflows'],
  api: ['schemas', 'domain', 'activities', 'api'],
  migrations: ['schemas', 'migrations'],
  workers: ['schemas', 'domain', 'activities', 'workflows', 'workers'],
  local: ['schemas', 'domain', 'activities', 'workflows', 'workers', 'migrations', 'local'],
  examples: ['examples'],
}

/** Folders whose walls are lint rules. */
const LINTED = ['schemas', 'domain', 'activities', 'workflows', 'api', 'workers', 'local', 'migrations', 'examples'] as const
const FOLDERS = ['schemas', 'domain', 'activities', 'workflows', 'api', 'workers', 'local', 'migrations', 'test', 'console', 'examples']

/** Packages that would bring I/O, a framework or another process into a folder. */
const BANNED_PACKAGES: Record<(typeof LINTED)[number], readonly string[]> = {
  schemas: ['@temporalio/client', '@temporalio/worker', '@temporalio/activity', 'koa', '@koa/router', 'kysely', 'pino'],
  domain: [
    ...['node:fs', 'node:fs/promises', 'node:net', 'node:http', 'node:https', 'node:child_process', 'node:dgram', 'node:tls', 'node:dns'],
    ...['@temporalio/workflow', '@temporalio/client', 'koa', '@koa/router', '@mikro-orm/core', 'kysely', 'pino', 'jose', 'viem'],
  ],
  activities: ['koa', '@koa/router', '@temporalio/client', '@temporalio/worker', '@temporalio/workflow'],
  workflows: [
    ...['node:crypto', 'node:fs', 'koa', '@koa/router', '@mikro-orm/core', 'viem', 'viem/utils', 'zod', 'ajv', 'kysely', 'pino', 'jose'],
    ...['@temporalio/client', '@temporalio/worker', '@temporalio/activity'],
  ],
  api: ['@temporalio/client', '@temporalio/worker', '@temporalio/workflow'],
  workers: [],
  local: [],
  migrations: [],
  examples: [],
}

/** Every way in which one module can name another. */
const FORMS: Record<string, (specifier: string) => string> = {
  value: (specifier) => `import { thing } from '${specifier}'\nexport const it = thing\n`,
  type: (specifier) => `import type { Thing } from '${specifier}'\nexport type It = Thing\n`,
  passed: (specifier) => `export { thing } from '${specifier}'\n`,
  late: (specifier) => `export const load = () => import('${specifier}')\n`,
}

interface Probe {
  path: string
  text: string
}

const probesOf = (folder: string, specifiers: readonly string[]): Probe[] =>
  specifiers.flatMap((specifier, number) =>
    Object.entries(FORMS).map(([form, write]) => ({ path: `${folder}/${form}-${number}.ts`, text: write(specifier) })),
  )

/** Files in which the real lint configuration sees a forbidden import. */
const refusedBy = (probes: readonly Probe[]): Set<string> => {
  const tree = mkdtempSync(join(tmpdir(), 'walls-'))
  try {
    copyFileSync(join(ROOT, 'biome.json'), join(tree, 'biome.json'))
    for (const { path, text } of probes) {
      mkdirSync(dirname(join(tree, path)), { recursive: true })
      writeFileSync(join(tree, path), text)
    }
    const args = ['lint', '--vcs-enabled=false', '--only=style/noRestrictedImports', '--max-diagnostics=none', '--reporter=json', '.']
    const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/biome'), args, { cwd: tree, encoding: 'utf8' })
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string; location: { path: string } }[] }
    return new Set(diagnostics.filter(({ category }) => category === 'lint/style/noRestrictedImports').map(({ location }) => location.path))
  } finally {
    rmSync(tree, { recursive: true })
  }
}

const folderOf = (path: string): string => path.split('/')[0] ?? ''

describe('the walls are lint rules', () => {
  const wrong = LINTED.flatMap((folder) => {
    const rooms = FOLDERS.filter((room) => !MAY_IMPORT[folder]?.includes(room)).flatMap((room) => [
      `../${room}/a.ts`,
      `../../${room}/b/c.ts`,
    ])
    return probesOf(folder, [...rooms, ...BANNED_PACKAGES[folder]])
  })
  const right = LINTED.flatMap((folder) => probesOf(folder, MAY_IMPORT[folder]?.map((room) => `../${room}/a.ts`) ?? []))

  test.each(LINTED)('a wrong import in %s fails, in whatever form it is written', (folder) => {
    const probes = wrong.filter(({ path }) => folderOf(path) === folder)
    const refused = refusedBy(probes)
    expect(probes.length).toBeGreaterThan(20)
    expect(probes.map(({ path }) => path).filter((path) => !refused.has(path))).toEqual([])
  })

  test('an import along the arrows passes', () => {
    expect([...refusedBy(right)]).toEqual([])
  })

  /** Behind one folder of each the engine's client is at hand; the other walls stand there as well. */
  test.each([
    ['api', 'api/temporal'],
    ['activities', 'activities/processes'],
  ] as const)('in %s the client of the engine is at hand for %s alone', (folder, door) => {
    const rooms = FOLDERS.filter((room) => !MAY_IMPORT[folder]?.includes(room)).map((room) => `../../${room}/a.ts`)
    const specifiers = ['@temporalio/client', ...BANNED_PACKAGES[folder].filter((name) => name !== '@temporalio/client'), ...rooms]
    const probes = probesOf(door, specifiers)
    const refused = refusedBy(probes)
    const passed = Object.keys(FORMS).map((form) => `${door}/${form}-0.ts`)
    expect(probes.map(({ path }) => path).filter((path) => !refused.has(path))).toEqual(passed)
  })
})

describe('the house as it stands', () => {
  const sources = files().filter((path) => path.endsWith('.ts') && folderOf(path) in MAY_IMPORT)

  test('no module reaches through a wall, not even for a type', () => {
    const through = sources.flatMap((path) =>
      specifiersIn(read(path))
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(posix.dirname(path), specifier))
        .filter((target) => !MAY_IMPORT[folderOf(path)]?.includes(folderOf(target)) && target !== 'package.json')
        .map((target) => `${path} → ${target}`),
    )
    expect(sources.length).toBeGreaterThan(200)
    expect(through).toEqual([])
  })

  test('every folder of code has its place in the arrows', () => {
    const known = [...Object.keys(MAY_IMPORT), 'test', 'console']
    const folders = new Set(
      files()
        .filter((path) => path.endsWith('.ts') && path.includes('/') && !path.startsWith('.'))
        .map(folderOf),
    )
    expect([...folders].filter((folder) => !known.includes(folder))).toEqual([])
  })

  test('a rule of the domain never asks what time it is, draws lots or reads a setting', () => {
    const impure =
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandom(UUID|Bytes)\b|\bprocess\.[a-z]|\bperformance\.|\bfetch\(|\bset(Timeout|Interval)\(/
    const found = sources.filter((path) => folderOf(path) === 'domain' && impure.test(read(path)))
    expect(found).toEqual([])
  })

  test('the domain uses libraries that compute, and no other', () => {
    const libraries = sources.filter((path) => folderOf(path) === 'domain').flatMap((path) => specifiersIn(read(path)))
    expect([...new Set(libraries.filter((name) => !name.startsWith('.')))].sort()).toEqual(['ajv', 'viem/utils'])
  })

  test('only the files of api/temporal start, update or signal a process from a request', () => {
    const doors = sources.filter(
      (path) => folderOf(path) === 'api' && /\bworkflow\s*\.\s*(start|execute|signal|getHandle|executeUpdate)/.test(read(path)),
    )
    expect([...new Set(doors.map((path) => posix.dirname(path)))]).toEqual(['api/temporal'])
  })

  test('on behalf of a process only activities/processes does', () => {
    const doors = sources.filter(
      (path) => folderOf(path) === 'activities' && /\bworkflow\s*\.\s*(start|execute|signal|getHandle)/.test(read(path)),
    )
    expect([...new Set(doors.map((path) => posix.dirname(path)))]).toEqual(['activities/processes'])
  })
})

describe('the direction between subjects', () => {
  const wrong = (from: string, to: string): string[] => findWrongImports([{ from, to }])

  test('no subject of the tree imports against it', () => {
    expect(importsOfTree().length).toBeGreaterThan(1_500)
    expect(findWrongImports()).toEqual([])
  })

  test.each([
    ['activities/sessions/close.ts', 'activities/disputes/rows.ts'],
    ['domain/sessions/view.ts', 'domain/eligibility/claim-economics.ts'],
    ['domain/common/money.ts', 'schemas/catalogue/job-definition.ts'],
    ['api/http/server.ts', 'activities/sessions/records.ts'],
    ['workflows/claims/claim-session.ts', 'domain/disputes/stage.ts'],
    ['domain/unlisted/rule.ts', 'domain/common/money.ts'],
  ])('an import from %s of %s is reported', (from, to) => {
    expect(wrong(from, to)).toEqual([`${from} → ${to}`])
  })

  test.each([
    ['activities/disputes/rows.ts', 'activities/sessions/records.ts'],
    ['api/sessions/handlers.ts', 'activities/disputes/rows.ts'],
    ['schemas/operations/registry.ts', 'schemas/disputes/operations.ts'],
    ['workflows/claims/claim-session.ts', 'schemas/disputes/process.ts'],
    ['workers/chain/follower.ts', 'activities/catalogue/jobs.ts'],
  ])('an import from %s of %s passes', (from, to) => {
    expect(wrong(from, to)).toEqual([])
  })

  test('two subjects of the API that import each other are reported', () => {
    const both = [
      { from: 'api/claims/claim.ts', to: 'api/sessions/answers.ts' },
      { from: 'api/sessions/answers.ts', to: 'api/claims/claim.ts' },
    ]
    expect(findWrongImports(both)[0]).toContain('subjects in a circle: claims → sessions → claims')
    expect(findWrongImports(both.slice(0, 1))).toEqual([])
  })

  test('its table has no circle, and a circle would be found', () => {
    for (const subject of Object.keys(KNOWS)) expect(reachOf(KNOWS, subject)).toContain('common')
    expect(() => reachOf({ ...KNOWS, catalogue: ['disputes'] }, 'claims')).toThrow('subjects in a circle')
  })

  test('every subject of a layer stands in its table, and every one there has files', () => {
    const found = importsOfTree().flatMap(({ from }) => subjectOf(from) ?? [])
    expect([...new Set(found)].sort()).toEqual(Object.keys(KNOWS).sort())
  })
})
