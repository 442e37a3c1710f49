import { openProxy } from './proxy.ts'

/** Stands between a client and the database; what it carries can fall silent for ever without an end, as when a host vanishes, while new connections pass. */
export const openVanisher = async (url: string) => {
  const { sockets, ...proxy } = await openProxy(url, (near, far) => near.pipe(far).pipe(near))
  const vanish = (): void => {
    for (const socket of sockets()) socket.unpipe().pause()
  }
  return { ...proxy, vanish }
}
