import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type WorkflowBundle } from '@temporalio/worker'

export const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url))

/** Bundles the workflow code in memory. */
export const bundleWorkflows = (): Promise<WorkflowBundle> => bundleWorkflowCode({ workflowsPath })

/** Writes the bundle to a file, so that a worker starts without building. */
export const buildBundle = async (outFile: string): Promise<void> => {
  const { code } = await bundleWorkflows()
  mkdirSync(dirname(outFile), { recursive: true })
  writeFileSync(outFile, code)
}

if (import.meta.main) {
  const [outFile] = process.argv.slice(2)
  if (!outFile) throw new Error('usage: node workers/temporal/bundle.ts <out file>')
  await buildBundle(outFile)
}
