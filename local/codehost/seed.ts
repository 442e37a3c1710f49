import { seededPackage, seededVersion } from '../sources/osv.ts'
import { mix, pickSeeded } from '../sources/seeded.ts'

/** Seeded issues of the code host, in so many repositories. */
export const SEEDED_ISSUES = 10_000
const SEEDED_REPOSITORIES = 200
/** Ids of seeded repositories begin here; those of others count up from 1. */
const FIRST_REPOSITORY_ID = 1_000_000

const NAMES = ['parser', 'queue', 'docs', 'client', 'store'] as const
const MINUTE_MS = 60_000

/** Number of a seeded repository by its name; undefined for any other. */
const seededRepository = (repo: string): number | undefined => {
  const [, owner, name = ''] = /^meadow-([0-9]{2})\/([a-z]+)$/.exec(repo.toLowerCase()) ?? []
  const place = (NAMES as readonly string[]).indexOf(name)
  const index = (Number(owner) - 1) * NAMES.length + place
  return place === -1 || !(index >= 0 && index < SEEDED_REPOSITORIES) ? undefined : index
}
const ownerOf = (index: number): string => `meadow-${String(Math.floor(index / NAMES.length) + 1).padStart(2, '0')}`
const repositoryName = (index: number): string => `${ownerOf(index)}/${NAMES[index % NAMES.length]}`
export const seededRepositoryId = (repo: string): number | undefined => {
  const index = seededRepository(repo)
  return index === undefined ? undefined : FIRST_REPOSITORY_ID + index
}
export const isSeededArchived = (repo: string): boolean => (seededRepository(repo) ?? 0) % 25 === 24
export const isSeededDisabled = (repo: string): boolean => seededRepository(repo) === 113

/** An issue of the host; times are epoch ms. */
export interface LocalIssue {
  repo: string
  number: number
  title: string
  body: string | null
  labels: string[]
  state: 'open' | 'closed'
  assignees: string[]
  isLocked: boolean
  /** True for a pull request, which the host lists as an issue. */
  isPull: boolean
  comments: number
  createdAt: number
  updatedAt: number
  /** Last comment of a member; null without one. */
  maintainerCommentAt: number | null
  /** Open pull requests of the repository that mention it. */
  openPulls: number[]
}

const THINGS = ['the table reader', 'the retry policy', 'the port setting', 'the index page', 'the cache key', 'the log format'] as const
const TITLES: readonly ((thing: string, number: number) => string)[] = [
  (thing, number) => `${thing} drops the last row of ${number} rows`,
  (thing) => `Add tests for ${thing}`,
  (thing) => `Docs of ${thing} name a removed flag`,
  (thing) => `Missing validation in ${thing}`,
  (thing) => `Refactor ${thing}`,
  (thing, number) => `Crash of ${thing} with ${number} entries`,
  (thing, number) => `Größe der Ausgabe falsch: ${thing}, ${number} Zeilen`,
]
const LABELS = [
  ['good first issue', 'help wanted', 'documentation'],
  ['good first issue', 'bug'],
  ['help wanted', 'tests'],
  ['help wanted', 'bug'],
  ['enhancement'],
  ['type: bug', 'area/docs'],
  ['security', 'help wanted'],
  ['good first issue', 'help wanted', 'tests', 'bug'],
] as const

const bodyOf = (index: number, thing: string): string | null => {
  if (index % 101 === 0) return null
  const steps = index % 3 === 0 ? `\n\n## Steps to reproduce\n1. Use ${thing} with ${index % 17} entries.\n2. Compare the result.` : ''
  const text = `With ${index % 50} entries ${thing} gives another result than its page says. The result should be the same for any number of entries.${steps}`
  return index % 211 === 0 ? `${text}\n\n${'Log line without meaning. '.repeat(400)}` : text
}

/** Issues from 5,000 to 5,149 were changed in the same second, as by a bulk edit. */
const orderOf = (index: number): number => (index >= 5_000 && index < 5_150 ? 5_149 : index)

/** When a seeded issue changed last: the newest at `newest`, each one before it 40 minutes earlier. */
const updatedAt = (index: number, newest: number): number => newest - (SEEDED_ISSUES - 1 - orderOf(index)) * 40 * MINUTE_MS

