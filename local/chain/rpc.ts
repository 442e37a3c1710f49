/** Calls one JSON-RPC method; throws with the node's message. */
export type Rpc = <Result>(method: string, params?: unknown[]) => Promise<Result>

type Answer = { result?: unknown; error?: { code: number; message: string } }

const TIMEOUT_MS = 20_000

/** JSON-RPC client over HTTP. */
export const createRpc =
  (url: string): Rpc =>
  async <Result>(method: string, params: unknown[] = []): Promise<Result> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const answer = (await response.json()) as Answer
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result as Result
  }
