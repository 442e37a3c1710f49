import { createClient } from '../../src/client.ts'
import type { Client, Input } from '../../src/types.ts'
import type { Context } from '../context.ts'
import { refused } from '../failures.ts'
import { readKeyFile } from '../key/key-file.ts'
import type { PassphrasePurpose } from '../key/passphrase.ts'
import { signText, subjectOf } from '../key/sign-text.ts'
import { parseUnits, wholeUnits } from '../output/amounts.ts'
import type { DelegateOptions } from './delegate-options.ts'
import { assertSame } from './open.ts'
import { type KeySource, readSignInText, signInHost } from './sign-in.ts'

type Terms = NonNullable<Input<'issueNonce'>['delegate']>

/** Who gets the grant, and how the wallet signs it. */
interface GrantSteps {
  name: string
  purpose: PassphrasePurpose
  maxRetries?: number
  /** Called with what is to be signed. Throws to refuse. */
  approve?: (statement: string) => Promise<void>
}

/** A delegate that was granted. `subject` is the owner as people name it: checksummed, or SS58. */
interface Granted {
  token: string
  expiresAt: string
  grantId: string
  wallet: string
  subject: string
}

/** Amount in base units, with the digits that a sign-in text shows of it. */
const readBond = async (client: Client, bondPerDay: string, signal: AbortSignal): Promise<{ raw: bigint; shown: string }> => {
  if (/^0+$/.test(bondPerDay)) return { raw: 0n, shown: '0' }
  const pool = await client.getPool({}, { signal })
  if (!pool.available) throw refused('The service has no chain, so there is nothing to bond: leave --bond-per-day out.')
  const raw = parseUnits(bondPerDay, pool.asset)
  return { raw, shown: wholeUnits(raw, pool.asset.decimals) }
}

/** Scopes as the sentence says them. Submissions reach every session of the wallet. */
const SCOPE_WORDS = { read: 'read', claim: 'claim', submit: 'submit in all my sessions' }

const escapeDots = (text: string): string => text.replaceAll('.', '\\.')

const DAY_MS = 86_400_000

/** The sentence of a text that says what it grants. */
const statementOf = (message: string): string => message.split('\n\n')[1] ?? ''

/** Refuses a text that grants more than was asked for: it can be signed without a reader. `bond` is its amount a day as the text shows it. */
const assertGrants = (
  message: string,
  { name, scopes, tiers, jobsPerDay, days }: Pick<Terms, 'name' | 'scopes' | 'tiers' | 'jobsPerDay' | 'days'>,
  bond: string,
): void => {
  const jobs = `${jobsPerDay} ${jobsPerDay === 1 ? 'job' : 'jobs'} a day`
  const limits = `bonds up to ${escapeDots(bond)} [A-Za-z0-9.]{1,16} a day; ${jobs}; tiers ${tiers.join(', ')}; `
  const granted = scopes.map((scope) => SCOPE_WORDS[scope]).join(', ')
  const sentence = `Let '${escapeDots(name)}' act for me: ${granted}; ${scopes.includes('claim') ? limits : ''}until (?<end>\\S+)\\.`
  const statement = statementOf(message)
  const end = Date.parse(new RegExp(`^${sentence}$`).exec(statement)?.groups?.end ?? '')
  const issuedAt = Date.parse(/^Issued At: (?<at>\S+)$/m.exec(message)?.groups?.at ?? '')
  // False also where one of them is no instant.
  if (end - issuedAt <= days * DAY_MS) return
  throw refused('The text of the service does not grant what this command asks for. Nothing was signed.', `It says: ${statement}`)
}

/** Lets the wallet of a key file grant a part of its power to a delegate. The key is in memory until the signature is made. */
export const grantDelegate = async (
  context: Context,
  source: KeySource,
  { bondPerDay, ...asked }: DelegateOptions,
  { name, purpose, maxRetries, approve }: GrantSteps,
): Promise<Granted> => {
  const { baseUrl, output, signal, state } = context
  const client = createClient({ baseUrl, ...(maxRetries !== undefined && { maxRetries }) })
  const bond = await readBond(client, bondPerDay, signal)
  const key = await readKeyFile(source.path, output.warn, source.rawScheme)(() => context.passphrase(purpose))
  try {
    const terms: Terms = { ...asked, name, bondPerDayRaw: String(bond.raw) }
    const { message } = await client.issueNonce({ wallet: subjectOf(key), delegate: terms }, { signal })
    const service = readSignInText(message, { host: signInHost(context), key })
    const saved = state.readSession()
    if (saved !== undefined) assertSame(service, saved.service, baseUrl)
    assertGrants(message, terms, bond.shown)
    await approve?.(statementOf(message))
    const signature = await signText(key, message)
    const granted = await client.verifySignature({ message, signature }, { signal })
    output.hide(granted.token)
    if (granted.tokenKind !== 'delegate') throw refused('The service answered with a token of the wallet, which this program does not use.')
    const { token, expiresAt, capabilityGrantId: grantId = '' } = granted
    return { token, expiresAt, grantId, wallet: key.address, subject: subjectOf(key) }
  } finally {
    key.privateKey.fill(0)
  }
}
