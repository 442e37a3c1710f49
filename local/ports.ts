import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readIfThere, writePrivate } from './files.ts'
import { takeOwnership } from './ownership.ts'

/** Default ports, used when free. */
export const USUAL_PORTS = {
  api: 8787,
  workerMetrics: 8788,
  temporal: 7233,
  temporalUi: 8233,
  postgres: 15432,
  rpc: 8545,
  codehost: 8790,
  sources: 8791,
  artefacts: 8792,
  console: 8793,
}
type PortName = keyof typeof USUAL_PORTS
export type Ports = Record<PortName, number>
/** Ports reserved among stacks until `release`, since a chosen port is free until its server starts. */
export type ReservedPorts<Name extends string = PortName> = { ports: Record<Name, number>; release(): void }

/** Any free port for every server. */
export const ANY_PORTS: Ports = {
  api: 0,
  workerMetrics: 0,
  temporal: 0,
  temporalUi: 0,
  postgres: 0,
  rpc: 0,
  codehost: 0,
  sources: 0,
  artefacts: 0,
  console: 0,
}

/** Below the ephemeral port range. */
const FREE_FROM = 20_000
const FREE_TO = 32_000

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      ['EADDRINUSE', 'EACCES'].includes(error.code ?? '') ? resolve(false) : reject(error),
    )
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })

type Reservation = { port: number; release(): void }

const reserve = async (port: number): Promise<Reservation | undefined> => {
  const taken = takeOwnership(join(tmpdir(), `agent-work-ports-${process.getuid?.() ?? 0}`, String(port)))
  if ('owner' in taken) return undefined
  if (await isFree(port)) return { port, release: taken.release }
  taken.release()
  return undefined
}

const reserveWish = async (wish: number): Promise<Reservation> => {
  let found = wish === 0 ? undefined : await reserve(wish)
  while (!found) found = await reserve(randomInt(FREE_FROM, FREE_TO))
  return found
}

/** Reserves each wished port, or another free one when it is taken; all distinct. */
export const choosePorts = async <Name extends string>(wishes: Record<Name, number>): Promise<ReservedPorts<Name>> => {
  const chosen: [string, Reservation][] = []
  for (const [name, wish] of Object.entries<number>(wishes)) chosen.push([name, await reserveWish(wish)])
  return {
    ports: Object.fromEntries(chosen.map(([name, { port }]) => [name, port])) as Record<Name, number>,
    release: () => {
      for (const [, { release }] of chosen) release()
    },
  }
}

/** Reserves the ports of the last start where still free, so that links stay valid. */
export const rememberedPorts = async (file: string, wishes: Ports): Promise<ReservedPorts> => {
  const last = JSON.parse(readIfThere(file) ?? '{}') as Partial<Ports>
  const reserved = await choosePorts({ ...wishes, ...last })
  writePrivate(file, JSON.stringify(reserved.ports))
  return reserved
}
