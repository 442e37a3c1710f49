import type { Input } from '../../src/types.ts'
import { textOption } from '../arguments.ts'
import { JOB_TIERS, SCOPES } from '../commands.ts'
import type { Context } from '../context.ts'
import { usageError } from '../failures.ts'

type Terms = NonNullable<Input<'issueNonce'>['delegate']>

/** What a wallet is to grant. `bondPerDay` is in whole units, `0` for jobs without a bond alone. */
export interface DelegateOptions extends Omit<Terms, 'name' | 'bondPerDayRaw'> {
  bondPerDay: string
}

/** Words of a list, in the order of the known ones. */
const readList = <Word extends string>(name: string, text: string, known: readonly Word[], help: string): Word[] => {
  const words = text.split(',')
  if (words.some((word) => !known.some((one) => one === word)))
    throw usageError(`--${name} takes some of ${known.join(', ')}, separated by commas.`, help)
  return known.filter((one) => words.includes(one))
}

const readCount = (name: string, text: string, [least, most]: readonly [number, number], help: string): number => {
  const count = /^[0-9]{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (count >= least && count <= most) return count
  throw usageError(`--${name} takes a whole number from ${least} to ${most}.`, help)
}

/** Terms of a delegate that the options name. */
export const readDelegateOptions = ({ command, options }: Pick<Context, 'command' | 'options'>): DelegateOptions => {
  const help = `agent-work help ${command.name}`
  const bondPerDay = textOption(options, 'bond-per-day') ?? '0'
  if (!/^[0-9]{1,15}(\.[0-9]{1,18})?$/.test(bondPerDay))
    throw usageError('--bond-per-day takes an amount in whole units, such as 2.5.', help)
  return {
    scopes: readList('scopes', textOption(options, 'scopes') ?? SCOPES.join(','), SCOPES, help),
    bondPerDay,
    jobsPerDay: readCount('jobs-per-day', textOption(options, 'jobs-per-day') ?? '10', [0, 1_000], help),
    tiers: readList('tiers', textOption(options, 'tiers') ?? 'starter', JOB_TIERS, help),
    days: readCount('days', textOption(options, 'days') ?? '1', [1, 30], help),
  }
}
