import { TestWorkflowEnvironment } from '@temporalio/testing'

/** Lets the SDK fetch its own server into a directory, by starting it once. Runs apart, so that it can be ended when it hangs. */
const [kind, version, downloadDir] = process.argv.slice(2)
if (kind === undefined || version === undefined || downloadDir === undefined)
  throw new Error('usage: sdk-download <kind> <version> <directory>')
const executable = { type: 'cached-download', version, downloadDir, ttl: '3650 days' } as const
const environment =
  kind === 'temporal-test-server'
    ? await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } })
    : await TestWorkflowEnvironment.createLocal({ server: { executable } })
await environment.teardown()
