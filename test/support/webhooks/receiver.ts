import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A host without a server, which a stack or fleet has to allow when tests name it. */
export const WEBHOOK_HOST = '127.0.0.1:1'

/** A request of the service to a receiver. */
export interface Received {
  id: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** Parsed body. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the service sent.
  event: any
}

/** Answers a request; the default is 200. */
export type Answer = (response: ServerResponse, received: Received) => void

/** A local HTTP server that keeps what it received. */
export const startReceiver = async () => {
  const received: Received[] = []
  const usual: Answer = (response) => response.end('thank you')
  let answer = usual
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    const body = Buffer.concat(chunks).toString('utf8')
    const one = {
      id: String(request.headers['webhook-id']),
      path: request.url ?? '',
      headers: request.headers,
      body,
      event: JSON.parse(body),
    }
    received.push(one)
    answer(response, one)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: `http://${host}/events`,
    received,
    ids: (): string[] => received.map(({ id }) => id),
    answerWith: (next: Answer = usual): void => {
      answer = next
    },
    close: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Whether a request has the signature of a secret, computed as a receiver would. */
export const isSigned = ({ headers, body }: Received, secret: string): boolean => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}
