// The few JSON-RPC calls that the tests make beside contract reads.
export type Rpc = (method: string, ...params: readonly unknown[]) => Promise<unknown>

interface Answer {
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

export function rpcTo(url: string): Rpc {
  let id = 0
  return async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const answer = (await response.json()) as Answer
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }
}
