import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { PUBLISHED_DIGESTS } from '../../../../schemas/paid-verification/profiles/profiles.ts'

/** Loads the document of a profile with another time-out, as if its file had been edited. */
const CHANGED = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module'
const change = (text) => text.replace('"timeoutMs": 120000', '"timeoutMs": 120001')
registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context)
    return url.endsWith('/git-patch-tests-v1.json') ? { ...loaded, source: change(String(loaded.source)) } : loaded
  },
})`)}`

/** Starts a process with a bad setting, so that it ends in any case: with what it finds first. */
const start = (program: string, options: readonly string[]) => {
  const path = fileURLToPath(new URL(`../../../../${program}`, import.meta.url))
  const env = { PATH: process.env.PATH, LOG_LEVEL: 'no level' }
  const { status, stderr } = spawnSync(process.execPath, [...options, path], {
    env,
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  return { status, stderr }
}

describe.each(['api/main.ts', 'workers/worker.ts', 'workers/runner.ts'])('the process of %s', (program) => {
  test('does not start with a profile that differs from the one which was published under its version, and names both digests', () => {
    const { status, stderr } = start(program, ['--import', CHANGED])
    const published = PUBLISHED_DIGESTS['git-patch-tests-v1@1']
    expect(stderr).toMatch(
      new RegExp(
        `The profile git-patch-tests-v1@1 has the digest 0x[0-9a-f]{64}, and was published with ${published}\\. Publish a new version`,
      ),
    )
    expect(status).toBe(1)
  })

  test('finds no fault in the profiles as they were published', () => {
    const { status, stderr } = start(program, [])
    expect(stderr).toMatch(/^bad settings: .*LOG_LEVEL/)
    expect(status).toBe(1)
  })
})
