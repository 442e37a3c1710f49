import { z } from 'zod'
import { isSeededArchived, isSeededDisabled, type LocalIssue, SEEDED_ISSUES, seededFiles, seededIndex, seededIssue } from './seed.ts'
import type { CodehostWorld } from './world.ts'

const Time = z.iso.datetime().transform((text) => Date.parse(text))

/** What a script may set of an issue. */
const IssueMembers = z.strictObject({
  title: z.string(),
  body: z.string().nullable(),
  labels: z.array(z.string()),
  state: z.enum(['open', 'closed']),
  assignees: z.array(z.string()),
  isLocked: z.boolean(),
  isPull: z.boolean(),
  comments: z.int(),
  updatedAt: Time,
  maintainerCommentAt: Time.nullable(),
  openPulls: z.array(z.int()),
  /** Name of the repository that it was transferred to. */
  transferTo: z.string(),
})
/** A scripted change of an issue; absent members stay unchanged, or are those of a new one. Times are ISO 8601 in the script, epoch ms here. */
export const IssueChange = IssueMembers.partial()
export type IssueChange = z.infer<typeof IssueChange>

/** A scripted change of a file; null removes it. */
export const FileChange = z.strictObject({ path: z.string(), content: z.string().nullable() })

/** Members of a repository that a script may set. */
export const StateChange = z
  .strictObject({
    archived: z.boolean(),
    disabled: z.boolean(),
    private: z.boolean(),
    missing: z.boolean(),
    hasPullRequests: z.boolean(),
    createdAt: Time,
    stars: z.int().nonnegative(),
  })
  .partial()
export type StateChange = z.infer<typeof StateChange>

const ScriptedIssue = z.strictObject({
  title: z.string().optional(),
  body: z.string().nullable().optional(),
  state: z.enum(['open', 'closed']).optional(),
  /** Where a transferred issue is now. */
  movedTo: z.string().optional(),
  isDeleted: z.boolean().optional(),
})

/** Several changes of one repository at once; absent members stay. */
export const ContentChange = z.strictObject({
  /** Texts by path; null removes a file. */
  files: z.record(z.string(), z.string().nullable()).optional(),
  /** Issues by number. */
  issues: z.record(z.string(), ScriptedIssue).optional(),
  archived: z.boolean().optional(),
  /** Answers 404, as a deleted repository does. */
  isGone: z.boolean().optional(),
})
export type ContentChange = z.input<typeof ContentChange>

/** Age and stars of a repository of which no script says anything else. */
const AGE_MS = 1_000 * 86_400_000
const STARS = 120

const keyOf = (repo: string, number: number): string => `${repo.toLowerCase()}#${number}`

type Override = IssueChange | 'deleted'

