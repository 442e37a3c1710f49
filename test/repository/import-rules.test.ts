import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { findCircles, findWrongImports, importsOfTree, KNOWS, reachOf, subjectOf } from './directions.ts'
import { files, ROOT, read, specifiersIn } from './files.ts'

/** Layers that each layer may import. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  schemas: ['schemas'],
  domain: ['schemas', 'domain'],
  activities: ['schemas', 'domain', 'activities'],
  workflows: ['schemas', 'domain', 'workflows'],
  api: ['schemas', 'domain', 'activities', 'pages', 'api'],
  pages: ['pages'],
  console: ['client', 'pages', 'console'],
  migrations: ['schemas', 'migrations'],
  contracts: ['schemas', 'activities', 'contracts'],
  workers: ['schemas', 'domain', 'activities', 'workflows', 'workers'],
  local: ['schemas', 'domain', 'activities', 'workflows', 'workers', 'migrations', 'contracts', 'client', 'local'],
  examples: ['examples'],
  client: ['client'],
  // Prints a part of the client, and is no part of it.
  'client/generate': ['client', 'api', 'schemas'],
  // The command line contains the verifier of records.
  'client/cli': ['client', 'examples'],
}

/** Layers whose imports are restricted by lint rules. */
const LINTED = [
  'schemas',
  'domain',
  'activities',
  'workflows',
  'api',
  'workers',
  'contracts',
  'local',
  'migrations',
  'console',
  'pages',
  'examples',
] as const
const FOLDERS = [
  'schemas',
  'domain',
  'activities',
  'workflows',
  'api',
  'workers',
  'contracts',
  'local',
  'migrations',
  'test',
  'console',
  'pages',
  'examples',
]

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
  api: ['@temporalio/client', '@temporalio/worker', '@temporalio/workflow', 'kysely', '@mikro-orm/core', '@mikro-orm/postgresql'],
  workers: [],
  contracts: [],
  local: [],
  migrations: [],
  console: [],
  pages: ['koa', '@koa/router'],
  examples: [],
}

/** Every form of an import. */
const FORMS: Record<string, (specifier: string) => string> = {
  value: (specifier) => `import { thing } from '${specifier}'\nexport const it = thing\n`,
  type: (specifier) => `import type { Thing } from '${specifier}'\nexport type It = Thing\n`,
  reexport: (specifier) => `export { thing } from '${specifier}'\n`,
  dynamic: (specifier) => `export const load = () => import('${specifier}')\n`,
}

interface Probe {
  path: string
  text: string
}

const probesOf = (folder: string, kind: 'refused' | 'accepted', specifiers: readonly string[]): Probe[] =>
  specifiers.flatMap((specifier, number) =>
    Object.entries(FORMS).map(([form, write]) => ({ path: `${folder}/${kind}-${form}-${number}.ts`, text: write(specifier) })),
  )

