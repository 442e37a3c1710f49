import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type KeyRecord, listKeyRecords } from '../activities/identity/key-records.ts'
import { type Rotation, retireTokenKey, rotateKey } from '../activities/identity/key-rotation.ts'
import { iso } from '../domain/common/instants.ts'
import { hasKeyEnded } from '../domain/identity/key-windows.ts'
import { exitOnBadSettings } from '../schemas/run-process.ts'
import { withRecords } from './records.ts'

const USAGE = `usage: npm run keys -- list
       npm run keys -- rotate jwt [--retire-now]
       npm run keys -- rotate receipt
       npm run keys -- retire <kid>
The settings are those of the API for jwt and of the worker for receipt; with none given they are those of the local stack that runs in
this checkout. rotate writes a new key over JWT_KEY_FILE or RECEIPT_KEY_FILE. The running processes take it by themselves.
--retire-now ends every older key of tokens: their tokens are refused at once. retire ends one retired key of tokens.`

const Kid = z.string().regex(/^jwt-[1-9]\d{0,8}$/)

const KeysCommand = z.union([
  z.strictObject({ action: z.literal('list') }),
  z.strictObject({ action: z.literal('rotate'), target: z.literal('jwt'), retireNow: z.boolean() }),
  z.strictObject({ action: z.literal('rotate'), target: z.literal('receipt') }),
  z.strictObject({ action: z.literal('retire'), target: Kid }),
])
export type KeysCommand = z.infer<typeof KeysCommand>

/** Parses the command line; null when it is no command. */
export const readKeysCommand = (args: string[]): KeysCommand | null => {
  try {
    const { values, positionals } = parseArgs({ args, options: { 'retire-now': { type: 'boolean' } }, allowPositionals: true })
    const [action, target, ...more] = positionals
    if (more.length > 0) return null
    const isTokenRotation = action === 'rotate' && target === 'jwt'
    const retireNow = values['retire-now']
    return KeysCommand.parse({
      action,
      ...(target !== undefined && { target }),
      ...((isTokenRotation || retireNow !== undefined) && { retireNow: retireNow ?? false }),
    })
  } catch {
    return null
  }
}

const formatKey = ({ kid, purpose, validFrom, retiredAt, verifiesUntil }: KeyRecord, now: number): string => {
  const retired = retiredAt === null ? 'current' : `retired ${iso(retiredAt)}`
  const until = verifiesUntil === null ? [] : [`${hasKeyEnded({ verifiesUntil }, now) ? 'ended' : 'verifies until'} ${iso(verifiesUntil)}`]
  return [kid, purpose, `valid from ${iso(validFrom)}`, retired, ...until].join('  ')
}

const rotationLines = ({ record, retired, ended }: Rotation): string[] => [
  `${record.kid} signs from ${iso(record.validFrom)} on`,
  ...(retired?.verifiesUntil == null || ended.includes(retired.kid) ? [] : [`${retired.kid} verifies until ${iso(retired.verifiesUntil)}`]),
  ...ended.map((kid) => `${kid} has ended: its tokens are refused`),
]

const run = (command: KeysCommand): Promise<{ lines: string[]; isDone: boolean }> =>
  withRecords('keys', async ({ settings, database, clock }) => {
    if (command.action === 'list') {
      const records = [...(await listKeyRecords(database.rows, 'jwt')), ...(await listKeyRecords(database.rows, 'receipt'))]
      return {
        lines: records.length === 0 ? ['no key is recorded yet'] : records.map((record) => formatKey(record, clock.now())),
        isDone: true,
      }
    }
    if (command.action === 'retire') {
      const isEnded = await retireTokenKey({ database, clock }, command.target)
      const refusal = `nothing was changed: ${command.target} is no retired key that still verifies; rotate the current one`
      return { lines: [isEnded ? `${command.target} has ended: its tokens are refused` : refusal], isDone: isEnded }
    }
    const retireNow = command.target === 'jwt' && command.retireNow
    const rotation = await rotateKey({ database, clock, settings }, command.target, { retireNow })
    return typeof rotation === 'string'
      ? { lines: [`nothing was changed: ${rotation}`], isDone: false }
      : { lines: rotationLines(rotation), isDone: true }
  })

const main = async (): Promise<void> => {
  const command = readKeysCommand(process.argv.slice(2))
  const { lines, isDone } = command === null ? { lines: [USAGE], isDone: false } : await run(command)
  console.log(lines.join('\n'))
  process.exitCode = isDone ? 0 : 1
}

if (import.meta.main) await exitOnBadSettings(main)
