import { isRecord } from '../../src/json.ts'
import { CliError, EXIT, refused, unreachable, usageError } from '../failures.ts'
import { findUrl } from '../state/directory.ts'

const REQUEST_MS = 20_000

/** A refusal of the node. */
export class NodeRefusal extends CliError {
  /** Its own words. */
  readonly reason: string
  constructor(host: string, method: string, reason: string) {
    super(EXIT.unreachable, { title: 'The node refuses', code: 'node_refusal', detail: `${host} refuses ${method}: ${reason}` })
    this.reason = reason
  }
}

/** Calls a method of a node. Rejects with a `NodeRefusal`, or with a failure that says that the chain cannot be reached. */
export type Rpc = <Result>(method: string, params?: readonly unknown[]) => Promise<Result>

/** A node over HTTP. Errors name its host alone: paths of providers hold access keys. */
export const createRpc = (url: string, signal: AbortSignal): Rpc => {
  const parsed = findUrl(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) throw usageError('--rpc takes an http or https URL.')
  let id = 0
  return async <Result>(method: string, params: readonly unknown[] = []): Promise<Result> => {
    id += 1
    let answer: { result?: unknown; error?: { message?: unknown } }
    try {
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      const headers = { 'content-type': 'application/json' }
      const within = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)])
      const given: unknown = await (await fetch(parsed, { method: 'POST', headers, body, signal: within })).json()
      answer = isRecord(given) ? given : {}
    } catch {
      signal.throwIfAborted()
      throw unreachable(`The chain cannot be reached at ${parsed.host} (${method}).`, 'Name another node with --rpc URL.')
    }
    if (answer.error !== undefined) throw new NodeRefusal(parsed.host, method, String(answer.error.message ?? 'no reason'))
    if (!('result' in answer)) throw unreachable(`${parsed.host} gives no answer of a node (${method}).`)
    return answer.result as Result
  }
}

/** Time between two reads of what has to come. */
export const POLL_MS = 500

export interface Receipt {
  status: string
  blockNumber: string
  transactionHash: string
}

/** Receipt of a transaction; null before it is mined. */
export const findReceipt = (rpc: Rpc, hash: string): Promise<Receipt | null> => rpc('eth_getTransactionReceipt', [hash])

/** Throws unless the node is one of that chain. */
export const assertChain = async (rpc: Rpc, chainId: number): Promise<void> => {
  const found = Number(await rpc<string>('eth_chainId'))
  if (found !== chainId) throw refused(`The node is of the chain ${found}, and the service of the chain ${chainId}. Nothing was sent.`)
}
