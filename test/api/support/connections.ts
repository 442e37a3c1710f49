import type { Socket } from 'node:net'
import { eventually } from '../../support/eventually.ts'

/** Resolves when a server of this process has read so many bytes of a caller, or has closed its connection. */
export const untilRead = (connections: ReadonlySet<Socket>, caller: Socket, bytes: number): Promise<unknown> => {
  let wasOpen = false
  return eventually(`${bytes} bytes are read`, () => {
    const connection = [...connections].find(({ remotePort }) => remotePort !== undefined && remotePort === caller.localPort)
    if (connection === undefined) return wasOpen || caller.readableEnded || caller.closed
    wasOpen = true
    return connection.bytesRead >= bytes
  })
}
