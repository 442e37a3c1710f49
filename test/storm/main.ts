import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const USAGE = `usage: npm run storm -- [options]

Plays the storm of test/storm with one seed after another, and names the seeds that failed.

  --seeds N   number of seeds (default: 20)
  --first S   number of the first seed (default: 1); STORM_SEED=S plays one alone`

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '20' }, first: { type: 'string', default: '1' }, help: { type: 'boolean', default: false } },
})
if (values.help || ![values.seeds, values.first].every((value) => /^[1-9]\d*$/.test(value))) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 2)
}

const jest = ['node_modules/jest/bin/jest.js', '--config', 'test/long/jest.config.js', 'test/long/storm']
const failed = Array.from({ length: Number(values.seeds) }, (_, index) => String(Number(values.first) + index)).filter((seed) => {
  const { status } = spawnSync(process.execPath, jest, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, CASES: 'all', STORM_SEED: seed },
  })
  return status !== 0
})
console.log(
  `${Number(values.seeds) - failed.length} of ${values.seeds} seeds passed${failed.length > 0 ? `; failed: ${failed.join(', ')}` : ''}`,
)
process.exitCode = failed.length > 0 ? 1 : 0