/** Issues and files of the host: seeded ones, made as they are asked for, with what scripts changed. Times of seeded ones end at `newest`, epoch ms. */
export const createCodehostContent = (world: CodehostWorld, newest: number) => {
  const issues = new Map<string, Override>()
  const files = new Map<string, Map<string, string | null>>()
  const states = new Map<string, StateChange>()

  const plainIssue = (repo: string, number: number): LocalIssue => ({
    repo,
    number,
    title: `Issue ${number}`,
    body: '',
    labels: [],
    state: 'open',
    assignees: [],
    isLocked: false,
    isPull: false,
    comments: 0,
    createdAt: newest,
    updatedAt: newest,
    maintainerCommentAt: null,
    openPulls: [],
  })

  const changed = (issue: LocalIssue, origin: string): LocalIssue | null => {
    const override = issues.get(keyOf(origin, issue.number))
    if (override === 'deleted') return null
    const members = Object.fromEntries(Object.entries(override ?? {}).filter(([, value]) => value !== undefined))
    return { ...issue, ...members, repo: world.currentNameOf(origin) }
  }

  /** An issue by its place; null for a deleted one, undefined where none ever was. */
  const findIssue = (repo: string, number: number): LocalIssue | null | undefined => {
    const origin = world.originOf(repo)
    const index = seededIndex(origin, number)
    if (index !== undefined) return changed(seededIssue(index, newest), origin)
    // Repositories beyond the seeded ones have any issue, so that a job may name one.
    return seededIndex(origin, 1) === undefined ? changed(plainIssue(repo, number), origin) : undefined
  }

  const setIssue = (repo: string, number: number, change: IssueChange): void => {
    const key = keyOf(world.originOf(repo), number)
    const before = issues.get(key)
    issues.set(key, { ...(before === 'deleted' ? {} : before), ...change })
  }
  const deleteIssue = (repo: string, number: number): void => {
    issues.set(keyOf(world.originOf(repo), number), 'deleted')
  }
  const setFile = (repo: string, path: string, content: string | null): void => {
    const origin = world.originOf(repo).toLowerCase()
    files.set(origin, (files.get(origin) ?? new Map<string, string | null>()).set(path, content))
  }
  const setState = (repo: string, change: StateChange): void => {
    const origin = world.originOf(repo).toLowerCase()
    states.set(origin, { ...states.get(origin), ...change })
  }

  return {
    newest,
    findIssue,
    setIssue,
    deleteIssue,
    setFile,
    setState,

    /** Takes back what scripts changed. */
    clear: (): void => {
      for (const scripted of [issues, files, states]) scripted.clear()
    },

    /** Changes files, issues and state of a repository, which exists from then on. */
    change: (repo: string, { files: texts = {}, issues: changes = {}, archived, isGone }: ContentChange): void => {
      for (const [path, text] of Object.entries(texts)) setFile(repo, path, text)
      for (const [number, { isDeleted, movedTo, ...members }] of Object.entries(changes)) {
        if (isDeleted === true) deleteIssue(repo, Number(number))
        else setIssue(repo, Number(number), { ...members, ...(movedTo !== undefined && { transferTo: movedTo }) })
      }
      setState(repo, { missing: isGone ?? false, ...(archived !== undefined && { archived }) })
    },

    /** New name of the repository that a transferred issue went to; undefined for any other. */
    transferOf: (repo: string, number: number): string | undefined => {
      const override = issues.get(keyOf(world.originOf(repo), number))
      return override === undefined || override === 'deleted' ? undefined : override.transferTo
    },

    /** Every issue that a search can find: seeded ones and those of scripts. */
    *allIssues(): Generator<LocalIssue> {
      for (const key of issues.keys()) {
        const [repo = '', number = ''] = key.split('#')
        const found = seededIndex(repo, Number(number)) === undefined ? findIssue(world.currentNameOf(repo), Number(number)) : null
        if (found != null) yield found
      }
      for (let index = SEEDED_ISSUES - 1; index >= 0; index -= 1) {
        const issue = seededIssue(index, newest)
        const found = changed(issue, issue.repo)
        if (found !== null) yield found
      }
    },

    /** Files of a repository by path. */
    filesOf: (repo: string): ReadonlyMap<string, string> => {
      const origin = world.originOf(repo)
      const own = files.get(origin.toLowerCase())
      const seeded = seededFiles(origin)
      const plain = origin.endsWith('/.github') ? {} : { 'README.md': `# ${origin}\n` }
      const all = [...Object.entries(seeded ?? plain), ...(own ?? [])]
      const found = new Map(all)
      return new Map([...found].flatMap(([path, text]) => (text === null ? [] : [[path, text] as const])))
    },

    stateOf: (repo: string): { [Name in keyof StateChange]-?: NonNullable<StateChange[Name]> } => {
      const origin = world.originOf(repo)
      const { archived, disabled, private: isPrivate, missing, hasPullRequests, createdAt, stars } = states.get(origin.toLowerCase()) ?? {}
      return {
        archived: archived ?? isSeededArchived(origin),
        disabled: disabled ?? isSeededDisabled(origin),
        private: isPrivate ?? false,
        // An owner has no repository for its files until a script gives it one.
        missing: missing ?? (origin.endsWith('/.github') && seededFiles(origin) === undefined && !files.has(origin.toLowerCase())),
        hasPullRequests: hasPullRequests ?? true,
        createdAt: createdAt ?? newest - AGE_MS,
        stars: stars ?? STARS,
      }
    },
  }
}
export type CodehostContent = ReturnType<typeof createCodehostContent>
