import { posix } from 'node:path'
import type { Subject } from '../../schemas/subject.ts'
import { SUBJECTS } from '../../schemas/subjects.ts'
import { files, read, specifiersIn } from './files.ts'

type Table = Readonly<Record<string, readonly string[]>>

const subjects: readonly Subject[] = SUBJECTS
const BUSINESS = new Set(subjects.filter(({ kind }) => kind === undefined).map(({ name }) => name))
const below = subjects.filter(({ kind }) => kind !== 'overview').map(({ name }) => name)

/** The direction of imports: a subject may import those it builds on, whatever these build on, and nothing else. */
export const KNOWS: Table = Object.fromEntries(
  subjects.map(({ name, kind, buildsOn }) => [name, kind === 'overview' ? [...below, ...buildsOn] : buildsOn]),
)

const LAYERS = ['schemas', 'domain', 'activities', 'workflows', 'api', 'workers']

/** Files that put the subjects of a layer together. `local/` and the files at the root of a layer do so too. */
const COMPOSITION = [
  /^schemas\/(operations|entities)\//,
  // The statement of an operation names the shapes of every subject that its answer shows.
  /^schemas\/[^/]+\/[^/]*operations\.ts$/,
  // The way of a request: match, authenticate, count, read, handle.
  /^api\/http\/(router|calls)\.ts$/,
  // What the follower does with events of other subjects, and the metrics page.
  /^workers\/(chain\/follower\.ts$|observability\/)/,
]

const layerOf = (path: string): string => path.split('/')[0] ?? ''

/** Subject of a file of a layer; undefined for a file that puts subjects together, and for one outside the layers. */
export const subjectOf = (path: string): string | undefined => {
  const [layer = '', subject, role] = path.split('/')
  return role === undefined || !LAYERS.includes(layer) || COMPOSITION.some((pattern) => pattern.test(path)) ? undefined : subject
}

/** Every subject that a subject may import, itself included. Throws when the table has a circle. */
export const reachOf = (table: Table, subject: string, path: readonly string[] = []): Set<string> => {
  if (path.includes(subject)) throw new Error(`subjects in a circle: ${[...path, subject].join(' → ')}`)
  const direct = table[subject] ?? []
  return new Set([subject, ...direct.flatMap((known) => [...reachOf(table, known, [...path, subject])])])
}

export interface Import {
  from: string
  to: string
}

/** Relative imports of some folders, types included. */
export const importsOfTree = (folders: readonly string[] = LAYERS): Import[] =>
  files()
    .filter((path) => path.endsWith('.ts') && folders.includes(layerOf(path)))
    .flatMap((from) =>
      specifiersIn(read(from))
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => ({ from, to: posix.join(posix.dirname(from), specifier) })),
    )

/** Whether an import goes against the direction. */
const isWrong = ({ from, to }: Import, reach: ReadonlyMap<string, ReadonlySet<string>>): boolean => {
  const [importer, imported] = [subjectOf(from), subjectOf(to)]
  if (importer === undefined || imported === undefined) return false
  // A handler puts its answer together out of several subjects.
  if (layerOf(from) === 'api' && BUSINESS.has(importer)) return false
  // A process signals its siblings, whose contracts are public.
  if (layerOf(from) === 'workflows' && /^schemas\/[^/]+\/process\.ts$/.test(to)) return false
  return !reach.get(importer)?.has(imported)
}

/** Circles of subjects whose files in `api/` import each other. */
const circlesInApi = (imports: readonly Import[]): string[] => {
  const table: Record<string, string[]> = {}
  for (const { from, to } of imports) {
    const [importer, imported] = [subjectOf(from), subjectOf(to)]
    if (layerOf(from) !== 'api' || layerOf(to) !== 'api' || importer === undefined || imported === undefined) continue
    if (importer !== imported) table[importer] = [...new Set([...(table[importer] ?? []), imported])]
  }
  return Object.keys(table).flatMap((subject) => {
    try {
      reachOf(table, subject)
      return []
    } catch (error) {
      return [`api: ${error instanceof Error ? error.message : error}`]
    }
  })
}

/** Folders of the product. */
const PRODUCT = [...LAYERS, 'client', 'local', 'contracts', 'migrations', 'examples']

/** Files that import each other, one line for each circle that a walk along the imports meets. */
export const findCircles = (imports: readonly Import[] = importsOfTree(PRODUCT)): string[] => {
  const importsOf = Map.groupBy(imports, ({ from }) => from)
  const walked = new Set<string>()
  const circles: string[] = []
  const walk = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file)
    if (start !== -1) circles.push([...path.slice(start), file].join(' → '))
    if (walked.has(file)) return
    walked.add(file)
    for (const { to } of importsOf.get(file) ?? []) walk(to, [...path, file])
  }
  for (const file of importsOf.keys()) walk(file, [])
  return [...new Set(circles)]
}

/** What is wrong with a set of imports, one line each. */
export const findWrongImports = (imports: readonly Import[] = importsOfTree()): string[] => {
  const reach = new Map(Object.keys(KNOWS).map((subject) => [subject, reachOf(KNOWS, subject)]))
  const wrong = imports.filter((one) => isWrong(one, reach)).map(({ from, to }) => `${from} → ${to}`)
  return [...wrong, ...circlesInApi(imports)]
}

if (import.meta.main) {
  const wrong = findWrongImports()
  const circles = findCircles()
  if (wrong.length > 0)
    console.error(`Imports against the direction of the subjects (\`buildsOn\` in schemas/<subject>/subject.ts):\n${wrong.join('\n')}`)
  if (circles.length > 0) console.error(`Files that import each other:\n${circles.join('\n')}`)
  if (wrong.length + circles.length > 0) process.exitCode = 1
}
