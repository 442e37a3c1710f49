import { spawnSync } from 'node:child_process'

/** Longest time of one command of npm. */
const TIME_MS = 300_000
const OUTPUT_BYTES = 64 * 2 ** 20

/** What a command of npm printed: its JSON, or why there is none. */
export type NpmAnswer = { json: Record<string, unknown>; problem: null } | { json: null; problem: string }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Failure that npm reports inside its JSON; null for an answer. */
const failureIn = ({ message, error }: Record<string, unknown>): string | null => {
  const summary = isObject(error) ? error.summary : undefined
  const reason = [message, summary].find((text) => typeof text === 'string' && text !== '')
  if (reason !== undefined) return String(reason)
  return error === undefined ? null : 'npm reports an error without a reason'
}

/** Reads the JSON that a command of npm printed. npm ends with code 1 for findings and for failures alike, so the text decides. */
const parseNpmAnswer = (stdout: string, stderr: string): NpmAnswer => {
  try {
    const json: unknown = JSON.parse(stdout)
    if (!isObject(json)) return { json: null, problem: 'npm printed no object' }
    const problem = failureIn(json)
    return problem === null ? { json, problem } : { json: null, problem }
  } catch {
    const [line = 'npm printed nothing'] = stderr.split('\n').filter((text) => text.includes('error'))
    return { json: null, problem: line }
  }
}

/** Runs npm in a folder. */
export const runNpm = (folder: string, ...given: string[]): NpmAnswer => {
  const options = { cwd: folder, encoding: 'utf8', timeout: TIME_MS, maxBuffer: OUTPUT_BYTES } as const
  const { stdout, stderr, error } = spawnSync('npm', [...given, '--fetch-retries=0'], options)
  return error === undefined ? parseNpmAnswer(stdout, stderr) : { json: null, problem: error.message }
}
