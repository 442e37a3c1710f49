import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Answer } from '../../src/types.ts'
import { textOption } from '../arguments.ts'
import type { Context } from '../context.ts'
import { usageError } from '../failures.ts'
import { confirm } from '../key/prompt.ts'
import { formatAmount, formatInstant } from '../output/amounts.ts'
import type { Report } from '../output/output.ts'
import { formatPairs, formatTable, wrap } from '../output/text.ts'
import { readDelegateOptions } from '../service/delegate-options.ts'
import { grantDelegate } from '../service/grant.ts'
import { openSignedIn } from '../service/open.ts'
import { assertSigner, findKeySource } from '../service/sign-in.ts'
import { createPrivate } from '../state/files.ts'

const HELP = 'agent-work help delegate'

type Delegate = Answer<'listDelegates'>['items'][number]

/** Options that belong to one action only. */
const OPTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  create: ['name', 'scopes', 'bond-per-day', 'jobs-per-day', 'tiers', 'days', 'key-file', 'out', 'yes'],
  list: [],
  revoke: ['all'],
}

/** Throws for an option or an argument of another action. */
const assertOptions = ({ arguments: [action = '', id], options }: Context): void => {
  const own = OPTIONS_OF[action] ?? []
  const other = Object.values(OPTIONS_OF)
    .flat()
    .find((name) => options[name] !== undefined && !own.includes(name))
  if (other !== undefined) throw usageError(`delegate ${action} takes no --${other}.`, HELP)
  if (id !== undefined && action !== 'revoke') throw usageError(`delegate ${action} takes no ID.`, HELP)
}

const create = async (context: Context): Promise<Report> => {
  const { options, output, signal, baseUrl } = context
  const name = textOption(options, 'name')
  if (name === undefined) throw usageError('delegate create needs --name NAME.', HELP)
  const asked = readDelegateOptions(context)
  const out = textOption(options, 'out')
  const file = out === undefined ? undefined : resolve(out)
  if (file !== undefined && existsSync(file)) throw usageError(`The file ${file} exists. It was not replaced.`)
  const source = findKeySource(context)
  await assertSigner(source)
  const approve = async (statement: string): Promise<void> => {
    output.show('The wallet is to sign:', ...wrap(statement, { indent: '  ' }))
    if (options.yes === true) return
    const reason = 'A grant needs your word, and there is no terminal to ask at. Add --yes to grant without asking.'
    await confirm('Sign?', { reason, outcome: 'Nothing was signed.', signal })
  }
  const granted = await grantDelegate(context, source, asked, { name, purpose: 'open', approve })
  const { token, wallet, subject, expiresAt, grantId } = granted
  if (file !== undefined && !createPrivate(file, `${token}\n`))
    throw usageError(`The file ${file} exists. It was not replaced, and the token is lost.`, `agent-work delegate revoke ${grantId}`)
  return {
    document: { grantId, wallet, baseUrl, expiresAt, ...(file === undefined ? { token } : { file }) },
    lines: [
      ...formatPairs([
        ['Delegate', grantId],
        ['Of', subject],
        ['Until', formatInstant(expiresAt)],
        ['Token in', file],
      ]),
      ...(file === undefined ? ['', 'Its token, which is not shown again:', token] : []),
    ],
  }
}

const used = ({ used: { bonds, jobs }, budget: { jobsPerDay, bondPerDay } }: Delegate): string =>
  `${jobs} of ${jobsPerDay}, ${formatAmount(bonds, bonds.asset)} of ${formatAmount(bondPerDay, bondPerDay.asset)}`

const list = async (context: Context): Promise<Report> => {
  const { client } = await openSignedIn(context)
  const items: Delegate[] = []
  for await (const item of client.paginate('listDelegates', { limit: 200 }, { signal: context.signal })) items.push(item)
  const [head = '', ...table] = formatTable<Delegate>(
    [
      { title: 'ID', value: ({ grantId }) => grantId },
      { title: 'NAME', value: ({ client: { name, host } }) => (host === null ? name : `${name} at ${host}`), shrinks: true },
      { title: 'MAY', value: ({ scopes }) => scopes.join(', ') },
      { title: 'STATUS', value: ({ status }) => status },
      { title: 'UNTIL', value: ({ expiresAt }) => formatInstant(expiresAt) },
      { title: 'USED IN 24 HOURS', value: used },
    ],
    items,
  )
  return {
    document: { items },
    lines: items.length === 0 ? ['This wallet has no delegate.'] : [context.output.bold(head), ...table],
  }
}

const revoke = async (context: Context): Promise<Report> => {
  const {
    arguments: [, grantId],
    options,
    signal,
  } = context
  if ((grantId === undefined) !== (options.all === true)) throw usageError('delegate revoke needs an ID, or --all.', HELP)
  const { client } = await openSignedIn(context)
  const { revoked } = await client.revokeDelegates(grantId === undefined ? { all: true } : { grantId }, { signal })
  return { document: { revoked }, lines: revoked.length === 0 ? ['No delegate was left.'] : revoked.map((id) => `${id} has ended.`) }
}

const ACTIONS: Readonly<Record<string, (context: Context) => Promise<Report>>> = { create, list, revoke }

/** `delegate`: grants a part of the power of the wallet, shows what it granted, and takes it back. */
export const delegate = async (context: Context): Promise<Report> => {
  assertOptions(context)
  const [action = ''] = context.arguments
  const run = ACTIONS[action]
  // The parser has checked the choice.
  if (run === undefined) throw usageError('There is no such action.', HELP)
  return run(context)
}
