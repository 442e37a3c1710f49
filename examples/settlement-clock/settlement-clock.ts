// Computes the times of GET /stats/settlement again, from the logs of the chain alone. Needs Node and no package.
import { parseArgs } from 'node:util'
import { findLocalStack } from '../local-service.ts'

const USAGE = `usage: npm run -s settlement-clock -- [--api URL --rpc URL] [--from-block N]

Reads the escrow's logs from your node and compares with the answer of the service. Without --api and --rpc: of the stack that runs in this
checkout. --from-block: where the search for unpaid work begins
(default 0, the whole chain).

Exit code: 0 equal, 1 different, 2 something could not be read.`

/** keccak256 of the signatures of the events. */
const TOPICS = {
  WorkSubmitted: '0xcbb3a9c750667f278e746ff21ebed16a174c9a98737bb08c3a46d139c6e97be2',
  Verified: '0x2d608da5913100b9d4ce80773c08555927c8837a7945ad6111c6a976972c9275',
  SettlementSplit: '0x53e36b29276b78a488b807db3589a5f2ecaaf30950db3b11fb53fdfdf2f36e72',
  JobRejected: '0x66ffd56d27ef7147b5af0c0f70f9d35ef4eaf7691bba61574ff3fbe6d9b73a53',
  JobReopened: '0x022019e544238a9f8b32bf1b84c8d3bce15f73ee8d77b905697025b620ffa4a6',
  JobClosed: '0x1965adbb1dd230146bba5d3108b689a4f6f22d573d21b8842b56dc421eb41fa4',
  DisputeOpened: '0x74b30b10e89fcaa4fc5ffe4cbad394399cd7cfe59529e41170312d28377b874d',
  DisputeResolved: '0x59d06cf860b945a640b490156b257915731afce76650f18dd42d301c2c19dab6',
}
const NAMES = new Map(Object.entries(TOPICS).map(([name, topic]) => [topic, name]))
/** Blocks of one request for logs. */
const PAGE = 5_000

interface Log {
  blockNumber: string
  logIndex: string
  topics: string[]
}
interface Work {
  job: string
  worker: string
  block: number
  submitted: number
  verdict: number | null
  paid: number | null
  unpaid: boolean
}
interface Times {
  count: number
  medianSeconds: number | null
  p90Seconds: number | null
  maxSeconds: number | null
}
/** The part of the answer that is compared, and what it was computed from. */
interface Clock {
  escrows: string[]
  excludedWallets: string[]
  window: { fromBlock: string; toBlock: string; submissions: number }
  submittedToVerdict: Times
  verdictToPaid: Times
  submittedToPaid: Times
  unpaid: { count: number; oldest: { chainJobId: string; submittedAt: string } | null }
}

const askNode = async <T>(rpc: string, method: string, params: unknown[]): Promise<T> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(rpc, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const answer = (await response.json()) as { result?: T; error?: { message: string } }
  if (answer.error !== undefined || answer.result === undefined) throw new Error(`${method}: ${answer.error?.message ?? 'no result'}`)
  return answer.result
}
const hex = (value: number): string => `0x${value.toString(16)}`

const readLogs = async (rpc: string, escrows: string[], from: number, to: number): Promise<Log[]> => {
  const found: Log[] = []
  for (let start = from; start <= to; start += PAGE) {
    const span = { fromBlock: hex(start), toBlock: hex(Math.min(start + PAGE - 1, to)) }
    found.push(...(await askNode<Log[]>(rpc, 'eth_getLogs', [{ address: escrows, topics: [Object.values(TOPICS)], ...span }])))
  }
  return found.toSorted((a, b) => Number(a.blockNumber) - Number(b.blockNumber) || Number(a.logIndex) - Number(b.logIndex))
}

const readTimes = async (rpc: string, logs: Log[]): Promise<Map<string, number>> => {
  const times = new Map<string, number>()
  for (const { blockNumber } of logs)
    if (!times.has(blockNumber))
      times.set(blockNumber, Number((await askNode<{ timestamp: string }>(rpc, 'eth_getBlockByNumber', [blockNumber, false])).timestamp))
  return times
}

