// Plays random moves on the contracts, more often than the gate does and each time from another seed.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const USAGE = `usage: npm run play:contracts -- [--runs N] [--seed S]
Plays random moves of jobs and of savings N times each (default: 200, at least 20 to reach every kind of end) from a seed (default: the time), and compares every amount.`

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '200' }, seed: { type: 'string', default: String(Math.floor(Date.now() / 1_000)) } },
})
if (![values.runs, values.seed].every((value) => /^[1-9]\d{0,9}$/.test(value)) || Number(values.runs) < 20) {
  console.error(USAGE)
  process.exit(2)
}
const plays = ['conservation', 'savings'].map((name) => `test/long/contracts/${name}.test.ts`)
const { status } = spawnSync(
  process.execPath,
  [createRequire(import.meta.url).resolve('jest/bin/jest'), '--config', 'test/long/jest.config.js', ...plays],
  {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    env: { ...process.env, PLAY_RUNS: values.runs, PLAY_SEED: values.seed },
    stdio: 'inherit',
  },
)
process.exitCode = status ?? 1
