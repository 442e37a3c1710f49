import type { Schemas } from '../../../client/src/index.ts'
import { type Html, html } from '../../../pages/html.ts'
import { type Cell, codeWords, rowTable } from '../../../pages/parts.ts'
import { type BarPart, shareWords, stackedBar, swatch, wholeUnits } from '../../look/bars.ts'
import { money, status, transaction, when } from '../../look/values.ts'

type Amount = Schemas.AssetAmount

const sum = (amounts: readonly Amount[]): bigint => amounts.reduce((total, { raw }) => total + BigInt(raw), 0n)

/** Where the money of a session is: the parts of the diagram, each with what it is made of. */
const placesOf = ({ locked, paid, returned, slashed, refunded }: Schemas.SessionMoney) =>
  [
    {
      name: 'Locked',
      tone: 'warn',
      of: [
        ['bond', locked.bond],
        ['reward and fees', locked.funding],
      ],
    },
    {
      name: 'Paid',
      tone: 'good',
      of: [
        ['to the worker', paid.worker],
        ['protocol fee', paid.protocolFee],
        ['kept for gas', paid.gasRetention],
      ],
    },
    { name: 'Returned', tone: 'good', isHatched: true, of: [['bond, to the worker', returned]] },
    {
      name: 'Slashed',
      tone: 'bad',
      of: [
        ['to the poster', slashed.poster],
        ['to the treasury', slashed.treasury],
        ['to the verifier', slashed.verifier],
      ],
    },
    { name: 'Refunded', tone: 'off', of: [['to the poster', refunded]] },
  ] as const satisfies readonly (Omit<BarPart, 'raw'> & { of: readonly (readonly [words: string, amount: Amount])[] })[]

/** The money of a session as a bar of proportions, with the exact digits in a table. */
export const moneyDiagram = (answer: Schemas.SessionMoney): Html => {
  const { asset, decimals } = answer.received.bond
  const parts = placesOf(answer).map((place) => ({ ...place, raw: sum(place.of.map(([, amount]) => amount)) }))
  const whole = parts.reduce((total, { raw }) => total + raw, 0n)
  if (whole === 0n) return html`<p>No money came into the escrow for this session.</p>`
  const exact = (raw: bigint): string => `${wholeUnits(raw, decimals)} ${asset}`
  const words = parts.filter(({ raw }) => raw > 0n).map(({ name, raw }) => `${name.toLowerCase()} ${exact(raw)}, ${shareWords(raw, whole)}`)
  const rows = parts.map(({ of, raw, name, ...look }): Cell[] => [
    html`${swatch(look)}${name}`,
    html`<span class="digits">${exact(raw)}</span>`,
    shareWords(raw, whole),
    of
      .filter(([, amount]) => BigInt(amount.raw) > 0n)
      .map(([what, amount]) => `${what} ${money(amount)}`)
      .join(', ') || '–',
  ])
  return html`${stackedBar(`Of ${exact(whole)}: ${words.join('; ')}.`, parts)}
${rowTable('Where the money is', ['Where', 'Amount', 'Share', 'Of that'], rows, '')}
<p class="soft">Came in: ${exact(whole)}, of it bond ${money(answer.received.bond)}, from the poster ${money(answer.received.funding)}.</p>`
}

/** Transactions of a session, oldest first. */
export const transactionTable = ({ transactions }: Schemas.SessionMoney, now: number, explorer: string | undefined): Html =>
  rowTable(
    'Transactions',
    ['Step', 'State', 'Transaction', 'Block', 'When'],
    transactions.map(({ kind, status: state, txHash, blockNumber, at }) => [
      codeWords(kind),
      status(state),
      transaction(txHash, explorer),
      blockNumber ?? 'not mined',
      when(at, now),
    ]),
    'No transaction concerns this session yet.',
  )
