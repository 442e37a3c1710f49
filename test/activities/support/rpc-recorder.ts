// Stands between a client and its node and writes down which methods were asked for.
import { createServer } from 'node:http'

const methodsIn = (body: string): string[] => {
  const parsed: unknown = JSON.parse(body)
  return (Array.isArray(parsed) ? parsed : [parsed]).flatMap((one: { method?: unknown }) =>
    typeof one.method === 'string' ? [one.method] : [],
  )
}

const read = async (request: AsyncIterable<Buffer>): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

export interface RpcRecorder {
  url: string
  /** Every method asked for, in the order of arrival. */
  methods: string[]
  stop(): Promise<void>
}

export const startRpcRecorder = async (node: string): Promise<RpcRecorder> => {
  const methods: string[] = []
  const server = createServer(async (request, response) => {
    const body = await read(request)
    methods.push(...methodsIn(body))
    const answer = await fetch(node, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening')
  return {
    url: `http://127.0.0.1:${address.port}`,
    methods,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
