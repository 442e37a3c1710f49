import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { operationList } from '../../schemas/operations/registry.ts'
import { printOperations } from './print.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FILE = 'client/src/generated/operations.ts'

/** Text of the generated file, in the format of the repository. */
export const generateOperations = (): string => {
  const arguments_ = ['format', `--stdin-file-path=${FILE}`]
  const { status, stdout, stderr } = spawnSync(`${ROOT}node_modules/.bin/biome`, arguments_, {
    cwd: ROOT,
    input: printOperations(operationList),
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  if (status !== 0) throw new Error(`biome did not format the generated file: ${stderr}`)
  return stdout
}

if (import.meta.main) {
  writeFileSync(`${ROOT}${FILE}`, generateOperations())
  console.log(`${FILE} is written`)
}
