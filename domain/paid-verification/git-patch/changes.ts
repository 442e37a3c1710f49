import { ALWAYS_PROTECTED, isCovered } from './paths.ts'

/** One changed path of a patch, with the modes of git before and after; 000000 for none. */
export interface Change {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** What a patch may change. */
export interface ChangeRules {
  readonly allowedPaths: readonly string[] | null
  readonly protectedPaths: readonly string[]
  readonly maximumChangedFiles: number
}

type ViolationCode = 'too_many_files' | 'path_not_allowed' | 'path_protected' | 'no_plain_file' | 'hostile_path'
export interface Violation {
  readonly code: ViolationCode
  readonly path: string | null
}

const RECORD = /^:(\d{6}) (\d{6}) [0-9a-f]{40} [0-9a-f]{40} [A-Z]\d*$/
const SYMLINK = '120000'
const SUBMODULE = '160000'

/** Reads the raw, null-separated list of `git diff-index`; null if it is none. */
export const parseChanges = (text: string): Change[] | null => {
  const fields = text.split('\0')
  if (fields.pop() !== '') return null
  const changes: Change[] = []
  for (let index = 0; index < fields.length; index += 2) {
    const [, before, after] = RECORD.exec(fields[index] ?? '') ?? []
    const path = fields[index + 1]
    if (before === undefined || after === undefined || path === undefined || path === '') return null
    changes.push({ path, before, after })
  }
  return changes
}

/** Characters that hide what a path is: controls, marks of direction, backslashes. */
const HOSTILE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]|\ufffd/u
const isHostile = (path: string): boolean =>
  HOSTILE.test(path) || path.startsWith('/') || path.split('/').some((part) => /^\.{1,2}$|^\.git$/i.test(part))

/** Every rule that a patch breaks, in a fixed order. */
export const findViolations = (
  changes: readonly Change[],
  { allowedPaths, protectedPaths, maximumChangedFiles }: ChangeRules,
): Violation[] => {
  const guarded = [...ALWAYS_PROTECTED, ...protectedPaths]
  const each = (code: ViolationCode, breaks: (change: Change) => boolean): Violation[] =>
    changes.filter(breaks).map(({ path }) => ({ code, path }))
  return [
    ...(changes.length > maximumChangedFiles ? [{ code: 'too_many_files' as const, path: null }] : []),
    ...each('hostile_path', ({ path }) => isHostile(path)),
    ...each('no_plain_file', ({ before, after }) => [before, after].some((mode) => mode === SYMLINK || mode === SUBMODULE)),
    ...each('path_protected', ({ path }) => isCovered(path, guarded)),
    ...each('path_not_allowed', ({ path }) => allowedPaths !== null && !isCovered(path, allowedPaths)),
  ]
}