/** The seeded issue with this index, from 0 to 9,999, the newest last. */
export const seededIssue = (index: number, newest: number): LocalIssue => {
  const thing = pickSeeded(THINGS, index, 1)
  const title = pickSeeded(TITLES, index, 2)
  const changed = updatedAt(index, newest)
  const number = Math.floor(index / SEEDED_REPOSITORIES) * 2 + 1
  const days = mix(index, 3) % 400
  return {
    repo: repositoryName(index % SEEDED_REPOSITORIES),
    number,
    title: title(thing, index % 90),
    body: bodyOf(index, thing),
    labels: [...pickSeeded(LABELS, index, 4)],
    state: 'open',
    assignees: mix(index, 5) % 10 === 0 ? ['member-1'] : [],
    isLocked: mix(index, 6) % 100 === 0,
    isPull: false,
    comments: mix(index, 7) % 20,
    createdAt: changed - (days + 1) * 1_440 * MINUTE_MS,
    updatedAt: changed,
    maintainerCommentAt: mix(index, 8) % 4 === 0 ? null : changed - days * 1_440 * MINUTE_MS,
    openPulls: mix(index, 9) % 20 === 0 ? [number + 1] : [],
  }
}

/** Index of a seeded issue by its place; undefined where none is seeded. */
export const seededIndex = (repo: string, number: number): number | undefined => {
  const repository = seededRepository(repo)
  const row = (number - 1) / 2
  const index = row * SEEDED_REPOSITORIES + (repository ?? 0)
  return repository === undefined || !Number.isInteger(row) || row < 0 || index >= SEEDED_ISSUES ? undefined : index
}

const FRIENDLY = '# Contributing\n\nFork the repository, add a test and open a pull request. Thank you for your help.\n'
/** Policy files by the last digit of the number of a repository; others have a friendly file. */
const POLICIES: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  1: { 'AI_POLICY.md': '# AI policy\n\nWe do not accept contributions made by AI agents. Such pull requests are closed.\n' },
  2: {
    'CONTRIBUTING.md':
      '# Contributing\n\n## Use of AI\n\nAI tools are welcome, but a human must review and understand every change before it is submitted.\n',
  },
  3: {
    'CONTRIBUTING.md': '# Contributing\n\n## Use of AI\n\nPlease disclose any use of AI tools in the description of the pull request.\n',
  },
  4: { '.github/CONTRIBUTING.md': FRIENDLY, '.github/PULL_REQUEST_TEMPLATE.md': '- [ ] Tests pass\n' },
}

const lockFile = (index: number): string => {
  const packages = Array.from({ length: 12 }, (_, nth) => index * 12 + nth)
  const direct = Object.fromEntries(packages.slice(0, 6).map((number) => [seededPackage(number), `^${seededVersion(number)}`]))
  const entries = packages.map((number) => [
    `node_modules/${seededPackage(number)}`,
    { version: seededVersion(number), resolved: `https://registry.npmjs.org/${seededPackage(number)}/-/${seededPackage(number)}-1.tgz` },
  ])
  const name = repositoryName(index).replace('/', '-')
  return JSON.stringify({ name, lockfileVersion: 3, packages: { '': { name, dependencies: direct }, ...Object.fromEntries(entries) } })
}

/** Files of a repository by their paths; undefined where the owner has none of this name. */
export const seededFiles = (repo: string): Readonly<Record<string, string>> | undefined => {
  const [owner = '', name] = repo.toLowerCase().split('/')
  // One owner says no for all of its repositories.
  if (name === '.github')
    return owner === 'meadow-05' ? { 'AI-AGENTS.md': '# Agents\n\nContributions by AI agents are not accepted.\n' } : undefined
  const index = seededRepository(repo)
  if (index === undefined) return { 'README.md': `# ${repo}\n` }
  const policy = POLICIES[index % 10] ?? { 'CONTRIBUTING.md': FRIENDLY }
  return { 'README.md': `# ${repo}\n`, ...policy, ...(index % 4 === 0 && { 'package-lock.json': lockFile(index) }) }
}
