import { connect, createServer, type Socket } from 'node:net'

/** Stands between a client and the database; what it carries can fall silent for ever without an end, as when a host vanishes, while new connections pass. */
export const openVanisher = async (url: string) => {
  const carried: Socket[] = []
  const target = new URL(url)
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    carried.push(near, far)
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const through = new URL(url)
  through.host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    url: through.href,
    vanish: () => {
      for (const socket of carried) socket.unpipe().pause()
    },
    close: () => {
      for (const socket of carried) socket.destroy()
      server.close()
    },
  }
}
