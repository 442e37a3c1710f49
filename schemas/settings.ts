import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { sentenceOf } from './operations/field-errors.ts'
import { SettingsError } from './settings-error.ts'
import { mergeSettings } from './subjects.ts'

/** Settings of a process. An unknown `WORKER_*`, `ONBOARDING_*`, `CODEHOST_*` or `MAINTAINER_*` name stops the start. */
export const Settings = z.object(mergeSettings())
export type Settings = z.infer<typeof Settings>

/** Settings that hold a secret, each also by `<NAME>_FILE`. */
export const KEY_NAMES = Object.entries<z.ZodType>(Settings.shape).flatMap(([name, setting]) =>
  setting.meta()?.secret === true ? [name] : [],
)
const GUARDED = /^(WORKER|ONBOARDING|CODEHOST|MAINTAINER)_/

/** An environment, and the same with files in place of their names. */
export type Environment = Readonly<Record<string, string | undefined>>

const describe = (issue: z.core.$ZodIssue): string => `${issue.path.join('.')}: ${issue.message}`

/**
 * Values with the contents of `<NAME>_FILE`, and which file cannot be read. A value that is empty counts as not set, also the name of a file
 * and its content.
 */
export const readValues = (env: Environment): { values: Environment; problems: string[] } => {
  const set = Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== '')
  const values: Record<string, string | undefined> = Object.fromEntries(set)
  const problems: string[] = []
  for (const name of KEY_NAMES) {
    const path = values[`${name}_FILE`]
    if (values[name] !== undefined) delete values[`${name}_FILE`]
    if (path === undefined || values[name] !== undefined) continue
    try {
      values[name] = readFileSync(path, 'utf8').trim() || undefined
    } catch {
      problems.push(`${name}_FILE: the file cannot be read`)
    }
  }
  return { values, problems }
}

const unknownSettings = (values: Environment): string[] => {
  const known = new Set([...Object.keys(Settings.shape), ...KEY_NAMES.map((name) => `${name}_FILE`)])
  return Object.keys(values).filter((name) => GUARDED.test(name) && !known.has(name))
}

/** Settings of an environment, null if one is bad; every problem; and the values as they were given. */
export const parseSettings = (env: Environment): { settings: Settings | null; problems: string[]; values: Environment } => {
  const { values, problems } = readValues(env)
  const parsed = Settings.safeParse(values, { error: sentenceOf })
  const found = [
    ...problems,
    ...unknownSettings(values).map((name) => `${name}: is not a setting`),
    ...(parsed.error?.issues.map(describe) ?? []),
  ]
  return { settings: found.length === 0 && parsed.success ? parsed.data : null, problems: found, values }
}

/** Reads settings from an environment; `<KEY>_FILE` names a file with the secret. Throws one `SettingsError` that names every bad setting. */
export const readSettings = (env: Environment): Settings => {
  const { settings, problems } = parseSettings(env)
  if (settings === null) throw new SettingsError(problems)
  return settings
}
