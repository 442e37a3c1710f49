import { type CustomTransport, custom, HttpRequestError, RpcRequestError } from 'viem'
import { getHttpRpcClient } from 'viem/utils'
import { isRefusingStatus, matchBatch, parseAnswer, type RpcAnswer } from '../../../domain/chain/batch-answer.ts'
import type { BatchLimit } from './batch-limit.ts'

export interface NodeTransportDeps {
  url: string
  /** Sends one HTTP request; its own time limit applies. */
  fetchFn: typeof fetch
  /** Size of the batches; null sends each call alone. */
  batches: BatchLimit | null
  retryCount: number
}

interface Call {
  body: { method: string; params?: unknown }
  id: number
  resolve: (answer: RpcAnswer) => void
  reject: (error: unknown) => void
}

const inChunks = (calls: readonly Call[], size: number): Call[][] =>
  Array.from({ length: Math.ceil(calls.length / size) }, (_, index) => calls.slice(index * size, (index + 1) * size))

/**
 * Transport to one node over HTTP. Calls of the same moment go out as JSON-RPC batches of at most the limit's size. A refused batch is sent
 * again in smaller ones, at last call by call, so a caller never sees the refusal.
 */
export const nodeTransport = ({ url, fetchFn, batches, retryCount }: NodeTransportDeps): CustomTransport => {
  // `fetchFn` has the time-out. A time-out of viem's own would count pauses of this process against the node.
  const rpc = getHttpRpcClient(url, { fetchFn, timeout: 0 })
  let queued: Call[] = []
  let lastId = 0

  const sendAlone = async ({ body, id, resolve, reject }: Call): Promise<void> => {
    try {
      resolve(parseAnswer(await rpc.request({ body: { ...body, id } })))
    } catch (error) {
      reject(error)
    }
  }

  const resendSmaller = async (calls: Call[], reason: string, limit: BatchLimit): Promise<void> => {
    limit.shrink(calls.length, reason)
    await sendAll(calls, limit)
  }

  const sendBatch = async (calls: Call[], limit: BatchLimit): Promise<void> => {
    try {
      const body: unknown = await rpc.request({ body: calls.map((call) => ({ ...call.body, id: call.id })) })
      const ids = calls.map(({ id }) => id)
      const outcome = matchBatch(ids, body)
      if (outcome.kind === 'refused') return await resendSmaller(calls, outcome.reason, limit)
      for (const [index, { resolve }] of calls.entries())
        resolve(outcome.kind === 'limited' ? { error: outcome.error } : (outcome.answers[index] ?? {}))
    } catch (error) {
      if (error instanceof HttpRequestError && isRefusingStatus(error.status)) await resendSmaller(calls, `HTTP ${error.status}`, limit)
      else for (const { reject } of calls) reject(error)
    }
  }

  const sendAll = async (calls: Call[], limit: BatchLimit): Promise<void> => {
    // A smaller size than just refused is certain here, so this ends at single calls.
    await Promise.all(
      inChunks(calls, limit.size()).map((chunk) => (chunk.length === 1 ? Promise.all(chunk.map(sendAlone)) : sendBatch(chunk, limit))),
    )
  }

  const flush = (limit: BatchLimit): void => {
    const calls = queued
    queued = []
    void sendAll(calls, limit)
  }

  const enqueue = (call: Call): void => {
    if (batches === null) return void sendAlone(call)
    queued.push(call)
    if (queued.length === 1) setTimeout(flush, 0, batches)
  }

  const request = async (body: Call['body']): Promise<unknown> => {
    lastId += 1
    const id = lastId
    const { error, result } = await new Promise<RpcAnswer>((resolve, reject) => enqueue({ body, id, resolve, reject }))
    if (error !== undefined) throw new RpcRequestError({ body, error, url })
    batches?.recordRead()
    return result
  }

  return custom({ request }, { key: 'node', name: 'JSON-RPC node', retryCount, retryDelay: 100 })
}
