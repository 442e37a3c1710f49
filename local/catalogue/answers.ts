import { createHash } from 'node:crypto'
import { canonicalJson } from '../../domain/common/canonical-json.ts'
import { keccakOfText } from '../../domain/common/hashes.ts'

const cents = (amount: string): bigint => BigInt(amount.replace('.', ''))

/** Tasks whose answer follows from their text, and how an agent computes it. Group 1 of the pattern is the input. */
const TASKS: readonly [RegExp, (input: string) => string[]][] = [
  [/canonical form of this document, as one line: (\{.*?\})\. /, (json) => [canonicalJson(JSON.parse(json))]],
  [/keccak256 of the UTF-8 bytes of its id\. Give that hash for the id (\S+), /, (id) => [keccakOfText(id)]],
  [/four-byte selector of (\w+\(\w*\)), /, (signature) => [keccakOfText(signature).slice(0, 10)]],
  [
    /Add up these ledger amounts in USDC and give the sum with two decimals: ([\d., ]+)\. /,
    (amounts) => {
      const sum = amounts.split(', ').reduce((total, amount) => total + cents(amount), 0n)
      return [`${sum / 100n}.${String(sum % 100n).padStart(2, '0')}`]
    },
  ],
  [
    /The delays in minutes were ([\d, ]+)\. /,
    (delays) => {
      const late = delays
        .split(', ')
        .map(Number)
        .filter((minutes) => minutes > 60)
      return [`late: ${late.length}`, `minutes: ${late.reduce((total, minutes) => total + minutes, 0)}`]
    },
  ],
  [
    /first eight hex digits of the SHA-256 of its tag (\S+), /,
    (tag) => [`PAY-${createHash('sha256').update(tag).digest('hex').slice(0, 8)}`],
  ],
]

/** Answers to a task, computed from its text. Throws for a text that asks for nothing that can be computed here. */
export const computeAnswers = (description: string): [string, ...string[]] => {
  for (const [pattern, compute] of TASKS) {
    const [, input] = pattern.exec(description) ?? []
    const [first, ...more] = input === undefined ? [] : compute(input)
    if (first !== undefined) return [first, ...more]
  }
  throw new Error(`no answer can be computed for: ${description}`)
}

/** Text of a task that asks for the hash of an id. */
export const hashTask = (id: string): string =>
  `The escrow names a job by keccak256 of the UTF-8 bytes of its id. Give that hash for the id ${id}, as 0x and 64 lower-case hex digits.`
