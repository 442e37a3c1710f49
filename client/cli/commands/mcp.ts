import { setTimeout as sleep } from 'node:timers/promises'
import { textOption } from '../arguments.ts'
import { runBridge } from '../bridge/bridge.ts'
import { createForwarder } from '../bridge/forward.ts'
import { grantDelegate, type Wish } from '../bridge/grant.ts'
import { type BridgeTokens, createFileToken, createGrantedTokens } from '../bridge/tokens.ts'
import { JOB_TIERS, SCOPES } from '../commands.ts'
import type { Context } from '../context.ts'
import { CliError, usageError } from '../failures.ts'
import { loadAccounts } from '../key/viem.ts'
import type { Report } from '../output/output.ts'

/** Time in which a client reads what was written before. A client on a busy machine can take longer, and then misses a note. */
const PAUSE_MS = 20
/** Longest time that the end of the delegate may take: the end of the program does not wait longer after a signal. */
const END_MS = 1_500

/** Words of a list, in the order of the known ones. */
const readList = <Word extends string>(name: string, text: string, known: readonly Word[]): Word[] => {
  const words = text.split(',')
  if (words.some((word) => !known.some((one) => one === word)))
    throw usageError(`--${name} takes some of ${known.join(', ')}, separated by commas.`, 'agent-work help mcp')
  return known.filter((one) => words.includes(one))
}

const readCount = (name: string, text: string, [least, most]: readonly [number, number]): number => {
  const count = /^[0-9]{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (count >= least && count <= most) return count
  throw usageError(`--${name} takes a whole number from ${least} to ${most}.`, 'agent-work help mcp')
}

const readWish = ({ options }: Pick<Context, 'options'>): Wish => {
  const bondPerDay = textOption(options, 'bond-per-day') ?? '0'
  if (!/^[0-9]{1,15}(\.[0-9]{1,18})?$/.test(bondPerDay))
    throw usageError('--bond-per-day takes an amount in whole units, such as 2.5.', 'agent-work help mcp')
  return {
    scopes: readList('scopes', textOption(options, 'scopes') ?? SCOPES.join(','), SCOPES),
    bondPerDay,
    jobsPerDay: readCount('jobs-per-day', textOption(options, 'jobs-per-day') ?? '10', [0, 1_000]),
    tiers: readList('tiers', textOption(options, 'tiers') ?? 'starter', JOB_TIERS),
    days: readCount('days', textOption(options, 'days') ?? '1', [1, 30]),
  }
}

const openTokens = async (context: Context): Promise<BridgeTokens> => {
  const { options, state, tokenFile } = context
  if (tokenFile !== undefined) return createFileToken(context, tokenFile)
  await loadAccounts()
  const keyFile = textOption(options, 'key-file') ?? state.readSession()?.keyFile ?? state.keyFile
  const wish = readWish(context)
  return createGrantedTokens(context, () => grantDelegate(context, keyFile, wish))
}

/** `mcp`: forwards the messages of standard input to the service, and its answers to standard output, until the input ends. */
export const mcp = async (context: Context): Promise<Report> => {
  const { baseUrl, output, signal } = context
  const tokens = await openTokens(context)
  await tokens.current().catch((error: unknown) => {
    // What a person has to mend ends the program; the service can come back.
    if (error instanceof CliError) throw error
    output.note(`Not signed in yet: ${error instanceof Error ? error.message : String(error)}. The next message tries again.`)
  })
  const write = (line: string): void => void process.stdout.write(`${line}\n`)
  const forward = createForwarder({ url: `${baseUrl}/mcp`, tokens, write, note: output.note, pause: () => sleep(PAUSE_MS) })
  try {
    await runBridge({ input: process.stdin, write, forward, signal })
  } finally {
    await tokens
      .end(AbortSignal.timeout(END_MS))
      .catch((error: unknown) => output.note(`The delegate was not ended: ${error instanceof Error ? error.message : String(error)}.`))
  }
  return { document: undefined, lines: [] }
}
