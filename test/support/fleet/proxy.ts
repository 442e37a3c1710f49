import { connect, createServer, type Socket } from 'node:net'

/** A proxy in front of a server. `join` decides what it carries between a caller's socket and that of the server. */
export const openProxy = async (url: string, join: (near: Socket, far: Socket) => void) => {
  const target = new URL(url)
  const sockets: Socket[] = []
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    sockets.push(near, far)
    for (const socket of [near, far]) socket.on('error', () => undefined)
    join(near, far)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const through = new URL(url)
  through.host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    url: through.href,
    /** Sockets of both sides, closed ones too. */
    sockets: (): readonly Socket[] => sockets,
    close: (): void => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
