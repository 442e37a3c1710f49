import { startFleet } from '../support/fleet/fleet.ts'
import { median, paired, timed } from './figures.ts'

/** What a call costs as a tool, beside the same over HTTP. */
export interface ToolFigures {
  /** Median time of `listJobs` (compact, 25 rows) as a tool by that of the same GET. Target: 2.5 at most. */
  mcpCallRatio: number
  callMs: number
  getMs: number
  /** The first list of tools that a new process answers. Target: 15 ms at most. */
  mcpColdListMs: number
}

const ROUNDS = 9
const CALLS = 30
const ROWS = 25

const medianOf = async (act: () => Promise<unknown>): Promise<number> => {
  const times: number[] = []
  for (let call = 0; call < CALLS; call += 1) times.push(await timed(act))
  return median(times)
}

const read = async (url: string, init?: RequestInit): Promise<string> => {
  const response = await fetch(url, init)
  if (response.status !== 200) throw new Error(`${url}: ${response.status}: ${await response.text()}`)
  return response.text()
}

/** Sends one message; the answer of a refused tool fails the run. */
const send = async (base: string, method: string, params: object): Promise<void> => {
  const text = await read(`${base}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  if (text.includes('"isError":true') || text.includes('"error":{')) throw new Error(text.slice(0, 500))
}

/** Measures tools on a fleet of one API. */
export const benchTools = async (): Promise<ToolFigures> => {
  const fleet = await startFleet({ apis: 1, env: { RATE_LIMITS: JSON.stringify({ tools_anonymous: { limit: 1_000_000 } }) } })
  try {
    const [api] = fleet.apis
    if (api === undefined) throw new Error('a fleet has one API')
    const { base } = api
    // This process has opened connections before; only the service is cold.
    await read(`${base}/health/live`)
    const mcpColdListMs = await timed(() => send(base, 'tools/list', {}))
    const call = () => send(base, 'tools/call', { name: 'listJobs', arguments: { limit: ROWS } })
    const get = () => read(`${base}/jobs?format=compact&limit=${ROWS}`)
    await Promise.all([medianOf(call), medianOf(get)])
    const { ratio, ours, theirs } = await paired(
      ROUNDS,
      () => medianOf(call),
      () => medianOf(get),
    )
    return { mcpCallRatio: ratio, callMs: ours, getMs: theirs, mcpColdListMs }
  } finally {
    await fleet.close()
  }
}

if (import.meta.main) console.log(await benchTools())
