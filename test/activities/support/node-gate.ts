// A node whose answers a test may spoil: everything passes through here to the real one.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Call {
  id: number
  method: string
  params?: unknown[]
}

/** What becomes of a call: passed on, answered with an error or with a changed result, or its connection is cut. */
export type Fate = 'pass' | 'cut' | { error: string } | { change: (result: unknown) => unknown }

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

export type NodeGate = Awaited<ReturnType<typeof startNodeGate>>

/** Starts the gate before a node. */
export const startNodeGate = async (rpcUrl: string) => {
  let judge: (call: Call) => Fate = () => 'pass'
  const seen: Call[] = []

  const answer = async (call: Call): Promise<unknown> => {
    const fate = judge(call)
    if (typeof fate === 'object' && 'error' in fate) return { jsonrpc: '2.0', id: call.id, error: { code: -32005, message: fate.error } }
    const headers = { 'content-type': 'application/json' }
    const answered = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...call }) })
    const { result, ...rest } = (await answered.json()) as { result?: unknown }
    if (result === undefined) return rest
    return { ...rest, result: typeof fate === 'object' ? fate.change(result) : result }
  }

  const server = createServer(async (request, response) => {
    const body = JSON.parse(await bodyOf(request)) as Call | Call[]
    const calls = Array.isArray(body) ? body : [body]
    seen.push(...calls)
    if (calls.some((call) => judge(call) === 'cut')) return request.socket.destroy()
    const answers = await Promise.all(calls.map(answer))
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Every call from now on meets this fate; without one all pass. */
    spoil: (next: (call: Call) => Fate = () => 'pass'): void => {
      judge = next
      seen.length = 0
    },
    /** Calls of a method since the last change of fate. */
    callsOf: (method: string): Call[] => seen.filter((call) => call.method === method),
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Blocks a question for logs spans. */
export const spanOf = ({ params }: Call): number => {
  const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
  return Number(toBlock) - Number(fromBlock) + 1
}
