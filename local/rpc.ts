import { Agent, request as httpRequest } from 'node:http'

/** Calls one JSON-RPC method; throws with the node's message. */
export type Rpc = <Result>(method: string, params?: unknown[]) => Promise<Result>

type Answer = { result?: unknown; error?: { code: number; message: string } }

/** JSON-RPC client over HTTP with keep-alive. */
export const createRpc = (url: string): Rpc & { close(): void } => {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  let last = 0
  const post = (body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        url,
        { method: 'POST', agent, headers: { 'content-type': 'application/json' }, timeout: 20_000 },
        (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.once('end', () => resolve(Buffer.concat(chunks).toString('utf8'))).once('error', reject)
        },
      )
      outgoing.once('timeout', () => outgoing.destroy(new Error(`${url} does not answer`))).once('error', reject)
      outgoing.end(body)
    })
  const call = async <Result>(method: string, params: unknown[] = []): Promise<Result> => {
    last += 1
    const answer = JSON.parse(await post(JSON.stringify({ jsonrpc: '2.0', id: last, method, params }))) as Answer
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result as Result
  }
  return Object.assign(call, { close: () => agent.destroy() })
}
