// Other builds of the workflow code: a copy of its sources with one change, bundled by the script of releases.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const COPIED = ['package.json', 'tsconfig.json', 'domain', 'schemas', 'workflows', 'workers']
const CHANGED = 'workflows/common/proxies.ts'
const CLOCK = 'export const clock = proxyActivities<ClockActivities>(RECORD_STEPS)'

/** A process asks for the time once more before each wait: by a patch, which leaves older processes as they are, or without one. */
const CHANGES = {
  patched: `const once = proxyActivities<ClockActivities>(RECORD_STEPS)
export const clock: ClockActivities = {
  millisecondsUntil: async (instant) => {
    if (patched('ask-once-more')) await once.millisecondsUntil(instant)
    return once.millisecondsUntil(instant)
  },
}`,
  unpatched: `const once = proxyActivities<ClockActivities>(RECORD_STEPS)
export const clock: ClockActivities = {
  millisecondsUntil: async (instant) => {
    await once.millisecondsUntil(instant)
    return once.millisecondsUntil(instant)
  },
}`,
}

/** Builds the workflow code with a change. Returns the file of the bundle, and a function that removes it. */
export const changedBuild = (change: keyof typeof CHANGES): { bundle: string; remove: () => void } => {
  const directory = mkdtempSync(join(tmpdir(), `build-${change}-`))
  for (const part of COPIED) cpSync(join(ROOT, part), join(directory, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  const file = join(directory, CHANGED)
  const source = readFileSync(file, 'utf8')
  if (!source.includes(CLOCK)) throw new Error(`${CHANGED} has no line ${CLOCK}`)
  writeFileSync(file, source.replace(CLOCK, CHANGES[change]).replace('proxyActivities }', 'patched, proxyActivities }'))
  const bundle = join(directory, 'workflows.js')
  execFileSync(process.execPath, ['workers/temporal/bundle.ts', bundle], { cwd: directory, stdio: 'pipe' })
  return { bundle, remove: () => rmSync(directory, { recursive: true, force: true }) }
}
