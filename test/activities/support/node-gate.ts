// A node whose answers a test may spoil: everything passes through here to the real one.
import type { IncomingMessage } from 'node:http'
import { startHttpServer } from './http-server.ts'

export interface Call {
  id: number
  method: string
  params?: unknown[]
}

/**
 * What becomes of a call: passed on, answered with an error (after it took effect, with `isForwarded`), passed on with other parameters or
 * answered with a changed result; or its connection is cut.
 */
export type Fate =
  | 'pass'
  | 'cut'
  | { error: string; code?: number; isForwarded?: boolean }
  | { params?: unknown[]; change?: (result: unknown) => unknown }

/** An answer of HTTP that stands for all of a request's calls. */
export interface HttpAnswer {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

/** How a node fails. */
export interface Fault {
  call?: (call: Call) => Fate | Promise<Fate>
  /** Answers a whole request in place of the node; undefined passes it on. */
  request?: (calls: Call[], isBatch: boolean) => HttpAnswer | 'cut' | undefined | Promise<HttpAnswer | 'cut' | undefined>
  /** Order of the answers to a batch. */
  arrange?: (answers: unknown[]) => unknown[]
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

export type NodeGate = Awaited<ReturnType<typeof startNodeGate>>

/** Starts the gate before a node. */
export const startNodeGate = async (rpcUrl: string) => {
  let fault: Fault = {}
  const seen: Call[] = []

  const forward = async (body: unknown): Promise<unknown> =>
    (await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json()

  const answer = async (call: Call, fate: Fate): Promise<unknown> => {
    if (fate === 'pass' || fate === 'cut') return forward({ jsonrpc: '2.0', ...call })
    if ('error' in fate) {
      if (fate.isForwarded === true) await forward({ jsonrpc: '2.0', ...call })
      return { jsonrpc: '2.0', id: call.id, error: { code: fate.code ?? -32005, message: fate.error } }
    }
    const answered = (await forward({ jsonrpc: '2.0', ...call, ...(fate.params && { params: fate.params }) })) as { result?: unknown }
    return fate.change === undefined || !('result' in answered) ? answered : { ...answered, result: fate.change(answered.result) }
  }

  /** The body of the answer; null when the connection is cut. */
  const answerAll = async (body: Call | Call[], calls: Call[]): Promise<HttpAnswer | null> => {
    const { call: judge, request, arrange = (answers) => answers } = fault
    const whole = await request?.(calls, Array.isArray(body))
    if (whole !== undefined) return whole === 'cut' ? null : whole
    if (judge === undefined) {
      const answers = await forward(body)
      return { status: 200, body: Array.isArray(answers) ? arrange(answers) : answers }
    }
    const fates = await Promise.all(calls.map(async (call) => judge(call)))
    if (fates.includes('cut')) return null
    const answers = await Promise.all(calls.map((call, index) => answer(call, fates[index] ?? 'pass')))
    return { status: 200, body: Array.isArray(body) ? arrange(answers) : answers[0] }
  }

  const { url, stop } = await startHttpServer(async (request, response) => {
    try {
      const body = JSON.parse(await bodyOf(request)) as Call | Call[]
      const calls = [body].flat()
      seen.push(...calls)
      const answered = await answerAll(body, calls)
      if (answered === null) return request.socket.destroy()
      response.writeHead(answered.status, { 'content-type': 'application/json', ...answered.headers })
      return response.end(answered.body === undefined ? '' : JSON.stringify(answered.body))
    } catch {
      // The node is away, or the caller has gone.
      return request.socket.destroy()
    }
  })

  const suffer = (next: Fault = {}): void => {
    fault = next
    seen.length = 0
  }

  return {
    url,
    stop,
    /** The node fails like this from now on; without a fault it is well. */
    suffer,
    /** Every call from now on meets this fate; without one all pass. */
    spoil: (call?: (call: Call) => Fate): void => suffer(call === undefined ? {} : { call }),
    /** Calls of a method since the last change of fate. */
    callsOf: (method: string): Call[] => seen.filter((call) => call.method === method),
  }
}

/** A node that has no block above a height. */
export const laggingAt = (height: bigint): Fault => ({
  call: ({ method, params }) => {
    if (method === 'eth_blockNumber') return { change: () => `0x${height.toString(16)}` }
    if (method !== 'eth_getBlockByNumber') return 'pass'
    if (params?.[0] === 'latest') return { params: [`0x${height.toString(16)}`, false] }
    return Number(params?.[0]) > height ? { change: () => null } : 'pass'
  },
})

/** Blocks a question for logs spans. */
export const spanOf = ({ params }: Call): number => {
  const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
  return Number(toBlock) - Number(fromBlock) + 1
}
