import { spawnSync } from 'node:child_process'
import { test } from '@jest/globals'
import { ROOT } from '../files.ts'

/** Runs promtool in the checkout. */
export const promtool = (...given: string[]) => spawnSync('promtool', given, { cwd: ROOT, encoding: 'utf8' })

/** Declares a test that needs promtool. Where it is absent the run prints that it is skipped, and why. */
export const testWithPromtool = (title: string, run: () => void): void => {
  const isMissing = promtool('--version').status !== 0
  if (isMissing)
    process.stderr.write('1 test of alert rules or dashboard is skipped: promtool is not installed: apt-get install prometheus.\n')
  const declare = isMissing ? test.skip : test
  declare(title, run)
}
