import { Client, type Connection, type WorkflowClientInterceptor } from '@temporalio/client'
import type { EngineConnection } from './connection.ts'

/** A client of the workflow engine, with the namespace and the payload keys of its connection. */
export const createEngineClient = (
  connection: Connection,
  { namespace, payloadCodec }: Pick<EngineConnection, 'namespace' | 'payloadCodec'>,
  workflow: WorkflowClientInterceptor[] = [],
): Client => new Client({ connection, namespace, dataConverter: { payloadCodecs: [payloadCodec] }, interceptors: { workflow } })
