import { SOURCE_RUNS } from '../../src/requests.ts'
import type { Input } from '../../src/types.ts'
import { textOption } from '../arguments.ts'
import type { Context } from '../context.ts'
import { usageError } from '../failures.ts'

const HELP = 'agent-work help admin'
const DEFAULT_ROWS = 25
const MOST_ROWS = 1_000

export type Provider = Input<'steerSource'>['provider']

export const LANES = ['liveness', 'oss-anchored', 'benchmark-showcase'] as const satisfies readonly Input<'setLaneState'>['lane'][]

/** One of the names; throws with all of them, and without the given one. */
export const parseName = <Name extends string>(text: string | undefined, title: string, names: readonly Name[]): Name => {
  const found = names.find((name) => name === text)
  if (found === undefined) throw usageError(`${title} is one of ${names.join(', ')}.`, HELP)
  return found
}

export const parseProvider = (text: string | undefined): Provider => parseName(text, 'PROVIDER', Object.keys(SOURCE_RUNS) as Provider[])

/** Whole number of an option; undefined where it is not given. */
export const findNumber = ({ options }: Context, name: string): number | undefined => {
  const text = textOption(options, name)
  if (text !== undefined && !/^[0-9]{1,4}$/.test(text)) throw usageError(`--${name} takes a whole number.`, HELP)
  return text === undefined ? undefined : Number(text)
}

/** Rows that a list shows at most. */
export const rowLimit = (context: Context): number => {
  const limit = findNumber(context, 'limit') ?? DEFAULT_ROWS
  if (limit < 1 || limit > MOST_ROWS) throw usageError(`--limit takes a number from 1 to ${MOST_ROWS}.`, HELP)
  return limit
}

/** The first rows of a list. */
export const takeRows = async <Row>(rows: AsyncIterable<Row>, limit: number): Promise<Row[]> => {
  const taken: Row[] = []
  for await (const row of rows) {
    taken.push(row)
    if (taken.length === limit) break
  }
  return taken
}