/** Each submission with its first verdict and first payment; any later log of the job but a dispute ends the wait. */
const readWork = (logs: Log[], times: Map<string, number>): Work[] => {
  const work: Work[] = []
  for (const { topics, blockNumber } of logs) {
    const [topic = '', job = '', who = ''] = topics
    const [name, at] = [NAMES.get(topic), times.get(blockNumber) ?? 0]
    if (name === 'WorkSubmitted') {
      const worker = `0x${who.slice(26)}`
      work.push({ job, worker, block: Number(blockNumber), submitted: at, verdict: null, paid: null, unpaid: true })
      continue
    }
    const current = work.findLast((one) => one.job === job)
    if (current === undefined) continue
    if (name === 'Verified') current.verdict ??= at
    else if (name === 'SettlementSplit') current.paid ??= at
    if (name !== 'Verified') current.unpaid = name === 'DisputeOpened'
  }
  return work
}

const timesOf = (pairs: (readonly [number | null, number | null])[]): Times => {
  const seconds = pairs.flatMap(([start, end]) => (start === null || end === null ? [] : [end - start])).toSorted((a, b) => a - b)
  const at = (share: number): number | null => seconds[Math.max(Math.ceil(share * seconds.length) - 1, 0)] ?? null
  return { count: seconds.length, medianSeconds: at(0.5), p90Seconds: at(0.9), maxSeconds: seconds.at(-1) ?? null }
}

/** The members of the answer that the chain decides: name, what the chain says, what the service says. */
const compare = async (rpc: string, clock: Clock, fromBlock: number): Promise<[name: string, own: unknown, theirs: unknown][]> => {
  const [first, last] = [Number(clock.window.fromBlock), Number(clock.window.toBlock)]
  const logs = await readLogs(rpc, clock.escrows, Math.min(fromBlock, first), last)
  const work = readWork(logs, await readTimes(rpc, logs)).filter(({ worker }) => !clock.excludedWallets.includes(worker))
  const window = work.filter(({ block }) => block >= first)
  const unpaid = work.filter((one) => one.unpaid)
  const [oldest] = unpaid
  const stated = clock.unpaid.oldest
  return [
    ['submissions', window.length, clock.window.submissions],
    ['submittedToVerdict', timesOf(window.map(({ submitted, verdict }) => [submitted, verdict])), clock.submittedToVerdict],
    ['verdictToPaid', timesOf(window.map(({ verdict, paid }) => [verdict, paid])), clock.verdictToPaid],
    ['submittedToPaid', timesOf(window.map(({ submitted, paid }) => [submitted, paid])), clock.submittedToPaid],
    ['unpaid', unpaid.length, clock.unpaid.count],
    [
      'oldest',
      oldest === undefined ? null : [oldest.job, new Date(oldest.submitted * 1000).toISOString()],
      stated === null ? null : [stated.chainJobId, stated.submittedAt],
    ],
  ]
}

const main = async (): Promise<number> => {
  const { values } = parseArgs({ options: { api: { type: 'string' }, rpc: { type: 'string' }, 'from-block': { type: 'string' } } })
  const stack = values.api === undefined && values.rpc === undefined ? findLocalStack() : undefined
  const { api, rpc } = { api: stack?.api, rpc: stack?.rpcUrl, ...values }
  if (api === undefined || rpc === undefined) throw new Error(USAGE)
  console.error(`Service: ${api}, chain: ${rpc}`)
  const clock = (await (await fetch(`${api}/stats/settlement`)).json()) as Clock
  let differences = 0
  for (const [name, ...both] of await compare(rpc, clock, Number(values['from-block'] ?? 0))) {
    const [own, theirs] = both.map((value) => JSON.stringify(value))
    if (own !== theirs) differences += 1
    console.log(own === theirs ? `equal      ${name} ${own}` : `different  ${name}: the chain says ${own}, the service ${theirs}`)
  }
  return differences === 0 ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
