import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode } from '@temporalio/worker'

export const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url))

// Writes the bundle to a file, so that a worker starts without building.
if (import.meta.main) {
  const [outFile] = process.argv.slice(2)
  if (!outFile) throw new Error('usage: node workers/temporal/bundle.ts <out file>')
  const { code } = await bundleWorkflowCode({ workflowsPath })
  mkdirSync(dirname(outFile), { recursive: true })
  writeFileSync(outFile, code)
}
