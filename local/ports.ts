import { createServer, type Server } from 'node:net'
import { readIfThere, writePrivate } from './files.ts'

export type PortName = 'api' | 'temporal' | 'temporalUi' | 'postgres' | 'rpc'
export type Ports = Record<PortName, number>

/** Ports that the stack takes when nobody else has them. */
export const USUAL_PORTS: Ports = { api: 8787, temporal: 7233, temporalUi: 8233, postgres: 54329, rpc: 8545 }
/** No wish at all: every port is any free one. */
export const ANY_PORTS: Ports = { api: 0, temporal: 0, temporalUi: 0, postgres: 0, rpc: 0 }

const listen = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server))
  })

const listenOrElsewhere = async (port: number): Promise<Server> => {
  try {
    return await listen(port)
  } catch (error) {
    if (port === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return listen(0)
  }
}

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()))

const portOf = (server: Server): number => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return address.port
}

/** Each wish when free, else any free port; all distinct. Held until every one is chosen. */
export const choosePorts = async (wishes: Ports): Promise<Ports> => {
  const servers: [PortName, Server][] = []
  try {
    for (const [name, wish] of Object.entries(wishes) as [PortName, number][]) servers.push([name, await listenOrElsewhere(wish)])
    return Object.fromEntries(servers.map(([name, server]) => [name, portOf(server)])) as Ports
  } finally {
    await Promise.all(servers.map(([, server]) => close(server)))
  }
}

/** The ports of the last start when still free, so that links and bookmarks stay good. */
export const rememberedPorts = async (file: string, wishes: Ports): Promise<Ports> => {
  const last = JSON.parse(readIfThere(file) ?? '{}') as Partial<Ports>
  const ports = await choosePorts({ ...wishes, ...last })
  writePrivate(file, JSON.stringify(ports))
  return ports
}
