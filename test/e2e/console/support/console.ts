// The console in this process, against an API of a test.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { createApp } from '../../../../console/app.ts'
import { readSettings } from '../../../../console/settings.ts'

export type StartedConsole = Awaited<ReturnType<typeof startConsole>>

/** What a request has beside its path. `token` is that of the cookie. */
export interface Visit {
  token?: string | undefined
  /** Fields of a form; with them the request is a POST. */
  form?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
}

/** Starts the console on a free port. */
export const startConsole = async (api: string, env: Readonly<Record<string, string>> = {}) => {
  const lines: string[] = []
  const log = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  const ending = new AbortController()
  let handle: ReturnType<ReturnType<typeof createApp>['callback']> | undefined
  const server = createServer((request, response) => void handle?.(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = readSettings({ NODE_ENV: 'test', CONSOLE_API_URL: api, CONSOLE_URL: url, ...env })
  /** Answers of live updates that go on. */
  const streams = new Set<ServerResponse>()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/live')) return
    streams.add(response)
    response.on('close', () => streams.delete(response))
  })
  handle = createApp({ settings, logger: pino(log), ending: ending.signal }).callback()

  /** Requests a page, or sends a form as a browser does from a page of the console. */
  const visit = async (path: string, { token, form, headers = {} }: Visit = {}) => {
    const response = await fetch(url + path, {
      redirect: 'manual',
      method: form === undefined ? 'GET' : 'POST',
      headers: {
        ...(token !== undefined && { cookie: `__Host-console=${token}` }),
        ...(form !== undefined && { 'sec-fetch-site': 'same-origin' }),
        ...headers,
      },
      ...(form !== undefined && { body: new URLSearchParams(form) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, location: response.headers.get('location'), text }
  }

  return {
    url,
    visit,
    /** Lines of the log. */
    lines,
    /** Cuts the connection of every live page. */
    cutStreams: (): void => {
      for (const stream of streams) stream.destroy()
    },
    close: async () => {
      ending.abort()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The token that a cookie of an answer keeps; empty for one that forgets it. */
export const tokenIn = (headers: Headers): string | undefined => /__Host-console=([^;]*)/.exec(headers.get('set-cookie') ?? '')?.[1]
