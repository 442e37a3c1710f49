import type { Account } from '../../src/generated/operations.ts'
import type { Context } from '../context.ts'
import { checksumAddress } from '../key/address.ts'
import { type AmountView, formatAmount, formatInstant } from '../output/amounts.ts'
import type { Report } from '../output/output.ts'
import { formatPairs, formatTable } from '../output/text.ts'
import { openSignedIn } from '../service/open.ts'

/** SS58 address of a native account; null for a wallet. */
const nameNative = ({ subject }: { subject: string }): string | null => (subject.startsWith('0x') ? null : subject)

/** `whoami`: the wallet, its rights and its standing. */
export const whoami = async (context: Context): Promise<Report> => {
  const { signal, baseUrl } = context
  const { client } = await openSignedIn(context)
  const { capabilityMatrix: _, ...session } = await client.getAuthSession({}, { signal })
  const reputation = await client.getReputation({}, { signal })
  return {
    document: { ...session, reputation },
    lines: formatPairs([
      ['Wallet', checksumAddress(session.wallet)],
      ['Native account', nameNative(session)],
      ['Service', baseUrl],
      ['Roles', session.roles.join(', ') || 'none besides that of a worker'],
      ['Tier', reputation.tier],
      ['Scores', `skill ${reputation.skill}, reliability ${reputation.reliability}, economic ${reputation.economic}`],
      ['Token until', formatInstant(session.expiresAt)],
    ]),
  }
}

/** Title of each kind of balance. */
const TITLES = {
  liquid: 'liquid',
  jobStakeLocked: 'locked as bonds of open work',
  reserved: 'reserved',
  strategyAllocated: 'lent, in strategies',
  collateralLocked: 'locked as collateral',
  lockedDepositEncumbered: 'bound by locked deposits',
  debtOutstanding: 'debt',
  withdrawable: 'withdrawable',
} satisfies Partial<Record<keyof Account, string>>
/** Balances that are shown also when they are zero. */
const ALWAYS = ['liquid', 'jobStakeLocked', 'withdrawable']

const rowsOf = (found: Account): [title: string, amount: string][] => {
  const list = (title: string, amounts: Readonly<Record<string, AmountView>> = {}, isShown = true): [string, string][] =>
    Object.entries(amounts)
      .filter(([, { raw }]) => isShown || raw > 0n)
      .map(([symbol, amount]) => [title, formatAmount(amount, symbol)])
  return [
    ...Object.entries(TITLES).flatMap(([name, title]) => list(title, found[name as keyof typeof TITLES], ALWAYS.includes(name))),
    ...list('in the wallet, not deposited', found.walletBalance),
  ]
}

/** `account`: the balances of the wallet. */
export const account = async (context: Context): Promise<Report> => {
  const { client } = await openSignedIn(context)
  const found = await client.getAccount({}, { signal: context.signal })
  const rows = rowsOf(found)
  const [head = '', ...table] = formatTable(
    [
      { title: 'BALANCE', value: ([title]) => title },
      { title: 'AMOUNT', value: ([, amount]) => amount, align: 'right' },
    ],
    rows,
  )
  return {
    document: found,
    lines: [
      ...formatPairs([
        ['Wallet', checksumAddress(found.wallet)],
        ['Read from the chain', formatInstant(found.asOf)],
      ]),
      '',
      ...(rows.length === 0 ? ['The account is empty. agent-work deposit AMOUNT fills it.'] : [context.output.bold(head), ...table]),
    ],
  }
}
