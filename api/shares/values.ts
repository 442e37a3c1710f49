import { BPS_ONE } from '../../domain/common/money.ts'
import { type Cell, codeWords, factTable, identifier, instant, percent } from '../../pages/parts.ts'
import { money } from '../http/pages/money.ts'

/** Writes a value; null leaves the row out. `asset` is that of amounts that name none. */
type Write = (value: unknown, asset: string) => Cell | null

/** How a member is shown: its name in words, and how its value is written where the value itself does not tell. Null where other members say it. */
type Wording = string | readonly [words: string, write: Write] | null

/** Words of all members of a closed shape, in the order in which a page shows them. */
export type Wordings<Member extends string> = Readonly<Record<Member, Wording>>

export type Facts = Readonly<Record<string, unknown>>

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const CODE = /^[a-z]+([_.][a-z\d]+)+$/i
/** Addresses, hashes and ids that hold one. */
const ID = /0x[\da-f]{40}/i

const isFacts = (value: unknown): value is Facts => typeof value === 'object' && value !== null && !Array.isArray(value)

const writeText = (text: string): Cell => {
  if (INSTANT.test(text)) return instant(text)
  if (ID.test(text)) return identifier(text)
  return CODE.test(text) ? codeWords(text) : text
}

/** Writes a value that tells by itself what it is; a group of other members has no words. */
const writeValue: Write = (value, asset) => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return value
  if (typeof value === 'string') return writeText(value)
  if (!isFacts(value)) return null
  const { raw, decimals, asset: own } = value
  if (typeof raw !== 'string' || typeof decimals !== 'number') return null
  return money({ amount: raw, decimals, asset: typeof own === 'string' ? own : asset })
}

/** A decimal string in whole units. */
export const units: Write = (value, asset) => `${value} ${asset}`

/** Basis points. */
export const bps: Write = (value) => percent(Number(value) / Number(BPS_ONE))

/** Members of a group as a table of their own. */
export const group =
  (wordings: Wordings<string>): Write =>
  (value, asset) =>
    isFacts(value) ? wordedFacts(value, wordings, asset) : null

const write = (value: unknown, wording: Exclude<Wording, null>, asset: string): Cell | null =>
  typeof wording === 'string' ? writeValue(value, asset) : wording[1](value, asset)

/** Table of the members that have words and a value. */
export const wordedFacts = (facts: Facts, wordings: Wordings<string>, asset: string) =>
  factTable(
    Object.entries(wordings).flatMap(([name, wording]) => {
      const value = facts[name]
      if (wording === null || value === null || value === undefined) return []
      return [[typeof wording === 'string' ? wording : wording[0], write(value, wording, asset)] as const]
    }),
  )