/** Files in which the real lint configuration sees a forbidden import. */
const refusedBy = (probes: readonly Probe[]): Set<string> => {
  const tree = mkdtempSync(join(tmpdir(), 'import-rules-'))
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
const allowedFor = (path: string) => MAY_IMPORT[/^client\/(?:generate|cli)(?=\/)/.exec(path)?.[0] ?? folderOf(path)]

/** Files of other folders, seen from a folder of this depth. */
const filesOf = (folders: readonly string[], depth: number): string[] => {
  const up = '../'.repeat(depth)
  return folders.flatMap((target) => [`${up}${target}/a.ts`, `${up}../${target}/b/c.ts`])
}
const foldersBeside = (folder: string): string[] => FOLDERS.filter((target) => !MAY_IMPORT[folder]?.includes(target))
const ENGINE_CLIENT = '@temporalio/client'

/** Imports that the lint rules refuse in a folder, and some that they accept. */
const LINT_RULES: readonly { folder: string; refused: readonly string[]; accepted: readonly string[] }[] = [
  ...LINTED.map((folder) => ({
    folder,
    refused: [...filesOf(foldersBeside(folder), 1), ...BANNED_PACKAGES[folder]],
    accepted: MAY_IMPORT[folder]?.map((target) => `../${target}/a.ts`) ?? [],
  })),
  // One folder of each layer may use the engine's client; every other restriction applies there too.
  ...(['api', 'activities'] as const).map((layer) => ({
    folder: `${layer}/temporal`,
    refused: [...filesOf(foldersBeside(layer), 2), ...BANNED_PACKAGES[layer].filter((name) => name !== ENGINE_CLIENT)],
    accepted: [ENGINE_CLIENT],
  })),
  // The library of the client runs in browsers too.
  {
    folder: 'client/src',
    refused: [...filesOf([...FOLDERS, 'generate'], 1), 'node:fs', 'node:fs/promises', 'viem', 'viem/accounts', 'zod'],
    accepted: ['./a.ts', './generated/operations.ts'],
  },
  // The command line is a part of the package.
  {
    folder: 'client/cli/part',
    refused: [...filesOf(foldersBeside('examples'), 2), 'zod'],
    accepted: ['../../src/a.ts', '../../../examples/a/b.ts', 'node:fs', 'viem/accounts'],
  },
]

describe('the lint rules', () => {
  const PROBES = LINT_RULES.map(({ folder, refused, accepted }) => ({
    folder,
    wrong: probesOf(folder, 'refused', refused),
    right: probesOf(folder, 'accepted', accepted),
  }))
  let refused: ReadonlySet<string>
  // One run of the program for all folders.
  beforeAll(() => {
    refused = refusedBy(PROBES.flatMap(({ wrong, right }) => [...wrong, ...right]))
  })

  test.each(PROBES)('refuse every form of a wrong import in $folder, and accept the others', ({ wrong, right }) => {
    expect(wrong.length).toBeGreaterThan(20)
    expect(wrong.map(({ path }) => path).filter((path) => !refused.has(path))).toEqual([])
    expect(right.map(({ path }) => path).filter((path) => refused.has(path))).toEqual([])
  })
})

describe('the source tree', () => {
  const sources = files().filter((path) => path.endsWith('.ts') && folderOf(path) in MAY_IMPORT)

  test('has no import against the direction of the layers, types included', () => {
    const wrong = sources.flatMap((path) =>
      specifiersIn(read(path))
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(posix.dirname(path), specifier))
        .filter((target) => !allowedFor(path)?.includes(folderOf(target)) && target !== 'package.json')
        .map((target) => `${path} → ${target}`),
    )
    expect(sources.length).toBeGreaterThan(200)
    expect(wrong).toEqual([])
  })

  test('has no layer without a rule', () => {
    const known = [...Object.keys(MAY_IMPORT), 'test', 'console']
    const folders = new Set(
      files()
        .filter((path) => path.endsWith('.ts') && path.includes('/') && !path.startsWith('.'))
        .map(folderOf),
    )
    expect([...folders].filter((folder) => !known.includes(folder))).toEqual([])
  })

  // The lint rule noRestrictedGlobals refuses process, fetch, crypto, performance and timers in domain.
  test('has no rule in domain that reads the clock or a random number', () => {
    const impure = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/
    const found = sources.filter((path) => folderOf(path) === 'domain' && impure.test(read(path)))
    expect(found).toEqual([])
  })

  test('has no query in api: the activities of a subject read and write its tables', () => {
    const query = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|executeTakeFirst\w*|getKysely|orm)\b|\bsql(?:<[^`]*>)?`/
    const found = sources.filter((path) => folderOf(path) === 'api' && query.test(read(path)))
    expect(query.test(read('activities/webhooks/records.ts'))).toBe(true)
    expect(found).toEqual([])
  })

  test('has no library in domain besides those that compute', () => {
    const libraries = sources.filter((path) => folderOf(path) === 'domain').flatMap((path) => specifiersIn(read(path)))
    expect([...new Set(libraries.filter((name) => !name.startsWith('.')))].sort()).toEqual([
      '@ethereumjs/mpt',
      '@noble/curves/ed25519.js',
      '@noble/hashes/blake2.js',
      '@scure/base',
      '@scure/sr25519',
      'ajv',
      'ajv/dist/2020.js',
      'markdown-it',
      'viem/utils',
    ])
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
    ['workers/pool/subject.ts', 'activities/locked-deposits/records.ts'],
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

  test('every folder of a layer is declared as a subject, and a subject builds on declared ones', () => {
    const found = importsOfTree().flatMap(({ from }) => subjectOf(from) ?? [])
    expect([...new Set(found)].sort()).toEqual(Object.keys(KNOWS).sort())
    expect(Object.values(KNOWS).flatMap((names) => names.filter((name) => !(name in KNOWS)))).toEqual([])
  })
})

describe('circles of files', () => {
  test('the product has none, types included', () => {
    expect(findCircles()).toEqual([])
  })

  test('a circle is reported once, with its path', () => {
    const chain = ['a.ts', 'b.ts', 'c.ts', 'd.ts'].map((from, index, all) => ({ from, to: all[index + 1] ?? 'b.ts' }))
    const side = { from: 'a.ts', to: 'd.ts' }
    expect(findCircles([...chain, side])).toEqual(['b.ts → c.ts → d.ts → b.ts'])
    expect(findCircles([...chain.slice(0, 3), side])).toEqual([])
    expect(findCircles([{ from: 'a.ts', to: 'a.ts' }])).toEqual(['a.ts → a.ts'])
  })
})
