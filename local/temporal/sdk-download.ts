import { TestWorkflowEnvironment } from '@temporalio/testing'

/** Downloads the SDK's test server into a directory by starting it once. A process of its own, so that it can be killed when it hangs. */
const [version, downloadDir] = process.argv.slice(2)
if (version === undefined || downloadDir === undefined) throw new Error('usage: sdk-download <version> <directory>')
const executable = { type: 'cached-download', version, downloadDir, ttl: '3650 days' } as const
const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } })
await environment.teardown()
