import { Client, Connection } from '@temporalio/client'
import { NativeConnection, TransportError } from '@temporalio/worker'
import type { Settings } from '../../schemas/settings.ts'

type Where = Pick<Settings, 'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE'>

/** Nothing answers at the engine's address: it may be down, or begin later than the worker. */
export const isEngineAway = (error: unknown): boolean => error instanceof TransportError

/** Connection a worker polls on. */
export const connectWorker = ({ TEMPORAL_ADDRESS: address }: Where): Promise<NativeConnection> => NativeConnection.connect({ address })

/** Client for starting and signalling siblings. */
export const connectClient = async ({
  TEMPORAL_ADDRESS: address,
  TEMPORAL_NAMESPACE: namespace,
}: Where): Promise<{ client: Client; close: () => Promise<void> }> => {
  const connection = await Connection.connect({ address })
  return { client: new Client({ connection, namespace }), close: () => connection.close() }
}
