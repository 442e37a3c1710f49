import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { formatGwei } from 'viem'
import { z } from 'zod'
import { createSigners, roleOf, SIGNER_ROLES, type Signers } from '../activities/chain/clients.ts'
import { createNonceStatus, type SignerStatus } from '../activities/chain/journal/nonce-status.ts'
import { createReplacement, type NonceAct, parseFees } from '../activities/chain/journal/replacement.ts'
import type { JournalRow } from '../activities/chain/journal/rows.ts'
import { readSigningChains } from '../activities/signing-chains.ts'
import { nonceRemedy } from '../domain/chain/nonce-trouble.ts'
import type { Fees } from '../domain/chain/replacement-fees.ts'
import { exitOnBadSettings } from '../schemas/run-process.ts'
import { withRecords } from './records.ts'

const USAGE = `usage: npm run nonce -- status
       npm run nonce -- replace <nonce> [--signer ${SIGNER_ROLES.join('|')}]
       npm run nonce -- fill <nonce> [--signer ${SIGNER_ROLES.join('|')}]
       npm run nonce -- resend <nonce> [--signer ${SIGNER_ROLES.join('|')}]
The settings are those of the worker; with none given they are those of the local stack that runs in this checkout.
status needs no key; the default signer is the operator.`

/** Rows printed per signer. */
const MAX_ROWS = 10

const NonceCommand = z.union([
  z.object({ act: z.literal('status'), nonce: z.undefined().optional() }),
  z.object({
    act: z.enum(['replace', 'fill', 'resend']),
    nonce: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
    signer: z.enum(SIGNER_ROLES).default('operator'),
  }),
])
export type NonceCommand = z.infer<typeof NonceCommand>

/** Parses the command line; null when it is no command. */
export const readCommand = (args: string[]): NonceCommand | null => {
  try {
    const { values, positionals } = parseArgs({ args, options: { signer: { type: 'string' } }, allowPositionals: true })
    const [act, nonce, ...more] = positionals
    return more.length > 0 ? null : NonceCommand.parse({ act, nonce, ...values })
  } catch {
    return null
  }
}

const formatFees = ({ maxFeePerGas, maxPriorityFeePerGas }: Fees): string =>
  `at most ${formatGwei(maxFeePerGas)} gwei, tip ${formatGwei(maxPriorityFeePerGas)} gwei`

const formatRow = (row: JournalRow, now: number): string => {
  const { nonce, status, intent, since, broadcasts, txHash, rawTransaction } = row
  const seconds = Math.max(0, Math.floor((now - since) / 1_000))
  return `  ${nonce}  ${status} for ${seconds} s, sent ${broadcasts}×  ${intent.functionName}  ${formatFees(parseFees(rawTransaction))}  ${txHash}  ${row.intentKey}`
}

/** Status of the signers for an operator, as lines. */
export const statusLines = (all: SignerStatus[], signers: Signers, now: number): string[] =>
  all.flatMap(({ signer, nextNonce, chainLatest, chainPending, open, missing, trouble }) => {
    const role = roleOf(signers, signer)
    const remedy = trouble === null ? [] : [`  ${trouble.kind} at nonce ${trouble.nonce}: ${nonceRemedy(trouble, role)}`]
    return [
      `${signer}${role === undefined ? '' : ` (${role})`}`,
      `  next nonce ${nextNonce}; the chain has counted ${chainLatest}, with its pool ${chainPending}`,
      ...open.slice(0, MAX_ROWS).map((row) => formatRow(row, now)),
      ...(open.length > MAX_ROWS ? [`  and ${open.length - MAX_ROWS} more`] : []),
      ...(missing.length > 0 ? [`  without a row: ${missing.slice(0, MAX_ROWS).join(', ')}${missing.length > MAX_ROWS ? ', …' : ''}`] : []),
      ...remedy,
    ]
  })

/** Result of a command for an operator, as lines. */
export const actLines = (act: NonceAct): string[] => {
  if (!act.done) return [`nothing was changed (${act.refusal}): ${act.detail}`]
  const { row, oldHash, fees, accepted, reason } = act
  return [
    `${act.act} nonce ${row.nonce} of ${row.signer}: ${row.txHash}, ${formatFees(fees)}`,
    ...(oldHash === null ? [] : [`instead of ${oldHash}; either may be mined, and the waiting process accepts either`]),
    accepted
      ? 'a write address accepted it'
      : `stored, but no write address accepted it yet (${reason}): ${act.act === 'resent' ? 'try again' : 'the workers keep trying'}`,
  ]
}

const run = (command: NonceCommand): Promise<{ lines: string[]; well: boolean }> =>
  withRecords('nonce', async ({ settings, ...records }) => {
    const signers = createSigners(settings)
    const chains = readSigningChains(settings, records.clients)
    const deps = { ...records, signers, pause: (ms: number) => sleep(ms) }
    if (command.act === 'status') {
      const { NONCE_STUCK_SECONDS: stuckAfterSeconds } = settings
      const all = await Promise.all(chains.map(({ clients }) => createNonceStatus({ ...deps, clients, stuckAfterSeconds })()))
      return { lines: statusLines(all.flat(), signers, deps.clock.now()), well: true }
    }
    const clients = chains.find(({ roles }) => roles.includes(command.signer))?.clients
    if (clients === undefined) return { lines: ['nothing was changed: no payment chain is configured'], well: false }
    const act = await createReplacement({ ...deps, clients })[command.act](command.signer, command.nonce)
    return { lines: actLines(act), well: act.done }
  })

const main = async (): Promise<void> => {
  const command = readCommand(process.argv.slice(2))
  const { lines, well } = command === null ? { lines: [USAGE], well: false } : await run(command)
  console.log(lines.join('\n'))
  process.exitCode = well ? 0 : 1
}

if (import.meta.main) await exitOnBadSettings(main)
