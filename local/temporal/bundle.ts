import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { contentHash, ROOT, tail } from '../files.ts'
import type { Processes } from '../processes.ts'

/** Everything that workflow code may import, and the pins of its libraries. */
const SOURCES = ['workers/temporal/bundle.ts', 'workflows/**/*.ts', 'domain/**/*.ts', 'schemas/**/*.ts', 'package-lock.json']

/** Bundles in a process of its own, which bounds memory and output of the bundler. */
const build = async (processes: Processes, file: string, limits: string[]): Promise<void> => {
  const task = await processes.start({
    name: 'bundle',
    command: process.execPath,
    args: ['workers/temporal/bundle.ts', file, ...limits],
    cwd: ROOT,
    task: true,
  })
  const { code } = await task.exited
  if (code !== 0) throw new Error(`the workflow code could not be bundled:\n${tail(task.logFile)}`)
}

/** Module (path from the root) that tests put in place of the limits of steps. */
const otherLimits = (): string[] => (process.env.WORKFLOW_LIMITS ? [process.env.WORKFLOW_LIMITS] : [])

/** Builds the workflow bundle of the current sources unless the cache has it. Returns its path. */
export const ensureBundle = async (processes: Processes, cache: string): Promise<string> => {
  const limits = otherLimits()
  const kind = limits.length > 0 ? 'test-workflows-' : 'workflows-'
  const name = `${kind}${contentHash([...SOURCES, ...limits])}.js`
  const file = join(cache, name)
  if (existsSync(file)) return file
  mkdirSync(cache, { recursive: true })
  const part = `${file}.${process.pid}.part`
  await build(processes, part, limits)
  for (const old of readdirSync(cache))
    if (old !== name && old.startsWith(kind) && old.endsWith('.js')) rmSync(join(cache, old), { force: true })
  renameSync(part, file)
  return file
}
