import { Client, Connection } from '@temporalio/client'
import { NativeConnection, TransportError } from '@temporalio/worker'
import type { Settings } from '../../schemas/settings.ts'

type ServerSettings = Pick<Settings, 'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE'>

/** Whether the Temporal server does not answer: it may be down, or start later than the worker. */
export const isEngineUnreachable = (error: unknown): boolean => error instanceof TransportError

/** Opens the connection a worker polls on. */
export const connectWorker = ({ TEMPORAL_ADDRESS: address }: ServerSettings): Promise<NativeConnection> =>
  NativeConnection.connect({ address })

/** Opens the client that starts and signals other processes. */
export const connectClient = async ({
  TEMPORAL_ADDRESS: address,
  TEMPORAL_NAMESPACE: namespace,
}: ServerSettings): Promise<{ client: Client; close: () => Promise<void> }> => {
  const connection = await Connection.connect({ address })
  return { client: new Client({ connection, namespace }), close: () => connection.close() }
}
