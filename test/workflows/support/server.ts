// One Temporal dev server for the workflow tests of a jest worker, with a namespace for each file.
import { randomUUID } from 'node:crypto'
import { Client, Connection } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { NativeConnection } from '@temporalio/worker'
import { registerAttributes } from '../../../activities/temporal/namespace.ts'
import { choosePorts } from '../../../local/ports.ts'
import { untilReady } from '../../../local/processes.ts'
import { findTemporal } from '../../../local/temporal/binary.ts'
import { DYNAMIC_CONFIG, withConnection } from '../../../local/temporal/start.ts'
import { type SharedPlace, sharedInWorker } from '../../support/shared.ts'

const READY_MS = 30_000
const RETENTION_MS = 24 * 60 * 60_000

/** Starts a dev server in memory whose workflows can be moved in time. The Java test server is not used: it skips to its ten-year time-outs. */
const startServer = async ({ processes }: SharedPlace, settings: Record<string, string>): Promise<string> => {
  const { ports, release } = await choosePorts({ temporal: 0 })
  const config = Object.entries({ ...DYNAMIC_CONFIG, ...settings }).flatMap(([name, value]) => [
    '--dynamic-config-value',
    `${name}=${value}`,
  ])
  const child = await processes.start({
    name: 'temporal',
    command: await findTemporal(() => undefined),
    args: [
      ...['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(ports.temporal), '--log-level', 'error'],
      ...config,
    ],
  })
  const address = `127.0.0.1:${ports.temporal}`
  const isReady = () =>
    withConnection({ address }, ({ workflowService }) => workflowService.describeNamespace({ namespace: 'default' })).then(
      () => true,
      () => false,
    )
  await untilReady([child], isReady, READY_MS).finally(release)
  return address
}

/** Connects to the server of this jest worker in a new namespace. A server with `historyLimit` calls a history of so many events long. */
export const connectToServer = async (historyLimit?: number) => {
  const settings: Record<string, string> =
    historyLimit === undefined ? {} : { 'limit.historyCount.suggestContinueAsNew': String(historyLimit) }
  const address = await sharedInWorker(`temporal${historyLimit ?? ''}`, (place) => startServer(place, settings))
  const [connection, nativeConnection] = await Promise.all([Connection.connect({ address }), NativeConnection.connect({ address })])
  const namespace = randomUUID()
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs(RETENTION_MS) })
  await registerAttributes(connection, namespace)
  return {
    address,
    namespace,
    client: new Client({ connection, namespace }),
    nativeConnection,
    close: async (): Promise<void> => {
      await connection.close()
      await nativeConnection.close()
    },
  }
}
