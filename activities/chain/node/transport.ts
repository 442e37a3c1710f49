import { type CustomTransport, custom, type Hex, HttpRequestError, hexToBigInt, hexToNumber, isHex, RpcRequestError } from 'viem'
import { isNodeTrouble, isRefusingStatus, matchBatch, parseAnswer, type RpcAnswer } from '../../../domain/chain/batch-answer.ts'
import { createRpcFetch } from '../rpc-fetch.ts'
import type { BatchLimit } from './batch-limit.ts'
import { clientOf, type NodeAddress, publicAddress, refusingFetch } from './call.ts'
import type { NodeChoice } from './choice.ts'

export interface NodeTransportDeps {
  /** Nodes in the order of preference. */
  addresses: readonly NodeAddress[]
  /** Which of them is asked; null for a single one. */
  choice: NodeChoice | null
  chainId: number
  /** Time limit of one HTTP request. */
  timeoutMs: number
  /** Size of the batches; null sends each call alone. */
  batches: BatchLimit | null
  retryCount: number
}

type Body = { method: string; params?: unknown }

interface Call {
  body: Body
  id: number
  resolve: (answer: RpcAnswer) => void
  reject: (error: unknown) => void
}

const inChunks = (calls: readonly Call[], size: number): Call[][] =>
  Array.from({ length: Math.ceil(calls.length / size) }, (_, index) => calls.slice(index * size, (index + 1) * size))

/**
 * Sends calls to one node over HTTP. Calls of the same moment go out as JSON-RPC batches of at most the limit's size. A refused batch is sent
 * again in smaller ones, at last call by call, so a caller never sees the refusal.
 */
const createSender = (address: NodeAddress, fetchFn: typeof fetch, batches: BatchLimit | null) => {
  const rpc = clientOf(address, fetchFn)
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

  return (body: Body): Promise<RpcAnswer> => {
    lastId += 1
    const id = lastId
    return new Promise<RpcAnswer>((resolve, reject) => enqueue({ body, id, resolve, reject }))
  }
}

/** Height that an answer shows as the newest one of its node; null for any other call. */
const headIn = ({ method, params }: Body, result: unknown): bigint | null => {
  if (method === 'eth_blockNumber') return isHex(result) ? hexToBigInt(result) : null
  if (method !== 'eth_getBlockByNumber' || !Array.isArray(params) || params[0] !== 'latest') return null
  const { number } = (result ?? {}) as { number?: Hex | null }
  return isHex(number) ? hexToBigInt(number) : null
}

type Outcome = { answer: RpcAnswer } | { thrown: unknown }

/** Transport to the nodes of a chain: to the one in use, and in an outage to the next one. */
export const nodeTransport = ({ addresses, choice, chainId, timeoutMs, batches, retryCount }: NodeTransportDeps): CustomTransport => {
  const senders = addresses.map((address) => {
    const fetchFn = createRpcFetch(timeoutMs)
    // The only node keeps its word; with others its refusals are an outage.
    return createSender(address, addresses.length > 1 ? refusingFetch(fetchFn, address.url) : fetchFn, batches)
  })

  const ask = async (index: number, body: Body): Promise<Outcome> => {
    try {
      return { answer: (await senders[index]?.(body)) ?? {} }
    } catch (thrown) {
      return { thrown }
    }
  }

  const conclude = (index: number, body: Body, outcome: Outcome): unknown => {
    if ('thrown' in outcome) throw outcome.thrown
    const { error, result } = outcome.answer
    if (error !== undefined) throw new RpcRequestError({ body, error, url: publicAddress(addresses[index]?.url ?? '') })
    batches?.recordRead()
    return result
  }

  const hasOtherChain = ({ method }: Body, outcome: Outcome): boolean =>
    method === 'eth_chainId' && 'answer' in outcome && isHex(outcome.answer.result) && hexToNumber(outcome.answer.result) !== chainId

  const hasFailed = (outcome: Outcome): boolean => 'thrown' in outcome || isNodeTrouble(outcome.answer)

  const note = (nodes: NodeChoice, index: number, body: Body, outcome: Outcome): void => {
    if (!('answer' in outcome)) return
    nodes.succeeded(index)
    const head = headIn(body, outcome.answer.result)
    if (head !== null) nodes.noteHead(index, head)
  }

  const requestFrom = async (nodes: NodeChoice, body: Body): Promise<unknown> => {
    for (let asked = 1; ; asked += 1) {
      const index = await nodes.ready()
      const outcome = await ask(index, body)
      const isForeign = hasOtherChain(body, outcome)
      if (!isForeign && !hasFailed(outcome)) note(nodes, index, body, outcome)
      else if ((await nodes.failed(index, isForeign)) && asked < addresses.length) continue
      return conclude(index, body, outcome)
    }
  }

  const request = async (body: Body): Promise<unknown> =>
    choice === null ? conclude(0, body, await ask(0, body)) : requestFrom(choice, body)

  return custom({ request }, { key: 'node', name: 'JSON-RPC node', retryCount, retryDelay: 100 })
}
