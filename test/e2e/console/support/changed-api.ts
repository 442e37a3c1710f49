// An API that answers what another one answered before, with changed members: those of a newer version, or of strangers.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Changes the text of an answer. */
export type Change = (text: string, path: string) => string

/** Starts it. An answer is recorded by its path without the query, so that any filter finds the same records. `change` can be set at any time. */
export const startChangedApi = async (base: string) => {
  const recorded = new Map<string, Promise<{ status: number; text: string; type: string }>>()
  const state: { change: Change; isSilent: boolean } = { change: (text) => text, isSilent: false }
  const ask = async (url: string, authorization: string) => {
    const response = await fetch(base + url, { headers: { authorization } })
    return { status: response.status, text: await response.text(), type: response.headers.get('content-type') ?? '' }
  }
  const server = createServer(async (request, response) => {
    const { url = '/', headers, method } = request
    const [path = '/'] = url.split('?')
    if (state.isSilent && path !== '/auth/session') return
    const key = `${method} ${path} ${headers.authorization}`
    const found = recorded.get(key) ?? ask(url, headers.authorization ?? '')
    recorded.set(key, found)
    const { status, text, type } = await found
    const changed = path === '/auth/session' ? text : state.change(text, path)
    response.writeHead(status, { 'content-type': type }).end(changed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (change: Change) => {
      state.change = change
    },
    /** From now on it takes requests and answers none but that for the sign-in. */
    fallSilent: (isSilent: boolean) => {
      state.isSilent = isSilent
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
