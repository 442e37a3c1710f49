import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BundleOptions, bundleWorkflowCode } from '@temporalio/worker'

export const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url))
/** Modules that a bundle loads with the workflow code. */
export const workflowInterceptorModules = [fileURLToPath(new URL('../../workflows/common/tracing.ts', import.meta.url))]
const LIMITS_MODULE = fileURLToPath(new URL('../../workflows/common/limits.ts', import.meta.url))

/** Puts another module in place of the limits of steps. */
const withLimits = (module: string): Pick<BundleOptions, 'webpackConfigHook'> => ({
  webpackConfigHook: (config) => ({
    ...config,
    resolve: { ...config.resolve, alias: { ...config.resolve?.alias, [LIMITS_MODULE]: resolve(module) } },
  }),
})

// Writes the bundle to a file, so that a worker starts without building. Only tests name other limits.
if (import.meta.main) {
  const [outFile, limits] = process.argv.slice(2)
  if (!outFile) throw new Error('usage: node workers/temporal/bundle.ts <out file> [<module with the limits of steps>]')
  const { code } = await bundleWorkflowCode({ workflowsPath, workflowInterceptorModules, ...(limits && withLimits(limits)) })
  mkdirSync(dirname(outFile), { recursive: true })
  writeFileSync(outFile, code)
}
