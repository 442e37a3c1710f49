import { hostname } from 'node:os'
import { createClient } from '../../src/client.ts'
import type { Client, Input } from '../../src/types.ts'
import type { Context } from '../context.ts'
import { refused } from '../failures.ts'
import { checksumAddress } from '../key/address.ts'
import { readKeyFile } from '../key/key-file.ts'
import { loadAccount } from '../key/viem.ts'
import { parseUnits, wholeUnits } from '../output/amounts.ts'
import { assertSame } from '../service/open.ts'
import { readSignInText, signInHost } from '../service/sign-in.ts'

type Terms = NonNullable<Input<'issueNonce'>['delegate']>

/** What the bridge asks the wallet for. `bondPerDay` is in whole units, `0` for jobs without a bond alone. */
export interface Wish extends Omit<Terms, 'name' | 'bondPerDayRaw'> {
  bondPerDay: string
}

const NAME_CHARACTERS = 60

/** Name of the bridge on this machine, in characters that a sign-in text can hold. */
const bridgeName = (): string => `agent-work mcp on ${hostname().replaceAll(/[^A-Za-z0-9._-]+/g, '-')}`.slice(0, NAME_CHARACTERS)

/** Amount in base units, with the digits that a sign-in text shows of it. */
const readBond = async (client: Client, bondPerDay: string, signal: AbortSignal): Promise<{ raw: bigint; shown: string }> => {
  if (/^0+$/.test(bondPerDay)) return { raw: 0n, shown: '0' }
  const pool = await client.getPool({}, { signal })
  if (!pool.available) throw refused('The service has no chain, so there is nothing to bond: leave --bond-per-day out.')
  const raw = parseUnits(bondPerDay, pool.asset)
  return { raw, shown: wholeUnits(raw, pool.asset.decimals) }
}

const escapeDots = (text: string): string => text.replaceAll('.', '\\.')

const DAY_MS = 86_400_000

/** Refuses a text that grants more than was asked for: the bridge signs without a reader. `bond` is its amount a day as the text shows it. */
const assertGrants = (
  message: string,
  { name, scopes, tiers, jobsPerDay, days }: Pick<Terms, 'name' | 'scopes' | 'tiers' | 'jobsPerDay' | 'days'>,
  bond: string,
): void => {
  const jobs = `${jobsPerDay} ${jobsPerDay === 1 ? 'job' : 'jobs'} a day`
  const limits = `bonds up to ${escapeDots(bond)} [A-Za-z0-9.]{1,16} a day; ${jobs}; tiers ${tiers.join(', ')}; `
  const sentence = `Let ${escapeDots(name)} act for me: ${scopes.join(', ')}; ${scopes.includes('claim') ? limits : ''}until (?<end>\\S+)\\.`
  const [, statement = ''] = message.split('\n\n')
  const end = Date.parse(new RegExp(`^${sentence}$`).exec(statement)?.groups?.end ?? '')
  const issuedAt = Date.parse(/^Issued At: (?<at>\S+)$/m.exec(message)?.groups?.at ?? '')
  // False also where one of them is no instant.
  if (end - issuedAt <= days * DAY_MS) return
  throw refused('The text of the service does not grant what this command asks for. Nothing was signed.', `It says: ${statement}`)
}

/** Lets the wallet of a key file grant its power to a delegate, and returns the token of that. The key is in memory until the signature is made. */
export const grantDelegate = async (context: Context, keyFile: string, { bondPerDay, ...wish }: Wish): Promise<string> => {
  const { baseUrl, output, signal, state } = context
  // A message that waits gets its answer at once, and the next one tries again.
  const client = createClient({ baseUrl, maxRetries: 0 })
  const bond = await readBond(client, bondPerDay, signal)
  const key = await readKeyFile(keyFile, output.warn)(() => context.passphrase('unattended'))
  try {
    const terms: Terms = { ...wish, name: bridgeName(), bondPerDayRaw: String(bond.raw) }
    const { message } = await client.issueNonce({ wallet: checksumAddress(key.address), delegate: terms }, { signal })
    const service = readSignInText(message, { host: signInHost(context), address: key.address })
    const saved = state.readSession()
    if (saved !== undefined) assertSame(service, saved.service, baseUrl)
    assertGrants(message, terms, bond.shown)
    const signature = await (await loadAccount(key)).signMessage({ message })
    const { token, tokenKind, expiresAt, capabilityGrantId = '' } = await client.verifySignature({ message, signature }, { signal })
    output.hide(token)
    if (tokenKind !== 'delegate') throw refused('The service answered with a token of the wallet, which this program does not use.')
    output.note(`${checksumAddress(key.address)} lets ${terms.name} act until ${expiresAt}. Grant ${capabilityGrantId}.`)
    return token
  } finally {
    key.privateKey.fill(0)
  }
}
