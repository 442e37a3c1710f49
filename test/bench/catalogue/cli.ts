import { parseArgs } from 'node:util'
import { stateFiles } from '../../../local/files.ts'
import { readRunning } from '../../../local/info.ts'
import { STATE_DIRECTORY } from '../../../local/stack.ts'
import { readClockOffset } from '../../../local/time/clock.ts'
import { readChainFile } from '../../../schemas/chain/chain-file.ts'
import { fillCatalogue } from './bulk.ts'

const USAGE = `usage: node test/bench/catalogue/cli.ts --jobs N [--dir DIR]

Fills the catalogue of the running local stack with N generated jobs; a repeat adds what is missing.`

const dispatch = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({ args, options: { jobs: { type: 'string' }, dir: { type: 'string' } } })
  const jobs = Number(values.jobs)
  if (!Number.isSafeInteger(jobs) || jobs < 1) throw new Error(USAGE)
  const info = readRunning(stateFiles(values.dir ?? STATE_DIRECTORY))
  if (!info) throw new Error('no local stack runs: npm start')
  const began = performance.now()
  const { symbol, decimals } = readChainFile(info.chainFile).asset
  const now = Date.now() + readClockOffset(info.clockOffsetFile)
  const added = await fillCatalogue(info.databaseUrl, { jobs, asset: { symbol, decimals }, now })
  console.log(`${added} jobs added in ${((performance.now() - began) / 1000).toFixed(1)} s`)
}

try {
  await dispatch(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
