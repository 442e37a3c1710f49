import { describeMisfit, type Misfit } from '../../src/answers/shapes.ts'
import { isObject, parseJson } from '../../src/json.ts'
import { CliError, EXIT, refused, unreachable, usageError } from '../failures.ts'
import { findUrl } from '../state/directory.ts'

const REQUEST_MS = 20_000
const OTHER_NODE = 'Name another node with --rpc URL.'

/** A refusal of the node. */
export class NodeRefusal extends CliError {
  /** Its own words. */
  readonly reason: string
  constructor(host: string, method: string, reason: string) {
    super(EXIT.unreachable, { title: 'The node refuses', code: 'node_refusal', detail: `${host} refuses ${method}: ${reason}` })
    this.reason = reason
  }
}

export interface Receipt {
  status: string
  blockNumber: string
  transactionHash: string
}

/** Finds what is odd in a value at a path; undefined where it fits. */
type Check = (value: unknown, path: readonly string[]) => Misfit | undefined

const text =
  (expected: string, pattern: RegExp): Check =>
  (value, path) =>
    typeof value === 'string' && pattern.test(value) ? undefined : { path, expected, found: value }
const bytes = text('hex bytes', /^0x[0-9a-fA-F]*$/)
const quantity = text('a hex quantity', /^0x[0-9a-fA-F]+$/)
const hash = text('a hash', /^0x[0-9a-fA-F]{64}$/)
const object =
  (members: Readonly<Record<string, Check>>): Check =>
  (value, path) => {
    if (!isObject(value)) return { path, expected: 'an object', found: value }
    for (const [name, check] of Object.entries(members)) {
      const misfit = check(value[name], [...path, name])
      if (misfit !== undefined) return misfit
    }
    return undefined
  }
const optional =
  (check: Check): Check =>
  (value, path) =>
    value === undefined ? undefined : check(value, path)
const orNull =
  (check: Check): Check =>
  (value, path) =>
    value === null ? undefined : check(value, path)

/** Result of each method that is called. */
interface Results {
  eth_call: string
  eth_chainId: string
  eth_estimateGas: string
  eth_gasPrice: string
  eth_getBalance: string
  eth_getBlockByNumber: { baseFeePerGas?: string }
  eth_getTransactionByHash: object | null
  eth_getTransactionCount: string
  eth_getTransactionReceipt: Receipt | null
  eth_maxPriorityFeePerGas: string
  eth_sendRawTransaction: string
  eth_sendTransaction: string
  web3_clientVersion: string
}
type Method = keyof Results

const CHECKS: Readonly<Record<Method, Check>> = {
  eth_call: bytes,
  eth_chainId: quantity,
  eth_estimateGas: quantity,
  eth_gasPrice: quantity,
  eth_getBalance: quantity,
  eth_getBlockByNumber: object({ baseFeePerGas: optional(quantity) }),
  eth_getTransactionByHash: orNull(object({})),
  eth_getTransactionCount: quantity,
  eth_getTransactionReceipt: orNull(object({ status: quantity, blockNumber: quantity, transactionHash: hash })),
  eth_maxPriorityFeePerGas: quantity,
  eth_sendRawTransaction: hash,
  eth_sendTransaction: hash,
  web3_clientVersion: text('a text', /^/),
}

/** Calls a method of a node. Rejects with a `NodeRefusal`, or with a failure that says that the chain cannot be reached. */
export type Rpc = <Name extends Method>(method: Name, params?: readonly unknown[]) => Promise<Results[Name]>

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

/** A node over HTTP. A call whose connection breaks is sent once more, unless the node signs it. Errors name its host alone: paths of providers hold access keys. */
export const createRpc = (url: string, signal: AbortSignal): Rpc => {
  const parsed = findUrl(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) throw usageError('--rpc takes an http or https URL.')
  const post = async (body: string): Promise<{ status: number; body: string }> => {
    const within = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)])
    const response = await fetch(parsed, { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal: within })
    return { status: response.status, body: await response.text() }
  }
  let id = 0
  return async <Name extends Method>(method: Name, params: readonly unknown[] = []): Promise<Results[Name]> => {
    id += 1
    const call = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const { status, body } = await post(call)
      .catch((error: unknown) => {
        // A node may close a kept connection while this process computes: the next request learns it, and goes over a new one.
        if (signal.aborted || isTimeout(error) || method === 'eth_sendTransaction') throw error
        return post(call)
      })
      .catch(() => {
        signal.throwIfAborted()
        throw unreachable(`The chain cannot be reached at ${parsed.host} (${method}).`, OTHER_NODE)
      })
    const answer = parseJson(body)
    if (isObject(answer) && isObject(answer.error)) throw new NodeRefusal(parsed.host, method, String(answer.error.message ?? 'no reason'))
    const misfit = object({ result: CHECKS[method] })(answer, [])
    if (misfit === undefined) return (answer as { result: Results[Name] }).result
    // The answer itself is not shown: it can repeat the path.
    const fault = answer === undefined ? 'it is not JSON' : describeMisfit(misfit)
    throw unreachable(`${parsed.host} gives no answer of a node to ${method}: ${status}: ${fault}.`, OTHER_NODE)
  }
}

/** Time between two reads of what has to come. */
export const POLL_MS = 500

/** Receipt of a transaction; null before it is mined. */
export const findReceipt = (rpc: Rpc, hash: string): Promise<Receipt | null> => rpc('eth_getTransactionReceipt', [hash])

/** Throws unless the node is one of that chain. */
export const assertChain = async (rpc: Rpc, chainId: number): Promise<void> => {
  const found = Number(await rpc('eth_chainId'))
  if (found !== chainId) throw refused(`The node is of the chain ${found}, and the service of the chain ${chainId}. Nothing was sent.`)
}
